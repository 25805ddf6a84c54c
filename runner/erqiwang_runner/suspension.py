"""When a bot plays no more: the rule that suspends it for its own faults.

Counted are the bot's boards in the order of their slots, never by time, so that the moment does not depend on
the workers. A fault event touches the boards that were lost by it: one crash is one event, however many
tables were open. Faults of the platform are not given here.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final

STREAK: Final = 3
"""Fault events without an untouched board between them that suspend."""

SHARE: Final = 0.02
SHARE_COUNTS_FROM: Final = 100
"""Boards from which on a share of touched boards above `SHARE` suspends."""

_REMEMBERED: Final = 256
"""Latest events that are known again: an event touches the boards of one match, which lie close together."""


@dataclass(frozen=True, slots=True)
class FaultCount:
    """The boards of a bot so far: how many, how many of them touched, and the events in a row."""

    boards: int = 0
    touched: int = 0
    streak: int = 0
    events: tuple[str, ...] = ()

    def after(self, events: Collection[str]) -> "FaultCount":
        """Count one more board, lost by these events."""
        fresh = sorted(set(events) - set(self.events))
        return FaultCount(
            boards=self.boards + 1,
            touched=self.touched + bool(events),
            streak=self.streak + len(fresh) if events else 0,
            events=(*self.events, *fresh)[-_REMEMBERED:],
        )

    @property
    def suspends(self) -> bool:
        """Whether the bot plays no more."""
        is_share = self.boards >= SHARE_COUNTS_FROM and self.touched > SHARE * self.boards
        return self.streak >= STREAK or is_share


def suspended_after(boards: Iterable[Collection[str]]) -> int | None:
    """Give the number of boards after which a bot is suspended, or None.

    `boards` holds for each board, in slot order, the names of the fault events that touched it.

    >>> suspended_after([[], ["a"], ["b"], ["c"], []])
    4
    """
    count = FaultCount()
    for events in boards:
        count = count.after(events)
        if count.suspends:
            return count.boards
    return None
