"""Ratings of a pool: one scale for each set of bots that results connect, and what limits their meaning.

Elo from the outcomes of boards is the primary rating (`bradley_terry`), points per play the second column; it
minimises Σ w (D_ij - (a_i - a_j))² and cannot diverge. Both have covariances that are clustered by deal
(`sandwich`), with few boards from drawing deals again (`bootstrap`).
"""

from collections.abc import Collection
from dataclasses import dataclass
from enum import Enum
from typing import Final

import numpy as np

from erqiwang_runner.bootstrap import covariance_of
from erqiwang_runner.bradley_terry import ELO_PER_NAT, PRIOR, curvature_of, expected, fit, inverse_of
from erqiwang_runner.comparisons import Comparisons, Floats, Ints, Totals, sums_by, totals_of
from erqiwang_runner.estimates import Estimates
from erqiwang_runner.graph import BoolMatrix, components, reachable, strong_components
from erqiwang_runner.sandwich import DealIndex

ORIGIN: Final = 1500.0
"""Elo of the mean of the anchors."""

STYLE_LIMIT: Final = 2.0
"""Standard errors beyond which the ranks of the two columns are called different."""


class Bound(Enum):
    """What the outcomes say of a bot's strength; the value is what stands before the printed number."""

    NONE = ""
    """It both scored and lost, directly or along a chain, against the bots of reference."""
    LOWER = ">"
    """Nobody ever scored against it: it is at least this strong, how much more is unknown."""
    UPPER = "<"
    """It never scored: it is at most this strong."""
    UNKNOWN = "?"
    """No chain of scores joins it with the bots of reference in either direction."""


@dataclass(frozen=True, slots=True)
class Record:
    """Comparisons of a bot by outcome, and the deals that it was compared on."""

    boards: int
    wins: int
    draws: int
    losses: int

    @property
    def score(self) -> float:
        """Share of the comparisons that it won, a draw being half of one."""
        return (self.wins + self.draws / 2) / max(1, self.wins + self.draws + self.losses)


@dataclass(frozen=True, slots=True)
class PairTable:
    """What every pair that met did: comparisons, score of the lower position, residual and signal.

    z = Σ w (s - p) / √(Σ w² (s - p)²): beyond 3 the pair fits the ratings badly, as when styles clash.
    t = mean(D) / s(D) over the boards of the pair: the difference against its noise, NaN without noise.
    """

    low: Ints
    high: Ints
    count: Ints
    score: Floats
    residual: Floats
    signal: Floats


@dataclass(frozen=True, slots=True)
class Scale:
    """The bots of one component; differences to bots of another scale have no meaning.

    `is_anchored` tells whether the origin is the mean of the anchors or, for want of one, of all bots of the
    scale.
    """

    elo: Estimates
    points: Estimates
    bounds: tuple[Bound, ...]
    records: tuple[Record, ...]
    pairs: PairTable
    has_style: tuple[bool, ...]
    is_anchored: bool

    @property
    def bots(self) -> tuple[int, ...]:
        """The bots by position, ascending."""
        return self.elo.bots

    @property
    def is_separated(self) -> bool:
        """Whether some ratings are bounds only."""
        return any(bound is not Bound.NONE for bound in self.bounds)


def rate(
    rows: Comparisons, anchors: Collection[int] = (), prior: float = PRIOR, *, is_for_people: bool = False
) -> tuple[Scale, ...]:
    """Rate every bot of a pool; one scale per component, in the order of their first bots.

    For people the errors of bots with few boards are found by the bootstrap; what only chooses opponents does
    without. Raises ValueError for a `prior` of 0 where that leaves no finite optimum.
    """
    return tuple(
        _rate_component(rows.among(members), anchors, prior, is_for_people=is_for_people)
        for members in components(_edges(rows, rows.weight))
    )


def elo_of_score(score: float) -> float:
    """Give the logistic Elo difference of an expected score: C ln(s / (1 - s)).

    >>> round(elo_of_score(0.75), 4)
    190.8485
    """
    return float(ELO_PER_NAT * np.log(score / (1 - score)))


def _rate_component(
    rows: Comparisons, anchors: Collection[int], prior: float, *, is_for_people: bool
) -> Scale:
    totals = totals_of(rows)
    scored = _edges(rows, rows.score) | _edges(rows, 1 - rows.score, backwards=True)
    strong = strong_components(scored)
    if prior <= 0 and len(strong) > 1:
        raise ValueError("without a prior separated bots have no finite rating")
    anchored = tuple(position for position, bot in enumerate(rows.bots) if bot in anchors)
    basis = anchored or tuple(range(len(rows.bots)))
    deals = DealIndex.of(rows)
    elo = _elo(rows, totals, deals, basis, prior, is_for_people=is_for_people)
    points = _points(rows, totals, deals, basis)
    return Scale(
        elo=elo,
        points=points,
        bounds=_bounds(scored, strong, anchored),
        records=_records(rows, deals),
        pairs=_pair_table(rows, elo),
        has_style=_styles(elo, points),
        is_anchored=bool(anchored),
    )


