"""Strengths on one scale with their covariance, and what may be said when two of them are compared.

Differences are the only thing that results determine. A value is printed relative to the mean of a *basis*
(the anchors), so its own error is that of the difference to the basis; two bots are compared by the error of
*their* difference, SE_ij = √(V_ii + V_jj - 2 V_ij), never by adding or subtracting the printed errors.
"""

from dataclasses import dataclass
from math import erfc, inf, sqrt
from statistics import NormalDist
from typing import Final

import numpy as np

from erqiwang_runner.comparisons import Floats

CONFIDENCE: Final = 0.95
"""Confidence of the intervals that are printed."""


@dataclass(frozen=True, slots=True)
class RankInterval:
    """The ranks that a bot may truly have: `best` ≤ rank ≤ `worst`, 1 being the strongest."""

    best: int
    worst: int


@dataclass(frozen=True, slots=True)
class Estimates:
    """Values of `bots` by position; `covariance` is V, `basis` the positions whose mean is the origin.

    V is infinite as long as one deal alone was played: then so is every error.
    """

    bots: tuple[int, ...]
    values: Floats
    covariance: Floats
    basis: tuple[int, ...]

    @property
    def _is_known(self) -> bool:
        return bool(np.isfinite(self.covariance).all())

    @property
    def errors(self) -> Floats:
        """Standard errors against the basis: √(cᵀVc) with c = e_i - mean of e_a over the basis."""
        if not self._is_known:
            return np.full(len(self.bots), np.inf)
        basis = list(self.basis)
        to_basis = self.covariance[:, basis].mean(axis=1)
        within = self.covariance[np.ix_(basis, basis)].mean()
        return _root(np.diagonal(self.covariance) - 2 * to_basis + within)

    def half_widths(self, confidence: float = CONFIDENCE) -> Floats:
        """Give the half widths of the two-sided intervals against the basis."""
        return self.errors * NormalDist().inv_cdf((1 + confidence) / 2)

    def pair_errors(self) -> Floats:
        """Give the matrix of SE_ij = √(V_ii + V_jj - 2 V_ij)."""
        if not self._is_known:
            return np.where(np.eye(len(self.bots), dtype=np.bool_), 0.0, np.inf)
        diagonal = np.diagonal(self.covariance)
        return _root(diagonal[:, None] + diagonal[None, :] - 2 * self.covariance)

    def pair_error(self, first: int, second: int) -> float:
        """Give SE_ij of two positions."""
        v = self.covariance
        if not self._is_known:
            return inf if first != second else 0.0
        return sqrt(max(float(v[first, first] + v[second, second] - 2 * v[first, second]), 0.0))

    def superiority(self, first: int, second: int) -> float:
        """Give the likelihood that the first is the stronger one: LOS = Φ((R_i - R_j) / SE_ij)."""
        difference = float(self.values[first] - self.values[second])
        error = self.pair_error(first, second)
        if error == 0:
            return 0.5 if difference == 0 else float(difference > 0)
        return normal_cdf(difference / error)

    def rank_intervals(self, confidence: float = CONFIDENCE) -> tuple[RankInterval, ...]:
        """Give 1 + #certainly above … N - #certainly below, simultaneously over the N - 1 others of a bot.

        Bonferroni: each of the N - 1 two-sided comparisons of a bot is made at level (1 - confidence) / (N -
        1).
        """
        size = len(self.bots)
        if size < 2:
            return (RankInterval(1, 1),) * size
        limit = NormalDist().inv_cdf(1 - (1 - confidence) / (2 * (size - 1)))
        return self.ranks_beyond(limit)

    def ranks_beyond(self, limit: float) -> tuple[RankInterval, ...]:
        """Give the rank intervals when a difference counts beyond `limit` standard errors."""
        lead = self.values[:, None] - self.values[None, :]
        certain = lead > limit * self.pair_errors()
        above, below = certain.sum(axis=0), certain.sum(axis=1)
        return tuple(
            RankInterval(1 + int(a), len(self.bots) - int(b)) for a, b in zip(above, below, strict=True)
        )


def normal_cdf(x: float) -> float:
    """Give Φ(x), accurate in both tails.

    >>> normal_cdf(0.0)
    0.5
    """
    return erfc(-x / sqrt(2)) / 2


def _root(variance: Floats) -> Floats:
    """Take the root; what rounding left below zero is zero."""
    return np.sqrt(np.maximum(variance, 0.0))
