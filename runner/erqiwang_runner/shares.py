"""Who may have how many matches under way: the window of the coordinator, shared among its tournaments.

A quarter of it goes in equal parts to all tournaments that can use it, whatever their priority, and at least
one place to each, so that nothing starves. The rest goes to the highest priority, in equal parts among those
who share it; what they cannot use goes to the next lower one. Workers take matches in the order in which they
came into the queue, so a part of the window is the same part of the work.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby, zip_longest
from typing import Final, TypeVar

EQUAL_PART: Final = 4
"""One place in so many is shared by all alike."""

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Claimant:
    """A tournament that could have `wants` matches under way; the higher `priority` comes first."""

    id: int
    priority: int
    wants: int


def shares(window: int, claimants: Sequence[Claimant]) -> dict[int, int]:
    """Give for each claimant how many matches it may have under way, none more than it wants.

    All together are at most `window`, or one for each.

    >>> shares(32, [Claimant(1, 0, 99), Claimant(2, 0, 99), Claimant(3, 5, 99)])
    {1: 3, 2: 3, 3: 26}
    """
    given = {each.id: 0 for each in claimants}
    wanting = [each for each in claimants if each.wants > 0]
    equal = max(window // EQUAL_PART, len(wanting))
    _deal_out(equal, sorted(wanting, key=lambda each: each.id), given)
    ordered = sorted(claimants, key=lambda each: (-each.priority, each.id))
    for _, alike in groupby(ordered, key=lambda each: each.priority):
        _deal_out(window - sum(given.values()), list(alike), given)
    return given


def alternating(queues: Iterable[Sequence[_T]]) -> list[_T]:
    """Give the first of each, then the second of each, and so on.

    >>> alternating([[1, 2, 3], [7], [8, 9]])
    [1, 7, 8, 2, 9, 3]
    """
    rows = zip_longest(*([(each,) for each in queue] for queue in queues), fillvalue=())
    return [each for row in rows for place in row for each in place]


def _deal_out(places: int, claimants: Sequence[Claimant], given: dict[int, int]) -> None:
    """Give places one by one to whoever has the fewest of those who want more."""
    for _ in range(places):
        open_ = [each for each in claimants if given[each.id] < each.wants]
        if not open_:
            return
        given[min(open_, key=lambda each: (given[each.id], each.id)).id] += 1
