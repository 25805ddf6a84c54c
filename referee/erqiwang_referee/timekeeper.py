"""The referee's time: monotonic, in seconds, without the moments in which the referee itself stood still."""

from __future__ import annotations

import math
from collections.abc import Callable

Monotonic = Callable[[], float]
"""A source of monotonic time in seconds, such as `time.monotonic`."""


class Timekeeper:
    """Tells the time by which players are judged.

    While matches run a tick is due at regular moments. Whoever asks for the time more than `late_s` after the
    tick was due learns that the referee stood still: that delay is taken out of the time, so that it is
    charged to nobody and moves every deadline.
    """

    __slots__ = ("_due", "_late_s", "_lost", "_monotonic", "stalls")

    def __init__(self, monotonic: Monotonic, late_s: float) -> None:
        self._monotonic = monotonic
        self._late_s = late_s
        self._lost = 0.0
        self._due = math.inf
        self.stalls = 0

    def now(self) -> float:
        """Tell the time."""
        instant = self._monotonic()
        if instant > self._due + self._late_s:
            self._lost += instant - self._due
            self._due = instant
            self.stalls += 1
        return instant - self._lost

    def expect_tick(self, in_s: float) -> None:
        """Say that the next tick is due in so many seconds."""
        self._due = self._monotonic() + in_s

    def rest(self) -> None:
        """No tick is due: nothing is running."""
        self._due = math.inf
