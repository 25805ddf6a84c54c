"""Exact generalised likelihood ratios for histograms: a check of the sequential test by another road.

For values a_i with relative frequencies p̂_i and N observations, a hypothesis is a law on the same values;
the best law that fits a hypothesis is compared with the best that fits the other, LLR = N Σ p̂_i ln(p¹_i /
p⁰_i).

A law with mean s:  p_i = p̂_i / (1 + x (a_i - s)) with x the root of Σ p̂_i (a_i - s) / (1 + x (a_i - s)) =
0. A law with (mean - r) / σ = t:  the same with a_i - s replaced by φ_i = a_i - r - ½ t σ (1 + ((a_i -
μ)/σ)²), where μ and σ are those of the law itself; repeated from the uniform law on.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import sqrt
from typing import Final

import numpy as np

from erqiwang_runner.comparisons import Floats

_EMPTY: Final = 1e-3
"""What stands for a count of 0: a value that did not occur may still occur."""

_ROUNDS: Final = 10
_HALVINGS: Final = 200


@dataclass(frozen=True, slots=True)
class Histogram:
    """Values with their counts."""

    values: Floats
    counts: Floats

    @classmethod
    def of(cls, counts: Mapping[float, float]) -> "Histogram":
        """Order the values and put a small number where the count is 0."""
        ordered = sorted(counts.items())
        return cls(
            np.array([value for value, _ in ordered], dtype=np.float64),
            np.array([count or _EMPTY for _, count in ordered], dtype=np.float64),
        )

    @property
    def total(self) -> float:
        """Observations: N."""
        return float(self.counts.sum())

    @property
    def frequencies(self) -> Floats:
        """Relative frequencies: p̂."""
        return self.counts / self.total


def mean_llr(histogram: Histogram, mean0: float, mean1: float) -> float:
    """Compare the hypotheses mean = mean0 and mean = mean1."""
    return _llr(histogram, lambda mean: _tilted(histogram.frequencies, histogram.values - mean), mean0, mean1)


def t_llr(histogram: Histogram, t0: float, t1: float, reference: float = 0.0) -> float:
    """Compare the hypotheses (mean - reference) / σ = t0 and = t1."""
    return _llr(histogram, lambda t: _with_t(histogram, t, reference), t0, t1)


def expected_score(elo: float) -> float:
    """Give the logistic expected score of an Elo difference.

    >>> round(expected_score(190.8485), 4)
    0.75
    """
    return 1 / (1 + 10 ** (-elo / 400))


def _llr(histogram: Histogram, law: Callable[[float], Floats], first: float, second: float) -> float:
    ratios = np.log(law(second) / law(first))
    return histogram.total * float(histogram.frequencies @ ratios)


def _with_t(histogram: Histogram, t: float, reference: float) -> Floats:
    frequencies, values = histogram.frequencies, histogram.values
    law = np.full(len(values), 1 / len(values))
    for _ in range(_ROUNDS):
        mean = float(law @ values)
        sigma = sqrt(float(law @ (values - mean) ** 2))
        bent = values - reference - t * sigma * (1 + ((values - mean) / sigma) ** 2) / 2
        before, law = law, _tilted(frequencies, bent)
        if np.abs(law - before).max() < 1e-12:
            break
    return law


def _tilted(frequencies: Floats, deviations: Floats) -> Floats:
    """Give p̂_i / (1 + x φ_i) with Σ p̂_i φ_i / (1 + x φ_i) = 0; that sum falls in x, so halving finds x."""
    low, high = -1 / float(deviations.max()), -1 / float(deviations.min())
    for _ in range(_HALVINGS):
        x = (low + high) / 2
        if float(frequencies @ (deviations / (1 + x * deviations))) > 0:
            low = x
        else:
            high = x
    return frequencies / (1 + (low + high) / 2 * deviations)
