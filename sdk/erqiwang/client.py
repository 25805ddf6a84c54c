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

from erqiwang.bot import Bot, BotFactory, factory_of
from erqiwang.errors import BotError, RefusedError, SessionError, UnavailableError, WireError
from erqiwang.rules import RULES_VERSION
from erqiwang.session import Session
from erqiwang.settings import Settings
from erqiwang.v1 import bot_service_pb2

PROTOCOL_VERSION = 1
EXIT_INTERRUPTED = 130

_METHOD = "/erqiwang.v1.BotService/Play"
_CLIENT = "erqiwang-python/1"
_RETRY_S = 0.1
_OPTIONS = (
    ("grpc.max_receive_message_length", -1),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 1000),
)
_REFUSALS = (
    grpc.StatusCode.UNAUTHENTICATED,
    grpc.StatusCode.PERMISSION_DENIED,
    grpc.StatusCode.FAILED_PRECONDITION,
    grpc.StatusCode.INVALID_ARGUMENT,
    grpc.StatusCode.UNIMPLEMENTED,
)


def run(bot: Bot | BotFactory, *, max_tables: int = 0) -> None:
    """Play until the referee says goodbye, then return.

    `bot` is a class or factory, asked for a fresh bot at every table, or one object for all tables.
    `max_tables` bounds the tables in play at once; 0 leaves it to the referee.

    Where to play is read from `ERQI_REFEREE` and `ERQI_TOKEN`. A failure ends the process with one line on
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
    session = Session(factory, log)
    request = join_request(settings.token, max_tables=max_tables)
    give_up = time.monotonic() + settings.connect_timeout_s
    with grpc.insecure_channel(settings.referee, options=_OPTIONS) as channel:
        while True:
            resume_token = session.resume_token
            try:
                return _exchange(channel, session, request)
            except grpc.RpcError as error:
                if session.is_over:
                    return None
                if session.resume_token != resume_token:  # it was joined, and broke
                    give_up = time.monotonic() + settings.rejoin_timeout_s
                    request = join_request(resume_token=session.resume_token, max_tables=max_tables)
                _raise_unless_worth_retrying(error, settings, session, time.monotonic() < give_up)
            time.sleep(_RETRY_S)


def join_request(token: str = "", *, resume_token: str = "", max_tables: int = 0) -> bytes:
    """Write the first message of a stream."""
    join = bot_service_pb2.Join(
        token=token,
        protocol_version=PROTOCOL_VERSION,
        rules_version=RULES_VERSION.partition(".")[0],
        max_tables=max_tables,
        resume_token=resume_token,
        client=_CLIENT,
    )
    return bot_service_pb2.PlayRequest(join=join).SerializeToString()


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


def _exchange(channel: grpc.Channel, session: Session, request: bytes) -> None:
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


def _raise_unless_worth_retrying(
    error: grpc.RpcError, settings: Settings, session: Session, in_time: bool
) -> None:
    """Raise what ended the stream, unless a referee may yet come (back)."""
    code, detail = error.code(), error.details()
    if code in _REFUSALS:
        raise RefusedError(f"the referee at {settings.referee} refuses the bot: {detail}") from None
    if code is grpc.StatusCode.UNAVAILABLE and in_time:
        return
    what = "went away" if session.is_joined else "does not answer"
    raise UnavailableError(f"the referee at {settings.referee} {what}: {detail}") from None


def _interrupt(number: int, frame: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt


def _end(line: str, code: int) -> NoReturn:
    log(line)
    sys.exit(code)
