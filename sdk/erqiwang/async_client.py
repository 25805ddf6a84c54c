"""`run_async`: a session on an event loop, for bots whose methods are coroutines."""

from __future__ import annotations

import asyncio
import os

import grpc
import grpc.aio

from erqiwang.asking_aside import AskingAside
from erqiwang.async_bot import AsyncBot, AsyncBotFactory, async_factory_of
from erqiwang.comeback import Comeback
from erqiwang.dialing import open_async_channel
from erqiwang.errors import BotError
from erqiwang.session import Session
from erqiwang.settings import Settings
from erqiwang.stream import AsyncCall, log, open_async_stream


async def run_async(bot: AsyncBot | AsyncBotFactory, *, max_tables: int = 0) -> None:
    """Play until the referee says goodbye, on the loop that runs; `run` is the same as a whole program.

    Raises `SessionError`, whose `exit_code` is what the process should end with, or `WireError`.
    """
    settings = Settings.from_environment(os.environ)
    await play_session_async(settings, async_factory_of(bot), max_tables=max_tables)


async def play_session_async(settings: Settings, factory: AsyncBotFactory, *, max_tables: int = 0) -> None:
    """Play one session; raises what `run_async` raises."""
    asking = AskingAside()
    session = Session(factory, asking, log)
    comeback = Comeback(settings, session, max_tables)
    async with open_async_channel(settings) as channel:
        while True:
            try:
                return await _exchange(channel, session, asking, comeback.request)
            except grpc.RpcError as error:
                if session.is_over:
                    return None
                comeback.after(error)
            await asyncio.sleep(comeback.pause_s)


async def _exchange(
    channel: grpc.aio.Channel, session: Session[AsyncBot], asking: AskingAside, request: bytes
) -> None:
    """Feed the session until the stream ends; raises what ended it, the bot's failure first."""
    call = open_async_stream(channel)
    outbox: asyncio.Queue[bytes | None] = asyncio.Queue()
    outbox.put_nowait(request)
    failure: BaseException | None = None
    try:
        async with asyncio.TaskGroup() as group:
            asking.begin(group, outbox.put_nowait)
            group.create_task(_write(call, outbox))
            await _read(call, session, asking, outbox)
    except BaseExceptionGroup as ended:
        failure = next((each for each in ended.exceptions if isinstance(each, BotError)), ended.exceptions[0])
    finally:
        call.cancel()
    if failure is not None:
        raise failure


async def _read(
    call: AsyncCall, session: Session[AsyncBot], asking: AskingAside, outbox: asyncio.Queue[bytes | None]
) -> None:
    async for response in call:
        for answer in session.receive(response):
            outbox.put_nowait(answer)
        if session.is_over:
            await asking.finish()
            outbox.put_nowait(None)
    outbox.put_nowait(None)


async def _write(call: AsyncCall, outbox: asyncio.Queue[bytes | None]) -> None:
    """Send what lies in the outbox; None closes it. Where the stream breaks, its reader learns why."""
    try:
        while (message := await outbox.get()) is not None:
            await call.write(message)
        await call.done_writing()
    except (grpc.RpcError, asyncio.InvalidStateError):
        pass
