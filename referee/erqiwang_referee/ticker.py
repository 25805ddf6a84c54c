"""The regular look at the deadlines, while there is anything to look at."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from erqiwang_referee.deadlines import Deadlines
from erqiwang_referee.timekeeper import Timekeeper

_LOG = logging.getLogger(__name__)


class Ticker:
    """Ticks while it is wanted by at least one match."""

    def __init__(
        self, timekeeper: Timekeeper, deadlines: Deadlines, tick_s: float, on_error: Callable[[str], None]
    ) -> None:
        self._timekeeper = timekeeper
        self._deadlines = deadlines
        self._tick_s = tick_s
        self._on_error = on_error
        self._wanted = 0
        self._next: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """One more match runs."""
        self._wanted += 1
        if self._next is None:
            self._schedule()

    def stop(self) -> None:
        """One match less runs."""
        self._wanted -= 1
        if self._wanted == 0 and self._next is not None:
            self._next.cancel()
            self._next = None
            self._timekeeper.rest()

    def _schedule(self) -> None:
        self._timekeeper.expect_tick(self._tick_s)
        self._next = asyncio.get_running_loop().call_later(self._tick_s, self._tick)

    def _tick(self) -> None:
        stalls = self._timekeeper.stalls
        now = self._timekeeper.now()
        if self._timekeeper.stalls > stalls:
            rare = stalls & (stalls + 1) == 0  # the first, the second, the fourth, …
            level = logging.WARNING if rare else logging.DEBUG
            _LOG.log(level, "the referee stood still; its time is charged to nobody stalls=%d", stalls + 1)
        self._schedule()
        try:
            self._deadlines.tick(now)
        except Exception:
            _LOG.exception("a deadline failed")
            self._on_error("a fault of the referee")