def _elo(
    rows: Comparisons,
    totals: Totals,
    deals: DealIndex,
    basis: tuple[int, ...],
    prior: float,
    *,
    is_for_people: bool,
) -> Estimates:
    found = fit(totals, len(rows.bots), prior)
    theta = found.strengths
    residuals = rows.weight * (rows.score - expected(theta[rows.first] - theta[rows.second]))
    if is_for_people and prior > 0:
        covariance = covariance_of(rows, deals, found, residuals, prior)
    else:
        covariance = deals.sandwich(found.bread, residuals)
    values = ORIGIN + ELO_PER_NAT * (theta - theta[list(basis)].mean())
    return Estimates(rows.bots, values, ELO_PER_NAT**2 * covariance, basis)


def _points(rows: Comparisons, totals: Totals, deals: DealIndex, basis: tuple[int, ...]) -> Estimates:
    """Solve the least squares of the margins: H a = Σ w D (e_i - e_j), H = Σ w (e_i - e_j)(e_i - e_j)ᵀ."""
    size = len(rows.bots)
    bread = inverse_of(curvature_of(totals, totals.weight, size) + 1 / size) - 1 / size
    lead = sums_by(totals.low, totals.lead, size)
    lead -= sums_by(totals.high, totals.lead, size)
    values = bread @ lead
    residuals = rows.weight * (rows.margin - (values[rows.first] - values[rows.second]))
    return Estimates(rows.bots, values - values[list(basis)].mean(), deals.sandwich(bread, residuals), basis)


def _edges(rows: Comparisons, values: Floats, *, backwards: bool = False) -> BoolMatrix:
    """Give the graph first → second of the rows with a positive value, or second → first."""
    size = len(rows.bots)
    edges = np.zeros((size, size), dtype=np.bool_)
    kept = values > 0
    ends = (rows.second[kept], rows.first[kept]) if backwards else (rows.first[kept], rows.second[kept])
    edges[ends] = True
    return edges


def _bounds(scored: BoolMatrix, strong: list[list[int]], anchored: tuple[int, ...]) -> tuple[Bound, ...]:
    """Compare with the strong component of the first anchor, or else with the largest one."""
    holding = [each for each in strong if anchored and anchored[0] in each]
    reference = holding[0] if holding else max(sorted(strong), key=len)
    below, above = set(reachable(scored, reference)), set(reachable(scored.T, reference))
    names = {(True, True): Bound.NONE, (False, True): Bound.LOWER, (True, False): Bound.UPPER}
    return tuple(names.get((bot in below, bot in above), Bound.UNKNOWN) for bot in range(len(scored)))


def _records(rows: Comparisons, deals: DealIndex) -> tuple[Record, ...]:
    size = len(rows.bots)
    both = np.concatenate((rows.first, rows.second))
    score = np.concatenate((rows.score, 1 - rows.score))
    won, drawn, lost = (np.bincount(both[score == each], minlength=size) for each in (1.0, 0.5, 0.0))
    counts = np.stack((deals.boards, won, drawn, lost), axis=1)
    return tuple(Record(*row) for row in counts.tolist())


def _pair_table(rows: Comparisons, elo: Estimates) -> PairTable:
    size = len(rows.bots)
    swap = rows.first > rows.second
    low, high = np.where(swap, rows.second, rows.first), np.where(swap, rows.first, rows.second)
    score = np.where(swap, 1 - rows.score, rows.score)
    margin = np.where(swap, -rows.margin, rows.margin)
    surplus = rows.weight * (score - expected((elo.values[low] - elo.values[high]) / ELO_PER_NAT))
    place = low * size + high
    count = np.bincount(place, minlength=size * size)
    pair = np.flatnonzero(count)
    won, lead, square = (sums_by(place, each, size * size)[pair] for each in (score, surplus, surplus**2))
    return PairTable(
        low=pair // size,
        high=pair % size,
        count=count[pair],
        score=won / count[pair],
        residual=lead / np.sqrt(np.where(square > 0, square, 1.0)),
        signal=_signals(place, margin, size * size)[pair],
    )


def _signals(place: Ints, margin: Floats, size: int) -> Floats:
    """Give mean / standard deviation of the margins that have the same place."""
    count = np.bincount(place, minlength=size)
    mean = sums_by(place, margin, size) / np.maximum(count, 1)
    variance = sums_by(place, (margin - mean[place]) ** 2, size) / np.maximum(count - 1, 1)
    return mean / np.sqrt(np.where(variance > 0, variance, np.nan))


def _styles(elo: Estimates, points: Estimates) -> tuple[bool, ...]:
    """Mark the bots whose ranks by Elo and by points stay apart when differences within 2 SE are ignored."""
    by_elo, by_points = elo.ranks_beyond(STYLE_LIMIT), points.ranks_beyond(STYLE_LIMIT)
    return tuple(a.best > b.worst or b.best > a.worst for a, b in zip(by_elo, by_points, strict=True))
