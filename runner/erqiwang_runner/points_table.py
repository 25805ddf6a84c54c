"""Mean points of every entry with their errors, and where they come from: role and seat.

The mean is over boards, X̄ = (1/B) Σ_b X_b with X_b = points per play on board b, its standard error s/√B
with s² = Σ (X_b - X̄)² / (B - 1): boards are independent, the plays of one board are not.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from math import fsum, nan, sqrt

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
    """Integer points over a number of plays, in one role or on one seat."""

    points: int = 0
    plays: int = 0

    @property
    def mean(self) -> float:
        """Points per play, NaN without a play."""
        return self.points / self.plays if self.plays else nan

    def add(self, points: int) -> "Share":
        """Count one more play."""
        return Share(self.points + points, self.plays + 1)


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


class _Split:
    """Running shares of one entry."""

    def __init__(self) -> None:
        self.declarer = Share()
        self.defender = Share()
        self.seats: dict[int, Share] = {}

    def add(self, seat: int, points: int, declarer: int | None) -> None:
        self.seats[seat] = self.seats.get(seat, Share()).add(points)
        if declarer == seat:
            self.declarer = self.declarer.add(points)
        elif declarer is not None:
            self.defender = self.defender.add(points)

    def row(self, entry: int, points: Mean, forfeits: int) -> PointsRow:
        seats = tuple(self.seats[seat] for seat in sorted(self.seats))
        return PointsRow(entry, points, forfeits, self.declarer, self.defender, seats)


def _split(board: BoardSet, counted: set[int], splits: defaultdict[int, _Split]) -> None:
    for table in board.tables:
        for seat, entry in enumerate(table.entries):
            if entry in counted:
                splits[entry].add(seat, table.scores[seat], table.declarer)
