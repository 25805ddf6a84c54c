"""`run`: what turns a bot into a program that plays."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
import traceback
from queue import SimpleQueue
from types import FrameType
from typing import NoReturn, cast

import grpc

from erqiwang.asking_in_turn import AskingInTurn
from erqiwang.async_bot import AsyncBot, is_async
from erqiwang.async_client import run_async
from erqiwang.bot import Bot, BotFactory
from erqiwang.comeback import Comeback
from erqiwang.dialing import open_channel
from erqiwang.errors import BotError, RefusedError, SessionError, WireError
from erqiwang.factory import factory_of
from erqiwang.session import Session
from erqiwang.settings import Settings
from erqiwang.stream import log, play_stream

EXIT_INTERRUPTED = 130


def run(bot: Bot | BotFactory | AsyncBot | type[AsyncBot], *, max_tables: int = 0) -> None:
    """Play until the referee says goodbye, then return.

    `bot` is a class or factory, asked for a fresh bot at every table, or one object for all tables; an
    `AsyncBot` runs on an event loop of its own.
    `max_tables` bounds the tables in play at once; 0 leaves it to the referee.

    Where to play is read from `ERQI_REFEREE` and `ERQI_TOKEN` (see `Settings.from_environment`). With the
    API token of a public referee that is match after match. A failure ends the process with one line on
    standard error and an exit code: 64 the environment is not set, 65 the referee refuses the bot, 69 there
    is no referee or it went away, 70 the bot raised an exception (after its traceback), 130 interrupted.
    """
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        _play(bot, max_tables)
    except BotError as error:
        traceback.print_exception(error.__cause__)
        _end(f"the bot failed {error}", error.exit_code)
    except WireError as error:
        _end(f"the referee sent what cannot be read: {error}", RefusedError.exit_code)
    except SessionError as error:
        _end(str(error), error.exit_code)
    except KeyboardInterrupt:
        sys.exit(EXIT_INTERRUPTED)


def _play(bot: Bot | BotFactory | AsyncBot | type[AsyncBot], max_tables: int) -> None:
    if is_async(bot):
        return asyncio.run(run_async(bot, max_tables=max_tables))
    factory = factory_of(cast("Bot | BotFactory", bot))
    return play_session(Settings.from_environment(os.environ), factory, max_tables=max_tables)


def play_session(settings: Settings, factory: BotFactory, *, max_tables: int = 0) -> None:
    """Play one session; raises `SessionError` or `WireError` where `run` would end the process."""
    session = Session(factory, AskingInTurn(), log)
    comeback = Comeback(settings, session, max_tables)
    with open_channel(settings) as channel:
        while True:
            try:
                return _exchange(channel, session, comeback.request)
            except grpc.RpcError as error:
                if session.is_over:
                    return None
                comeback.after(error)
            time.sleep(comeback.pause_s)


def _exchange(channel: grpc.Channel, session: Session[Bot], request: bytes) -> None:
    """Feed the session until the stream ends; its answers leave through a queue, None closes it."""
    outbox: SimpleQueue[bytes | None] = SimpleQueue()
    outbox.put(request)
    call = play_stream(channel)(iter(outbox.get, None))
    try:
        for response in call:
            for answer in session.receive(response):
                outbox.put(answer)
            if session.is_over:
                outbox.put(None)
    finally:
        outbox.put(None)
        call.cancel()


def _interrupt(number: int, frame: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt


def _end(line: str, code: int) -> NoReturn:
    log(line)
    sys.exit(code)
