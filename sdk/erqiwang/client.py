"""`run`: what turns a bot into a program that plays."""

from __future__ import annotations

import os
import signal
import sys
import time
import traceback
from queue import SimpleQueue
from types import FrameType
from typing import NoReturn

import grpc

from erqiwang.asking_in_turn import AskingInTurn
from erqiwang.bot import Bot, BotFactory
from erqiwang.comeback import Comeback
from erqiwang.dialing import open_channel
from erqiwang.errors import BotError, RefusedError, SessionError, WireError
from erqiwang.factory import factory_of
from erqiwang.session import Session
from erqiwang.settings import Settings
from erqiwang.v1 import bot_service_pb2

EXIT_INTERRUPTED = 130

_METHOD = "/erqiwang.v1.BotService/Play"


def run(bot: Bot | BotFactory, *, max_tables: int = 0) -> None:
    """Play until the referee says goodbye, then return.

    `bot` is a class or factory, asked for a fresh bot at every table, or one object for all tables.
    `max_tables` bounds the tables in play at once; 0 leaves it to the referee.

    Where to play is read from `ERQI_REFEREE` and `ERQI_TOKEN` (see `Settings.from_environment`). With the
    API token of a public referee that is match after match. A failure ends the process with one line on
    standard error and an exit code: 64 the environment is not set, 65 the referee refuses the bot, 69 there
    is no referee or it went away, 70 the bot raised an exception (after its traceback), 130 interrupted.
    """
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        play_session(Settings.from_environment(os.environ), factory_of(bot), max_tables=max_tables)
    except BotError as error:
        traceback.print_exception(error.__cause__)
        _end(f"the bot failed {error}", error.exit_code)
    except WireError as error:
        _end(f"the referee sent what cannot be read: {error}", RefusedError.exit_code)
    except SessionError as error:
        _end(str(error), error.exit_code)
    except KeyboardInterrupt:
        sys.exit(EXIT_INTERRUPTED)


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


def play_stream(
    channel: grpc.Channel,
) -> grpc.StreamStreamMultiCallable[bytes, bot_service_pb2.PlayResponse]:
    """Return the method of the stream, taking requests as bytes."""
    return channel.stream_stream(
        _METHOD, request_serializer=None, response_deserializer=bot_service_pb2.PlayResponse.FromString
    )


def log(line: str) -> None:
    """Write one line for the bot's author."""
    print(f"erqiwang: {line}", file=sys.stderr, flush=True)


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
