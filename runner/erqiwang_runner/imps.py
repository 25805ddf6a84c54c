"""Scores that weigh a large difference less than its size: IMPs, as bridge has them.

y_(r,s) are the points at table r on seat s of a board. With the odd and concave f(d) = ±√|d| every play is
compared with the same hand at the other tables, and the mean over an entry's plays is its score::

    Butler:  f(y_(r,s) - datum_s),  datum_s the mean of y_(.,s) over the tables
    cross:   mean over the other tables q of f(y_(r,s) - y_(q,s))

Without f the first is the points of the entry: on a board where everybody has every seat equally often the
datums of the seats add up to nothing.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from math import copysign, fsum, sqrt
from typing import TypeAlias

from erqiwang_runner.points_table import Mean, mean_of
from erqiwang_runner.results import BoardSet
from erqiwang_runner.scoring import ScoredSet

Weigh: TypeAlias = Callable[[float], float]


@dataclass(frozen=True, slots=True)
class Imps:
    """The two scores of an entry, means per play over undisturbed boards."""

    butler: Mean
    cross: Mean


NONE = Imps(mean_of(()), mean_of(()))
"""What an entry without a board has."""


def imps(points: float) -> float:
    """Weigh a difference in points.

    >>> imps(-9)
    -3.0
    """
    return copysign(sqrt(abs(points)), points)


def butler(board: BoardSet, weigh: Weigh = imps) -> Mapping[int, float]:
    """Give the Butler score of every entry of a board."""
    tables = len(board.tables)
    datum = [fsum(table.scores[seat] for table in board.tables) / tables for seat in range(board.seats)]
    return _means(board, lambda _, seat, points: weigh(points - datum[seat]))


def cross(board: BoardSet, weigh: Weigh = imps) -> Mapping[int, float]:
    """Give the cross score of every entry of a board; 0 where a table has no other."""
    others = max(1, len(board.tables) - 1)

    def score(table: int, seat: int, points: int) -> float:
        rest = (each.scores[seat] for each in board.tables if each.table != table)
        return fsum(weigh(points - other) for other in rest) / others

    return _means(board, score)


def imps_table(boards: Iterable[tuple[BoardSet, ScoredSet]]) -> Mapping[int, Imps]:
    """Give the scores of every rated entry, from board sets and their scores."""
    found: defaultdict[int, tuple[list[float], list[float]]] = defaultdict(lambda: ([], []))
    for board, scored in boards:
        if not scored.is_disturbed:
            one, other = butler(board), cross(board)
            for tally in scored.tallies:
                found[tally.entry][0].append(one[tally.entry])
                found[tally.entry][1].append(other[tally.entry])
    return {entry: Imps(mean_of(one), mean_of(other)) for entry, (one, other) in found.items()}


def _means(board: BoardSet, score: Callable[[int, int, int], float]) -> Mapping[int, float]:
    plays: defaultdict[int, list[float]] = defaultdict(list)
    for table in board.tables:
        for seat, entry in enumerate(table.entries):
            plays[entry].append(score(table.table, seat, table.scores[seat]))
    return {entry: fsum(scores) / len(scores) for entry, scores in plays.items()}
