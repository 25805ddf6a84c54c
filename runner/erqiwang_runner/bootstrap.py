"""Errors of strengths from few boards: whole deals drawn again, and the strengths fitted to each draw.

The sandwich (`sandwich`) is right for many deals and too narrow for few. So the deals on which a bot with
fewer than 30 boards was compared are drawn again, n - 1 out of n with replacement and the weight n / (n - 1):
that makes the variance of a mean unbiased, which n out of n does not. They are drawn within groups of bots
where every group has some boards, else all together. The variance over the draws stands beside the sandwich
of the other deals; and as the draws know nothing of what never happened, a bot's own boards are joined by two
on which the error is that of the model, H⁻¹.

The draws depend on nothing but the results: deals are ordered by what happened on them and bots by their
strength, so neither the order of bots, boards and workers nor their names change an error. They come from
SHAKE-256 and are the same on every machine.
"""

from dataclasses import dataclass
from hashlib import shake_256
from typing import Final

import numpy as np

from erqiwang_runner.bradley_terry import Fit, expected
from erqiwang_runner.comparisons import Comparisons, Floats, Ints
from erqiwang_runner.sandwich import DealIndex

FEW_BOARDS: Final = 30
"""A bot with fewer boards makes its deals be drawn again."""

DRAWS: Final = 1000
_LABEL: Final = b"e27w/bootstrap/1"
_SMALLEST_GROUP: Final = 4
_MODEL_BOARDS: Final = 2
_MOST_BOTS: Final = 48
_MOST_CELLS: Final = 4_000_000
"""Deals times pairs that are drawn again at most; beyond, and for more bots, the sandwich stands alone."""

_DRAWS_AT_ONCE: Final = 250
_STEPS: Final = 100
_TOLERANCE: Final = 1e-7


def covariance_of(rows: Comparisons, deals: DealIndex, found: Fit, residuals: Floats, prior: float) -> Floats:
    """Give the covariance of the strengths `found`, whose `residuals` are w (s - p), row by row."""
    few = deals.boards < FEW_BOARDS
    young = few[rows.first] | few[rows.second]
    young = np.isin(rows.cluster, rows.cluster[young])
    sandwich = deals.sandwich(found.bread, residuals)
    if deals.deals < 2 or not young.any() or len(rows.bots) > _MOST_BOTS:
        return sandwich
    table = _Table.of(rows, young, _ranks(found.strengths))
    if table.won.size > _MOST_CELLS:
        return sandwich
    settled = deals.sandwich(found.bread, np.where(young, 0.0, residuals))
    drawn = np.concatenate([_refit(table, found.strengths, prior, draws) for draws in table.draws()])
    share = np.where(few, _MODEL_BOARDS / (deals.boards + _MODEL_BOARDS), 0.0)
    model, data = np.sqrt(share), np.sqrt(1 - share)
    found_again = settled + np.cov(drawn, rowvar=False, ddof=0)
    mixed: Floats = model[:, None] * found.bread * model + data[:, None] * found_again * data
    return mixed


def _ranks(strengths: Floats) -> Ints:
    """Order the bots by strength: rounding is no reason to draw something else."""
    order = np.lexsort((np.arange(len(strengths)), np.round(strengths, 6)))
    return np.argsort(order).astype(np.int64)


