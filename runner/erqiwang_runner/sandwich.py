"""Covariance of an estimate from dependent comparisons.

The comparisons of one deal are correlated, so the curvature alone gives intervals that are too narrow. With
g_b the gradient of deal b at the optimum and H the curvature::

    g_b = Σ_{i<j in b} r_ij (e_i - e_j)          V = H⁻¹ [ B/(B-1) Σ_b g_b g_bᵀ ] H⁻¹

g_b has as many non-zero entries as bots met on the deal, so Σ_b g_b g_bᵀ is added up from small blocks.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from erqiwang_runner.comparisons import Comparisons, Floats, Ints, sums_by

_CHUNK: Final = 2_000_000
"""Products that are formed at a time: bounds the memory."""


@dataclass(frozen=True, slots=True)
class DealIndex:
    """Where the gradient of each deal has entries: a cell is a deal and a bot that was compared on it.

    `bots` holds the bot of each cell, ordered by deal; the cells of a deal begin at `starts` and are
    `lengths` many. `first` and `second` are the cells of the two bots of each row.
    """

    size: int
    bots: Ints
    starts: Ints
    lengths: Ints
    first: Ints
    second: Ints

    @classmethod
    def of(cls, rows: Comparisons) -> "DealIndex":
        """Sort the rows by deal and bot."""
        size = len(rows.bots)
        keys = np.concatenate((rows.cluster * size + rows.first, rows.cluster * size + rows.second))
        cells, place = np.unique(keys, return_inverse=True)
        deals: Ints = cells // size
        starts: Ints = np.flatnonzero(np.diff(deals, prepend=-1)).astype(np.int64)
        lengths: Ints = np.diff(starts, append=len(deals)).astype(np.int64)
        first, second = np.split(place.astype(np.int64, copy=False), 2)
        return cls(size, cells % size, starts, lengths, first, second)

    @property
    def deals(self) -> int:
        """How many deals there are: B."""
        return len(self.starts)

    @property
    def boards(self) -> Ints:
        """Deals of each bot."""
        return np.bincount(self.bots, minlength=self.size)

    def sandwich(self, bread: Floats, residuals: Floats) -> Floats:
        """Give V from `bread` = H⁻¹ and the residual r of each row; infinite for fewer than two deals."""
        if self.deals < 2:
            return np.where(np.eye(self.size, dtype=np.bool_), np.inf, 0.0)
        meat = self.outer_products(residuals) * (self.deals / (self.deals - 1))
        return bread @ meat @ bread

    def outer_products(self, residuals: Floats) -> Floats:
        """Give Σ_b g_b g_bᵀ."""
        total = np.zeros(self.size**2)
        for bots, gradients in self._blocks(residuals):
            cells = bots[:, :, None] * self.size + bots[:, None, :]
            products = gradients[:, :, None] * gradients[:, None, :]
            total += sums_by(cells.ravel(), products.ravel(), self.size**2)
        return total.reshape(self.size, self.size)

    def _blocks(self, residuals: Floats) -> Iterator[tuple[Ints, Floats]]:
        """Yield (bots, gradients) of many deals at a time, one row a deal, deals of equal size together."""
        count = len(self.bots)
        gradients = sums_by(self.first, residuals, count) - sums_by(self.second, residuals, count)
        for length in np.flatnonzero(np.bincount(self.lengths)).tolist():
            chosen = self.starts[self.lengths == length]
            step = max(1, _CHUNK // length**2)
            for begin in range(0, len(chosen), step):
                cells: Ints = chosen[begin : begin + step, None] + np.arange(length)
                yield self.bots[cells], gradients[cells]
