"""Pairwise outcomes as columns of numbers: what every rating is computed from."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from erqiwang_runner.scoring import Comparison, ScoredSet

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Comparisons:
    """One row per pair of bots on one board; `first` and `second` are positions in `bots`.

    `score` is 1, ½ or 0 for the first bot, `margin` its lead in points per play, `weight` the 2/m of the
    board and `cluster` the number of the deal: rows of one deal are not independent.
    """

    bots: tuple[int, ...]
    first: Ints
    second: Ints
    score: Floats
    margin: Floats
    weight: Floats
    cluster: Ints

    def __len__(self) -> int:
        return len(self.first)

    def among(self, positions: Sequence[int]) -> "Comparisons":
        """Keep the rows whose two bots are both at one of the (ascending) positions."""
        place = np.full(len(self.bots), -1, dtype=np.int64)
        place[list(positions)] = np.arange(len(positions))
        first, second = place[self.first], place[self.second]
        kept = (first >= 0) & (second >= 0)
        return Comparisons(
            tuple(self.bots[position] for position in positions),
            first[kept],
            second[kept],
            self.score[kept],
            self.margin[kept],
            self.weight[kept],
            self.cluster[kept],
        )


def comparisons_of(sets: Iterable[ScoredSet], bot_of_entry: Mapping[int, int] | None = None) -> Comparisons:
    """Lay the comparisons of scored board sets out in columns, one cluster per board set.

    `bot_of_entry` joins entries that are the same bot; a pair of one bot with itself says nothing and is
    dropped.
    """
    names = bot_of_entry or {}
    rows: list[tuple[int, int, Comparison, float, int]] = []
    for cluster, scored in enumerate(sets):
        for each in scored.comparisons:
            first, second = names.get(each.first, each.first), names.get(each.second, each.second)
            if first != second:
                rows.append((first, second, each, scored.weight, cluster))
    bots = tuple(sorted({bot for first, second, *_ in rows for bot in (first, second)}))
    place = {bot: position for position, bot in enumerate(bots)}
    return Comparisons(
        bots,
        np.array([place[row[0]] for row in rows], dtype=np.int64),
        np.array([place[row[1]] for row in rows], dtype=np.int64),
        np.array([row[2].score for row in rows], dtype=np.float64),
        np.array([row[2].margin for row in rows], dtype=np.float64),
        np.array([row[3] for row in rows], dtype=np.float64),
        np.array([row[4] for row in rows], dtype=np.int64),
    )


@dataclass(frozen=True, slots=True)
class Totals:
    """Rows added up by pair, low < high: sufficient for every strength, whatever the order of the rows."""

    low: Ints
    high: Ints
    weight: Floats
    won: Floats
    lead: Floats


def totals_of(rows: Comparisons) -> Totals:
    """Add up Σ w, Σ w s and Σ w D of every pair that met, seen from the bot with the lower position."""
    size = len(rows.bots)
    swap = rows.first > rows.second
    low, high = np.where(swap, rows.second, rows.first), np.where(swap, rows.first, rows.second)
    score = np.where(swap, 1 - rows.score, rows.score)
    lead = np.where(swap, -rows.margin, rows.margin)
    place = low * size + high
    pair = np.flatnonzero(np.bincount(place, minlength=size * size))
    weight, won, lead = (
        sums_by(place, rows.weight * values, size * size)[pair]
        for values in (np.ones(len(rows)), score, lead)
    )
    return Totals(pair // max(size, 1), pair % max(size, 1), weight, won, lead)


def sums_by(place: NDArray[np.intp] | Ints, values: Floats, size: int) -> Floats:
    """Add up the values that have the same place, for each place 0..size-1."""
    return np.bincount(place, weights=values, minlength=size).astype(np.float64, copy=False)
