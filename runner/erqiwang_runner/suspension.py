"""When a bot plays no more: the rule that suspends it for its own faults.

Counted are the bot's boards in the order of their slots, never by time, so that the moment does not depend on
the workers. A fault event touches the boards that were lost by it: one crash is one event, however many
tables were open. Faults of the platform are not given here.
"""

from collections.abc import Collection, Iterable
from typing import Final

STREAK: Final = 3
"""Fault events without an untouched board between them that suspend."""

SHARE: Final = 0.02
SHARE_COUNTS_FROM: Final = 100
"""Boards from which on a share of touched boards above `SHARE` suspends."""


def suspended_after(boards: Iterable[Collection[int]]) -> int | None:
    """Give the number of boards after which a bot is suspended, or None.

    `boards` holds for each board, in slot order, the numbers of the fault events that touched it.

    >>> suspended_after([[], [1], [2], [3], []])
    4
    """
    seen: set[int] = set()
    streak = touched = 0
    for count, events in enumerate(boards, 1):
        fresh = set(events) - seen
        seen |= fresh
        streak = streak + len(fresh) if events else 0
        touched += bool(events)
        if streak >= STREAK or (count >= SHARE_COUNTS_FROM and touched > SHARE * count):
            return count
    return None
