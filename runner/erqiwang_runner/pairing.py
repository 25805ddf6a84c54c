"""Gauntlet, Swiss and bracket: groups from an order of strength.

All of them are pure: the same order and the same meetings give the same groups, however often they are asked.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, count, islice, pairwise
from typing import TypeAlias

Group: TypeAlias = tuple[int, ...]
Meetings: TypeAlias = Callable[[int, int], int]


def gauntlet(newcomer: int, by_strength: Sequence[int], size: int) -> Iterator[Group]:
    """Let a newcomer meet one entry of each stratum of strength in every group, without end.

    The others are cut into size - 1 strata. Going round them each is met equally often, and with every round
    the company of each changes.
    """
    strata = _strata([entry for entry in by_strength if entry != newcomer], size - 1)
    for number in count():
        chosen = (
            stratum[(number + place * (number // len(stratum))) % len(stratum)]
            for place, stratum in enumerate(strata)
        )
        yield (newcomer, *chosen)


def _strata(entries: Sequence[int], number: int) -> list[Sequence[int]]:
    if len(entries) < number:
        raise ValueError(f"{len(entries)} opponents cannot be cut into {number} strata")
    bounds = [len(entries) * cut // number for cut in range(number + 1)]
    return [entries[start:end] for start, end in pairwise(bounds)]


def swiss_round(
    by_score: Sequence[int], size: int, meetings: Meetings, fillers: Iterable[int] = ()
) -> list[Group]:
    """Cut the entries, best first, into groups of `size`; the last group is filled up with fillers.

    Entries are exchanged with those of the next group as long as that makes fewer pairs meet more often than
    the rarest meeting allows, that is more than once beyond the fewest meetings of any pair.
    """
    if len(by_score) < 2:
        raise ValueError("a round needs two entries at least")
    groups = [list(by_score[start : start + size]) for start in range(0, len(by_score), size)]
    allowed = 1 + min(meetings(a, b) for a, b in combinations(by_score, 2))
    for upper, lower in pairwise(groups):
        _exchange(upper, lower, meetings, allowed)
    lacking = size - len(groups[-1])
    filled = list(islice(fillers, lacking))
    if len(filled) < lacking:
        raise ValueError(f"the last group lacks {lacking} entries, and there are {len(filled)} fillers")
    return [*(tuple(group) for group in groups[:-1]), (*groups[-1], *filled)]


def _exchange(upper: list[int], lower: list[int], meetings: Meetings, allowed: int) -> None:
    """Make the exchange between two groups that helps most, the smallest of equal ones, until none helps."""
    while True:
        before = _excess(upper, meetings, allowed) + _excess(lower, meetings, allowed)
        best: tuple[int, int, int, int] | None = None
        for i, j in ((i, j) for i in reversed(range(len(upper))) for j in range(len(lower))):
            one = [*upper[:i], lower[j], *upper[i + 1 :]]
            two = [*lower[:j], upper[i], *lower[j + 1 :]]
            after = _excess(one, meetings, allowed) + _excess(two, meetings, allowed)
            move = (after, len(upper) - i + j, i, j)
            if after < before and (best is None or move < best):
                best = move
        if best is None:
            return
        _, _, i, j = best
        upper[i], lower[j] = lower[j], upper[i]


def _excess(group: Sequence[int], meetings: Meetings, allowed: int) -> int:
    """Count by how much the pairs of a group would meet more often than allowed, if it played now."""
    return sum(max(0, meetings(a, b) + 1 - allowed) for a, b in combinations(group, 2))


def bracket_round(by_seed: Sequence[int], size: int = 4) -> list[Group]:
    """Seat the seeds so that every group is about equally strong: forwards and backwards in turn.

    The best seeds are in different groups; the number of entries must be a multiple of `size`.
    """
    number, rest = divmod(len(by_seed), size)
    if rest or not number:
        raise ValueError(f"{len(by_seed)} entries do not fill groups of {size}")
    rows = [by_seed[start : start + number] for start in range(0, len(by_seed), number)]
    snake = [row if place % 2 == 0 else list(reversed(row)) for place, row in enumerate(rows)]
    return [tuple(row[column] for row in snake) for column in range(number)]


@dataclass(frozen=True, slots=True)
class BracketResult:
    """What an entry made of its group: points per play, its superiority over the next, and its boards."""

    entry: int
    points: float
    superiority: float
    boards: int


def advancing(group: Iterable[BracketResult], number: int = 2) -> tuple[int, ...]:
    """Name the entries that go on: by points, ties by superiority, then by more boards, then by entry."""
    ranked = sorted(group, key=lambda each: (-each.points, -each.superiority, -each.boards, each.entry))
    return tuple(each.entry for each in ranked[:number])
