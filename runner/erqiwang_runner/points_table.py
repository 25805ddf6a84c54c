"""Mean points of every entry with their errors, and where they come from: role and seat.

The mean is over boards, X̄ = (1/B) Σ_b X_b with X_b = points per play on board b, its standard error s/√B
with s² = Σ (X_b - X̄)² / (B - 1): boards are independent, the plays of one board are not. In a role an entry
plays a board as often as it happens: with p_b points in k_b plays of board b the mean is r = Σ p_b / Σ k_b
and its error √(B/(B-1) Σ (p_b - r k_b)²) / Σ k_b.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import fsum, nan, sqrt
from typing import TypeAlias

from erqiwang_runner.results import BoardSet
from erqiwang_runner.scoring import ScoredSet


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean over `count` independent values; the error is NaN for fewer than two."""

    value: float
    error: float
    count: int


@dataclass(frozen=True, slots=True)
class Share:
    """Integer points over plays in one role or on one seat; below two boards the error is NaN."""

    points: int = 0
    plays: int = 0
    error: float = nan

    @classmethod
    def of(cls, boards: Iterable[tuple[int, int]]) -> "Share":
        """Add up the (points, plays) of boards.

        >>> Share.of([(3, 1), (1, 1)])
        Share(points=4, plays=2, error=1.0)
        """
        played = [(points, plays) for points, plays in boards if plays]
        points, plays = sum(each for each, _ in played), sum(each for _, each in played)
        if len(played) < 2:
            return cls(points, plays)
        rest = fsum((each - points / plays * often) ** 2 for each, often in played)
        return cls(points, plays, sqrt(rest * len(played) / (len(played) - 1)) / plays)

    @property
    def mean(self) -> float:
        """Points per play, NaN without a play."""
        return self.points / self.plays if self.plays else nan


@dataclass(frozen=True, slots=True)
class PointsRow:
    """The points of one entry; `forfeits` counts the boards it spoiled; a passed-out table is in no role."""

    entry: int
    points: Mean
    forfeits: int
    declarer: Share
    defender: Share
    seats: tuple[Share, ...]


def mean_of(values: Iterable[float]) -> Mean:
    """Average values with the standard error of the mean; the order of the values does not matter.

    >>> mean_of([1.0, 2.0, 3.0])
    Mean(value=2.0, error=0.5773502691896257, count=3)
    """
    numbers = list(values)
    count = len(numbers)
    if count == 0:
        return Mean(nan, nan, 0)
    value = fsum(numbers) / count
    if count == 1:
        return Mean(value, nan, 1)
    return Mean(value, sqrt(fsum((each - value) ** 2 for each in numbers) / (count - 1) / count), count)


def points_table(boards: Iterable[tuple[BoardSet, ScoredSet]]) -> dict[int, PointsRow]:
    """Build the points row of every entry that played, from board sets and their scores.

    A board that an innocent entry shares with an offender is not in its row at all; neither are fillers.
    """
    means: defaultdict[int, list[float]] = defaultdict(list)
    forfeits: defaultdict[int, int] = defaultdict(int)
    splits: defaultdict[int, _Split] = defaultdict(_Split)
    for board, scored in boards:
        for tally in scored.tallies:
            means[tally.entry].append(tally.mean)
            forfeits[tally.entry] += tally.forfeit
        if not scored.is_disturbed:
            _split(board, {tally.entry for tally in scored.tallies}, splits)
    return {
        entry: splits[entry].row(entry, mean_of(means[entry]), forfeits[entry]) for entry in sorted(means)
    }


_Role: TypeAlias = str | int
"""A role by its name, or a seat by its number."""


class _Split:
    """The plays of one entry by role and seat, board by board."""

    def __init__(self) -> None:
        self._boards: defaultdict[_Role, list[tuple[int, int]]] = defaultdict(list)

    def add(self, plays: Mapping[_Role, list[int]]) -> None:
        """Take the points of the plays of one board."""
        for role, points in plays.items():
            self._boards[role].append((sum(points), len(points)))

    def row(self, entry: int, points: Mean, forfeits: int) -> PointsRow:
        seats = sorted(role for role in self._boards if isinstance(role, int))
        return PointsRow(
            entry,
            points,
            forfeits,
            Share.of(self._boards["declarer"]),
            Share.of(self._boards["defender"]),
            tuple(Share.of(self._boards[seat]) for seat in seats),
        )


def _split(board: BoardSet, counted: set[int], splits: defaultdict[int, _Split]) -> None:
    plays: defaultdict[int, defaultdict[_Role, list[int]]] = defaultdict(lambda: defaultdict(list))
    for table in board.tables:
        for seat, entry in enumerate(table.entries):
            if entry in counted:
                plays[entry][seat].append(table.scores[seat])
                if table.declarer is not None:
                    role = "declarer" if table.declarer == seat else "defender"
                    plays[entry][role].append(table.scores[seat])
    for entry, roles in plays.items():
        splits[entry].add(roles)
