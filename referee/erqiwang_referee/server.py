"""The two gRPC servers of a referee process, and its life."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import grpc
import grpc.aio

from erqiwang_referee.bot_service import BotService
from erqiwang_referee.deadlines import Deadlines
from erqiwang_referee.doors import Doors, LinkedDoors, SharedDoor
from erqiwang_referee.errors import SettingsError
from erqiwang_referee.match_service import MatchService
from erqiwang_referee.registry import Registry
from erqiwang_referee.settings import Limits, Settings
from erqiwang_referee.timekeeper import Timekeeper

_GRPC_MESSAGE_MAX = 4_194_304
"""Above the referee's own limit, so that a long message is a fault of its player and not a broken stream."""
_PLAYERS_MAX = 2048
_MATCHES_MAX = 64
_CLOSE_S = 3.0


async def serve(settings: Settings) -> None:
    """Serve until standard input closes or a signal asks to end; raises `SettingsError` if it cannot."""
    os.umask(0o177)
    limits = settings.limits
    registry, deadlines = Registry(), Deadlines()
    timekeeper = Timekeeper(time.monotonic, limits.late_tick_ms / 1000)
    bots = grpc.aio.server(options=_options(limits), maximum_concurrent_rpcs=_PLAYERS_MAX)
    bots.add_generic_rpc_handlers((BotService(registry, limits).handler(),))
    doors = _bind_bots(bots, settings)
    service = MatchService(registry, doors, timekeeper, deadlines, limits)
    matches = grpc.aio.server(options=_private_options(), maximum_concurrent_rpcs=_MATCHES_MAX)
    matches.add_generic_rpc_handlers((service.handler(),))
    address = _bind(matches, settings.socket_dir / "match.sock")
    asyncio.get_running_loop().set_exception_handler(_answer_for(service))
    await bots.start()
    await matches.start()
    _let_bots_connect(settings)
    print(f"ready {address}", flush=True)
    try:
        await _end_is_asked_for(watch_stdin=settings.listen is None)
    finally:
        service.abort_all("the referee ends")
        await matches.stop(_CLOSE_S)
        await bots.stop(_CLOSE_S)
        _clear(settings.socket_dir)


def _answer_for(service: MatchService) -> Callable[[asyncio.AbstractEventLoop, dict[str, Any]], None]:
    """Make the handler of failed timers: they are our own bug, and end the matches without a result."""

    def handle(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        loop.default_exception_handler(context)
        if "handle" in context:
            service.abort_all("a fault of the referee")

    return handle


def _options(limits: Limits) -> list[tuple[str, int]]:
    return [
        ("grpc.so_reuseport", 0),
        ("grpc.keepalive_time_ms", 5000),
        ("grpc.keepalive_timeout_ms", 3000),
        ("grpc.http2.ping_timeout_ms", 3000),
        ("grpc.keepalive_permit_without_calls", 1),
        ("grpc.max_receive_message_length", max(_GRPC_MESSAGE_MAX, 2 * limits.message_bytes)),
        ("grpc.max_concurrent_streams", 4),
        ("grpc.max_metadata_size", 8192),
    ]


def _private_options() -> list[tuple[str, int]]:
    return [
        ("grpc.so_reuseport", 0),
        ("grpc.max_receive_message_length", -1),
        ("grpc.max_send_message_length", -1),
    ]


def _bot_socket(settings: Settings) -> Path:
    return settings.socket_dir / "bots.sock"


def _bind_bots(server: grpc.aio.Server, settings: Settings) -> Doors:
    if settings.listen is None:
        socket = _bot_socket(settings)
        _bind(server, socket)
        return LinkedDoors(socket)
    host, _, _ = settings.listen.rpartition(":")
    return SharedDoor(f"{host}:{_add_port(server, settings.listen)}")


def _bind(server: grpc.aio.Server, socket: Path) -> str:
    address = f"unix:{socket}"
    _add_port(server, address)
    return address


def _add_port(server: grpc.aio.Server, address: str) -> int:
    try:
        port = server.add_insecure_port(address)
    except RuntimeError as error:
        raise SettingsError(f"cannot listen on {address}: {error}") from None
    if port == 0:
        raise SettingsError(f"cannot listen on {address}")
    return port


def _let_bots_connect(settings: Settings) -> None:
    """Let bots of other users connect: the socket is open to all, the private folder around it is not."""
    if settings.listen is None:
        _bot_socket(settings).chmod(0o666)


def _clear(folder: Path) -> None:
    for socket in folder.glob("*.sock"):
        socket.unlink(missing_ok=True)


async def _end_is_asked_for(*, watch_stdin: bool) -> None:
    loop = asyncio.get_running_loop()
    end = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, end.set)
    if watch_stdin:
        try:
            loop.add_reader(sys.stdin.fileno(), _on_input, end)
        except OSError:
            end.set()  # a file or nothing at all: there is nobody who could close it
    await end.wait()
    with contextlib.suppress(OSError, ValueError):
        loop.remove_reader(sys.stdin.fileno())


def _on_input(end: asyncio.Event) -> None:
    if not os.read(sys.stdin.fileno(), 4096):
        end.set()
