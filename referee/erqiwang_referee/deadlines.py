"""Everything that waits for a moment, in one heap that is looked at on the tick."""

from __future__ import annotations

import math
from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count


class Deadline:
    """Something that happens at a moment unless the moment is moved.

    `check` is called with the time once the moment has come. It answers with the next moment to look, or
    None: so a deadline that moves with every message costs nothing until it is looked at.
    """

    __slots__ = ("at", "check")

    def __init__(self, check: Callable[[float], float | None] | None = None) -> None:
        self.check = check or _nothing
        self.at = math.inf


class Deadlines:
    """The heap. A moved or cancelled deadline leaves its old entry behind, which is dropped when it comes up.

    A deadline is called only when it had passed at the tick before: whatever arrived while the referee was
    busy is read first.
    """

    __slots__ = ("_heap", "_last", "_order")

    def __init__(self) -> None:
        self._heap: list[tuple[float, int, Deadline]] = []
        self._order = count()
        self._last = -math.inf

    def __len__(self) -> int:
        return len(self._heap)

    def set(self, deadline: Deadline, at: float) -> None:
        """Look at a deadline at this moment, and no more at the one it had."""
        deadline.at = at
        heappush(self._heap, (at, next(self._order), deadline))

    def look_by(self, deadline: Deadline, at: float) -> None:
        """Look at a deadline at this moment at the latest."""
        if at < deadline.at:
            self.set(deadline, at)

    def cancel(self, deadline: Deadline) -> None:
        """Never look at a deadline; what it would have called is let go at once."""
        deadline.at = math.inf
        deadline.check = _nothing

    def tick(self, now: float) -> None:
        """Call every deadline that had passed at the last tick."""
        for deadline in self._passed():
            deadline.at = math.inf
            again = deadline.check(now)
            if again is not None:
                self.look_by(deadline, again)
        self._last = now

    def _passed(self) -> list[Deadline]:
        heap, passed = self._heap, list[Deadline]()
        while heap and heap[0][0] <= self._last:
            at, _, deadline = heappop(heap)
            if at == deadline.at:
                passed.append(deadline)
        return passed


def _nothing(_now: float) -> None:
    return None
