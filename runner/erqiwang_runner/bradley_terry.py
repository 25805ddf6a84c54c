"""Strengths that explain all results of a pool at once: Bradley-Terry by maximum likelihood.

With p_ij = 1 / (1 + e^-(θ_i - θ_j)), s_ij in {1, ½, 0} for a board that i won, drew or lost against j, its
weight w, and κ virtual draws of every bot against a bot of strength 0 as a weak prior::

    ℓ(θ)   = Σ w [s ln p + (1 - s) ln(1 - p)] + κ Σ_i [½ ln q_i + ½ ln(1 - q_i)],     q_i = 1 / (1 + e^-θ_i)
    grad_i = Σ_j w (s_ij - p_ij) + κ (½ - q_i)
    H      = Σ w p (1 - p) (e_i - e_j)(e_i - e_j)ᵀ + κ diag(q_i (1 - q_i))            minus the Hessian

ℓ is strictly concave for κ > 0: one finite optimum, whatever the order of the data. A draw counts as half a
win, so the scale is that of Elo's expected score, R = C θ with C = 400 / ln 10. For κ = 0 the mean of θ is
held at 0.
"""

from dataclasses import dataclass
from math import log
from typing import Final

import numpy as np

from erqiwang_runner.comparisons import Floats, Totals, sums_by

PRIOR: Final = 0.5
"""κ: virtual drawn boards of each bot."""

ELO_PER_NAT: Final = 400 / log(10)
"""C = 173.7178: Elo points per unit of θ."""

_TOLERANCE: Final = 1e-9
_MAX_STEPS: Final = 500
_SMALLEST_STEP: Final = 1e-14


@dataclass(frozen=True, slots=True)
class Fit:
    """The optimum: `strengths` θ and `bread` = H⁻¹ (for κ = 0 the inverse on contrasts)."""

    strengths: Floats
    bread: Floats


def fit(totals: Totals, size: int, prior: float = PRIOR) -> Fit:
    """Find the optimum by Newton steps: no longer than 1 in any θ, halved as long as ℓ would fall."""
    theta = np.zeros(size)
    for _ in range(_MAX_STEPS):
        gradient = _gradient(totals, theta, prior)
        step = np.linalg.solve(_curvature(totals, theta, prior), gradient).astype(np.float64, copy=False)
        theta = _climb(totals, theta, _clipped(step), prior)
        if _largest(gradient) < _TOLERANCE or _largest(step) < _SMALLEST_STEP * (1 + _largest(theta)):
            return Fit(theta, _inverse(totals, theta, prior))
    raise ArithmeticError(
        f"no optimum within {_MAX_STEPS} steps: without a prior every bot must score somewhere"
    )


def expected(differences: Floats) -> Floats:
    """Give p = 1 / (1 + e^-d) without overflow."""
    small: Floats = np.exp(-np.abs(differences))
    return np.where(differences >= 0, 1.0, small) / (1 + small)


def _unexplained(totals: Totals, theta: Floats) -> Floats:
    """Give Σ w (s - p) of each pair, exact to the last bits even where p is next to 0 or 1."""
    difference = theta[totals.low] - theta[totals.high]
    rest = totals.weight * expected(-np.abs(difference))
    return np.where(difference > 0, totals.won - totals.weight + rest, totals.won - rest)


def _gradient(totals: Totals, theta: Floats, prior: float) -> Floats:
    size = len(theta)
    unexplained = _unexplained(totals, theta)
    gained = sums_by(totals.low, unexplained, size)
    lost = sums_by(totals.high, unexplained, size)
    return gained - lost + prior * (0.5 - expected(theta))


def _curvature(totals: Totals, theta: Floats, prior: float) -> Floats:
    """Give H, made regular along (1, …, 1) where no prior does so."""
    p = expected(theta[totals.low] - theta[totals.high])
    curved = curvature_of(totals, totals.weight * p * (1 - p), len(theta))
    q = expected(theta)
    np.fill_diagonal(curved, np.diagonal(curved) + prior * q * (1 - q))
    return curved if prior > 0 else curved + 1 / len(theta)


def curvature_of(totals: Totals, weights: Floats, size: int) -> Floats:
    """Give Σ weight (e_i - e_j)(e_i - e_j)ᵀ over the pairs."""
    matrix = np.zeros((size, size))
    matrix[totals.low, totals.high] = -weights
    matrix[totals.high, totals.low] = -weights
    np.fill_diagonal(matrix, -matrix.sum(axis=1))
    return matrix


def inverse_of(matrix: Floats) -> Floats:
    """Invert a symmetric positive definite matrix."""
    return np.linalg.inv(matrix).astype(np.float64, copy=False)


def _inverse(totals: Totals, theta: Floats, prior: float) -> Floats:
    inverse = inverse_of(_curvature(totals, theta, prior))
    return inverse if prior > 0 else inverse - 1 / len(theta)


def _log_likelihood(totals: Totals, theta: Floats, prior: float) -> float:
    difference = theta[totals.low] - theta[totals.high]
    data = totals.won * difference - totals.weight * np.logaddexp(0.0, difference)
    virtual = 0.5 * theta - np.logaddexp(0.0, theta)
    return float(data.sum() + prior * virtual.sum())


def _largest(values: Floats) -> float:
    return float(np.abs(values).max())


def _clipped(step: Floats) -> Floats:
    return step / max(1.0, _largest(step))


def _climb(totals: Totals, theta: Floats, step: Floats, prior: float) -> Floats:
    """Go along the step, half as far as long as ℓ falls by more than rounding."""
    start = _log_likelihood(totals, theta, prior)
    slack = 1e-12 * (1 + abs(start))
    while _largest(step) > _SMALLEST_STEP and _log_likelihood(totals, theta + step, prior) < start - slack:
        step = step / 2
    return theta + step
