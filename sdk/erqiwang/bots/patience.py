"""How long a bot may think: bounds that hold on any machine, and that a usual machine never reaches.

They are of processor time, so that a busy machine changes no decision; a slow one may.
"""

from __future__ import annotations

import time

from erqiwang.rules import Profile

DECISION_S = 0.5
"""For one decision; the strictest clock gives twice as much."""

CARD_S = 0.055
"""For each card of the hand, together; the strictest bank is 0.06, and a little more."""


class Patience:
    """The patience of one bot for one table."""

    __slots__ = ("_began", "_left")

    def __init__(self, profile: Profile) -> None:
        self._left = CARD_S * profile.hand_size
        self._began = 0.0

    def begin(self) -> None:
        """Begin a decision."""
        self._began = time.thread_time()

    def is_over(self) -> bool:
        """Whether it is time to decide."""
        return time.thread_time() - self._began > min(self._left, DECISION_S)

    def end(self) -> None:
        """End a decision: what it took is gone."""
        self._left -= time.thread_time() - self._began
