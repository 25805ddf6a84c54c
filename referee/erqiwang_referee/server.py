"""The life of a referee process: it begins, serves, drains and ends."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from erqiwang_referee.bot_service import BotService
from erqiwang_referee.deadlines import Deadlines
from erqiwang_referee.errors import SettingsError
from erqiwang_referee.gate import Gate
from erqiwang_referee.health import Health
from erqiwang_referee.lobby import Lobby
from erqiwang_referee.match_service import MatchService
from erqiwang_referee.meter import Meter
from erqiwang_referee.registry import Registry
from erqiwang_referee.servers import Servers, Services
from erqiwang_referee.settings import Settings
from erqiwang_referee.timekeeper import Timekeeper

_LOG = logging.getLogger(__name__)


async def serve(settings: Settings) -> None:
    """Serve until standard input closes or a signal asks to end; raises `SettingsError` if it cannot."""
    os.umask(0o177)
    try:
        referee = _Referee(settings)
    except SettingsError:
        _clear(settings.socket_dir)
        raise
    asyncio.get_running_loop().set_exception_handler(referee.answer_for)
    try:
        await referee.begin()
        await referee.run()
    finally:
        await referee.end()


class _Referee:
    def __init__(self, settings: Settings) -> None:
        limits = settings.limits
        self._settings = settings
        self._timekeeper = Timekeeper(time.monotonic, limits.late_tick_ms / 1000)
        self._gate = Gate(limits.matches)
        self._lobby = Lobby(settings.network.tokens, limits)
        self._meter = None if settings.metrics is None else Meter()
        self._health = Health()
        registry = Registry()
        self._matches = MatchService(
            registry,
            self._lobby,
            self._gate,
            timekeeper=self._timekeeper,
            deadlines=Deadlines(),
            limits=limits,
            meter=self._meter,
        )
        services = Services(BotService(registry, self._lobby, limits), self._matches, self._health)
        self._servers = Servers(settings, services)
        self._end: _End | None = None
        self._stop_metrics: Callable[[], None] | None = None

    async def begin(self) -> None:
        """Open the doors and say so on standard output."""
        await self._health.begin()
        await self._servers.start()
        self._end = _End(watch_stdin=not self._settings.network.is_open)
        print(self._servers.ready + self._serve_metrics(), flush=True)

    async def run(self) -> None:
        """Serve until the end is asked for; then let running matches finish, for a while."""
        assert self._end is not None
        await self._end.asked.wait()
        if self._end.is_polite:
            await self._drain(self._end)

    async def end(self) -> None:
        """Break off what still runs, and leave nothing behind."""
        self._matches.abort_all("the referee ends")
        self._lobby.close("the referee ends")
        await self._servers.stop()
        if self._stop_metrics is not None:
            self._stop_metrics()
        _clear(self._settings.socket_dir)

    def answer_for(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Take failed timers for what they are: our own bug, which ends the matches without a result."""
        loop.default_exception_handler(context)
        if "handle" in context:
            self._matches.abort_all("a fault of the referee")

    async def _drain(self, end: _End) -> None:
        self._gate.close()
        self._lobby.close("the referee ends")
        await self._health.end()
        if not self._gate.running:
            return
        limit_s = self._settings.limits.drain_ms / 1000
        _LOG.info("draining: %d matches may go on for %g s", self._gate.running, limit_s)
        waits = [
            asyncio.ensure_future(self._gate.wait_until_empty()),
            asyncio.ensure_future(end.insisted.wait()),
        ]
        await asyncio.wait(waits, timeout=limit_s, return_when=asyncio.FIRST_COMPLETED)
        for wait in waits:
            wait.cancel()

    def _serve_metrics(self) -> str:
        if self._settings.metrics is None or self._meter is None:
            return ""
        try:
            from erqiwang_referee.metrics import serve_metrics
        except ModuleNotFoundError as error:
            raise SettingsError(f"--metrics needs {error.name}: pip install 'erqiwang[server]'") from None

        port, self._stop_metrics = serve_metrics(
            self._settings.metrics, self._meter, self._gate, self._lobby, self._timekeeper
        )
        return f" metrics={self._settings.metrics.rpartition(':')[0]}:{port}"


class _End:
    """The wish that the process ends: by a signal, which is patient once, or by the end of standard input."""

    def __init__(self, *, watch_stdin: bool) -> None:
        self.asked = asyncio.Event()
        self.insisted = asyncio.Event()
        self.is_polite = True
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._on_signal)
        if watch_stdin:
            try:
                loop.add_reader(sys.stdin.fileno(), self._on_input)
            except OSError:
                self._on_owner_gone()  # a file or nothing at all: there is nobody who could close it

    def _on_signal(self) -> None:
        (self.insisted if self.asked.is_set() else self.asked).set()

    def _on_input(self) -> None:
        if not os.read(sys.stdin.fileno(), 4096):
            self._on_owner_gone()

    def _on_owner_gone(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            asyncio.get_running_loop().remove_reader(sys.stdin.fileno())
        if not self.asked.is_set():
            self.is_polite = False
        self.asked.set()
        self.insisted.set()


def _clear(folder: Path) -> None:
    for socket in folder.glob("*.sock"):
        socket.unlink(missing_ok=True)