@dataclass(frozen=True, slots=True)
class _Table:
    """Deals that are drawn again: `won` and `weight` by deal and pair, `strata` of deals drawn together.

    `first` and `second` are the bots of the pairs, `rest_won` and `rest_weight` what the other deals say.
    """

    first: Ints
    second: Ints
    won: Floats
    weight: Floats
    rest_won: Floats
    rest_weight: Floats
    strata: tuple[Ints, ...]

    @classmethod
    def of(cls, rows: Comparisons, young: np.ndarray[tuple[int], np.dtype[np.bool_]], rank: Ints) -> "_Table":
        swap = rank[rows.first] > rank[rows.second]
        low, high = np.where(swap, rows.second, rows.first), np.where(swap, rows.first, rows.second)
        won = rows.weight * np.where(swap, 1 - rows.score, rows.score)
        size = len(rows.bots)
        pairs, pair = np.unique(rank[low] * size + rank[high], return_inverse=True)
        deals, deal = np.unique(rows.cluster[young], return_inverse=True)
        by_rank = np.argsort(rank)
        tables = np.zeros((2, len(deals), len(pairs)))
        rest = np.zeros((2, len(pairs)))
        for place, values in enumerate((rows.weight, won)):
            np.add.at(tables[place], (deal, pair[young]), values[young])
            np.add.at(rest[place], pair[~young], values[~young])
        order = np.lexsort(np.concatenate(tables, axis=1).T[::-1])
        weight, won = tables[:, order]
        return cls(
            by_rank[pairs // size], by_rank[pairs % size], won, weight, rest[1], rest[0], _strata(weight > 0)
        )

    def draws(self) -> tuple[Floats, ...]:
        """Give how often each deal counts, a row a draw, some draws at a time."""
        bits = shake_256(_LABEL).digest(4 * DRAWS * sum(len(each) - 1 for each in self.strata))
        words = np.frombuffer(bits, dtype=">u4").astype(np.uint64).reshape(DRAWS, -1)
        counts = np.zeros((DRAWS, len(self.won)))
        begin = 0
        for stratum in self.strata:
            number = len(stratum)
            drawn = words[:, begin : begin + number - 1] * number >> 32
            begin += number - 1
            rows = np.repeat(np.arange(DRAWS), number - 1)
            np.add.at(counts, (rows, stratum[drawn.ravel().astype(np.int64)]), number / max(1, number - 1))
        return tuple(np.split(counts, range(_DRAWS_AT_ONCE, DRAWS, _DRAWS_AT_ONCE)))


def _strata(met: np.ndarray[tuple[int, int], np.dtype[np.bool_]]) -> tuple[Ints, ...]:
    """Put the deals of the same bots together, or all deals where some have too little company."""
    _, group = np.unique(met, axis=0, return_inverse=True)
    group = group.reshape(-1)
    if np.bincount(group).min() < _SMALLEST_GROUP:
        return (np.arange(len(met)),)
    return tuple(np.flatnonzero(group == each) for each in range(group.max() + 1))


def _refit(table: _Table, start: Floats, prior: float, counts: Floats) -> Floats:
    """Fit the strengths to each draw by Newton steps from a warm start, as `bradley_terry.fit` does."""
    weight, won = counts @ table.weight + table.rest_weight, counts @ table.won + table.rest_won
    strengths: Floats = np.tile(start, (len(counts), 1))
    for _ in range(_STEPS):
        p = expected(strengths[:, table.first] - strengths[:, table.second])
        step = np.linalg.solve(
            _curvatures(table, weight * p * (1 - p), strengths, prior),
            _gradients(table, won - weight * p, strengths, prior)[:, :, None],
        )[:, :, 0]
        longest = np.abs(step).max(axis=1, keepdims=True)
        strengths = strengths + step / np.maximum(1.0, longest)
        if longest.max() < _TOLERANCE:
            return strengths
    raise ArithmeticError(f"no optimum of a draw within {_STEPS} steps")


def _gradients(table: _Table, unexplained: Floats, strengths: Floats, prior: float) -> Floats:
    sides = np.zeros((len(table.first), strengths.shape[1]))
    pairs = np.arange(len(table.first))
    sides[pairs, table.first], sides[pairs, table.second] = 1.0, -1.0
    return unexplained @ sides + prior * (0.5 - expected(strengths))


def _curvatures(table: _Table, weights: Floats, strengths: Floats, prior: float) -> Floats:
    size = strengths.shape[1]
    curved = np.zeros((len(weights), size, size))
    curved[:, table.first, table.second] = -weights
    curved[:, table.second, table.first] = -weights
    q = expected(strengths)
    own = prior * q * (1 - q) - curved.sum(axis=2)
    places: Ints = np.arange(size, dtype=np.int64)
    curved[:, places, places] = own
    return curved
