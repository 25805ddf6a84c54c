"""Is the new version A better than the old version B? A sequential test on the margins of board sets.

With x_b the margin of A on board set b in the order of the plan, n sets, x̄ their mean, s² = (1/n) Σ (x -
x̄)² and the standardised mean t̂ = x̄ / s, the hypotheses H0: t = t0 and H1: t = t1 are compared by::

    LLR_n = n (t1 - t0) (t̂ - (t0 + t1) / 2)          H1 if LLR ≥ b = ln((1-β)/α),   H0 if LLR ≤ a =
    ln(β/(1-α))

looked at every 6 sets from n = 36 on. Without any variance (s = 0) the sign decides, and all zeros decide
nothing. The expected course at a true t, with h = (2t - t0 - t1)/(t1 - t0)::

    P(H1) = (1 - e^-ha) / (e^-hb - e^-ha)      E[n] = (2/h) (b P + a (1-P)) / (t1-t0)²
    at h → 0:  P = -a/(b-a),  E[n] = -ab/(t1-t0)²
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from math import ceil, exp, expm1, inf, log, nan
from typing import Final

import numpy as np

from erqiwang_runner.comparisons import Floats

NELO_PER_T: Final = 800 / log(10)
"""Normalised Elo of a board set per unit of t: 347.4356."""

FIRST_LOOK: Final = 36
LOOK_EVERY: Final = 6
DEFAULT_DELTA: Final = 0.10
_LIMIT_FACTOR: Final = 3


class Question(Enum):
    """What is asked of A."""

    GAIN = "gain"
    """Is it better? H0: t = 0, H1: t = δ."""
    NO_REGRESSION = "no-regression"
    """Is it not worse? H0: t = -δ, H1: t = 0."""


class Verdict(Enum):
    """What the margins say so far."""

    ACCEPTED = "accepted"
    """H1: better, or not worse, whatever was asked."""
    REJECTED = "rejected"
    """H0."""
    INCONCLUSIVE = "inconclusive"
    """Neither within the largest number of sets."""
    OPEN = "open"
    """More sets are needed."""


@dataclass(frozen=True, slots=True)
class Hypotheses:
    """t0 < t1 with the rates of error α (H1 accepted although H0 holds) and β (the other way round)."""

    t0: float
    t1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not self.t0 < self.t1:
            raise ValueError(f"t0 = {self.t0} is not below t1 = {self.t1}")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise ValueError(f"rates of error {self.alpha} and {self.beta} are not between 0 and ½")

    @classmethod
    def asking(cls, question: Question, delta: float = DEFAULT_DELTA) -> "Hypotheses":
        """Give the hypotheses of a question with the smallest difference δ that matters."""
        return cls(0.0, delta) if question is Question.GAIN else cls(-delta, 0.0)

    @property
    def lower(self) -> float:
        """The bound a of the log-likelihood ratio, at which H0 is taken."""
        return log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """The bound b of the log-likelihood ratio, at which H1 is taken."""
        return log((1 - self.beta) / self.alpha)

    @property
    def limit(self) -> int:
        """Sets after which the test ends without a verdict: 3 E[n] midway, rounded up to a look.

        There is one look at least.
        """
        middle = ceil(self.expected_sets((self.t0 + self.t1) / 2))
        return max(FIRST_LOOK, LOOK_EVERY * ceil(_LIMIT_FACTOR * middle / LOOK_EVERY))

    def acceptance(self, t: float) -> float:
        """Give P(H1 is taken | t)."""
        h = self._tilt(t)
        if abs(h) < 1e-9:
            return -self.lower / (self.upper - self.lower)
        return -expm1(-h * self.lower) / (exp(-h * self.upper) - exp(-h * self.lower))

    def expected_sets(self, t: float) -> float:
        """Give E[n | t]."""
        h, width = self._tilt(t), self.t1 - self.t0
        if abs(h) < 1e-9:
            return -self.lower * self.upper / width**2
        chance = self.acceptance(t)
        return 2 / h * (self.upper * chance + self.lower * (1 - chance)) / width**2

    def _tilt(self, t: float) -> float:
        return (2 * t - self.t0 - self.t1) / (self.t1 - self.t0)


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict with what it rests on, at the look that decided or the last one.

    `sets` were counted; after a verdict the mean is biased away from the middle by the stopping.
    """

    verdict: Verdict
    sets: int
    mean: float
    t: float
    llr: float
    hypotheses: Hypotheses

    @property
    def nelo(self) -> float:
        """Normalised Elo per board set: 347.4356 t̂."""
        return NELO_PER_T * self.t


def log_likelihood_ratio(sets: int, t: float, hypotheses: Hypotheses) -> float:
    """Give LLR = n (t1 - t0) (t̂ - (t0 + t1)/2)."""
    if sets == 0:
        return 0.0
    return sets * (hypotheses.t1 - hypotheses.t0) * (t - (hypotheses.t0 + hypotheses.t1) / 2)


def standardised_mean(margins: Floats) -> float:
    """Give t̂ = x̄ / s: without variance 0, or infinite with the sign of the margins."""
    if len(margins) == 0:
        return nan
    if margins.min() == margins.max():
        return 0.0 if margins[0] == 0 else inf * float(np.sign(margins[0]))
    return float(margins.mean() / margins.std())


def judge(margins: Sequence[float] | Floats, hypotheses: Hypotheses, limit: int | None = None) -> Judgement:
    """Look at the margins of a prefix of the plan as the sequential test does; the first decision stays.

    More margins never change a verdict, so neither the number of workers nor their speed can.
    """
    values = np.asarray(margins, dtype=np.float64)
    last = hypotheses.limit if limit is None else limit
    for sets in range(FIRST_LOOK, min(len(values), last) + 1, LOOK_EVERY):
        found = _look(values[:sets], hypotheses)
        if found.verdict is not Verdict.OPEN:
            return found
    if len(values) >= last:
        return _look(values[:last], hypotheses, Verdict.INCONCLUSIVE)
    return _look(values, hypotheses, Verdict.OPEN)


def _look(values: Floats, hypotheses: Hypotheses, verdict: Verdict | None = None) -> Judgement:
    t = standardised_mean(values)
    llr = log_likelihood_ratio(len(values), t, hypotheses)
    if verdict is None:
        verdict = _verdict(llr, t, values, hypotheses)
    mean = float(values.mean()) if len(values) else nan
    return Judgement(verdict, len(values), mean, t, llr, hypotheses)


def _verdict(llr: float, t: float, values: Floats, hypotheses: Hypotheses) -> Verdict:
    if t == 0 and values.min() == values.max():
        return Verdict.OPEN
    if llr >= hypotheses.upper:
        return Verdict.ACCEPTED
    return Verdict.REJECTED if llr <= hypotheses.lower else Verdict.OPEN
