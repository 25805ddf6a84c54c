"""How a ladder stands: its bots by the ratings of what is fitted, and by all boards that they were given.

What earlier epochs know of a bot is a rating R₀ with error SE₀; the boards of this epoch give R₁ with SE₁ on
the scale of the same anchors. Together, weighted by what each knows::

    R = (R₀/SE₀² + R₁/SE₁²) / (1/SE₀² + 1/SE₁²)        SE = (1/SE₀² + 1/SE₁²)^(-1/2)
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import hypot, inf, isfinite
from types import MappingProxyType
from typing import Final, TypeAlias

from erqiwang_runner.ladder import Ranked, Standing, error_after
from erqiwang_runner.ratings import ORIGIN, Scale

_Place: TypeAlias = tuple[Scale, int] | None


@dataclass(frozen=True, slots=True)
class Earlier:
    """What earlier epochs know of a bot: its rating, the error of it, and on how many boards."""

    rating: float
    error: float
    boards: int


NOTHING: Final = Earlier(ORIGIN, inf, 0)


def standing_of(
    players: Sequence[int],
    anchors: Collection[int],
    scales: Sequence[Scale],
    groups: Sequence[Sequence[int]],
    boards: int,
    earlier: Mapping[int, Earlier] = MappingProxyType({}),
) -> Standing:
    """Give the standing of `players` after `groups` of `boards` boards each, as far as `scales` were fitted.

    Boards that are planned and not fitted yet are counted, and the errors foreseen.
    """
    planned, met = Counter[int](), Counter[tuple[int, int]]()
    for group in groups:
        planned.update(dict.fromkeys(group, boards))
        met.update(dict.fromkeys(combinations(sorted(group), 2), boards))
    places = {bot: (scale, place) for scale in scales for place, bot in enumerate(scale.bots)}
    bots = {
        each: _ranked(each, planned[each], places.get(each), earlier.get(each, NOTHING), each in anchors)
        for each in players
    }

    def pair_error(first: int, second: int) -> float:
        error = _pair_error(places.get(first), places.get(second))
        if earlier.keys() >= {first, second}:
            return min(error, hypot(bots[first].error, bots[second].error))
        return error

    return Standing(
        tuple(bots.values()),
        len(groups) * boards,
        lambda first, second: met[min(first, second), max(first, second)],
        pair_error,
    )


def _ranked(entry: int, boards: int, place: _Place, before: Earlier, is_anchor: bool) -> Ranked:
    rating, error, fitted = before.rating, before.error, before.boards
    if place is not None:
        scale, at = place
        fitted += scale.records[at].boards
        rating, error = _together(before, float(scale.elo.values[at]), float(scale.elo.errors[at]))
    boards += before.boards
    return Ranked(entry, rating, error_after(error, fitted, boards), boards, is_anchor, before.boards)


def _together(before: Earlier, rating: float, error: float) -> tuple[float, float]:
    if isfinite(before.error) and isfinite(error):
        old, new = before.error**-2, error**-2
        rating, error = (before.rating * old + rating * new) / (old + new), (old + new) ** -0.5
    elif isfinite(before.error):
        rating, error = before.rating, before.error
    # Rounding is no reason for a pairing.
    return round(rating, 6), round(error, 6)


def _pair_error(first: _Place, second: _Place) -> float:
    if first is None or second is None or first[0] is not second[0]:
        return inf
    return round(first[0].elo.pair_error(first[1], second[1]), 6)
