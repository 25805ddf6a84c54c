"""How long a bot may think: bounds that hold on any machine, and that a usual machine never reaches."""

from __future__ import annotations

import time

from erqiwang.rules import Profile

DECISION_S = 0.5
"""Time on the clock for one decision; the strictest clock gives twice as much."""

CARD_S = 0.04
"""Processor time for each card of the hand, together; the strictest bank gives half as much again."""


class Patience:
    """The patience of one bot for one table."""

    __slots__ = ("_began", "_left", "_until")

    def __init__(self, profile: Profile) -> None:
        self._left = CARD_S * profile.hand_size
        self._began = 0.0
        self._until = 0.0

    def begin(self) -> None:
        """Begin a decision."""
        self._began = time.thread_time()
        self._until = time.monotonic() + DECISION_S

    def is_over(self) -> bool:
        """Whether it is time to decide."""
        return time.monotonic() > self._until or time.thread_time() - self._began > self._left

    def end(self) -> None:
        """End a decision: what it took is gone."""
        self._left -= time.thread_time() - self._began
