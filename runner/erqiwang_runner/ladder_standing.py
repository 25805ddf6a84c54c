"""How a ladder stands: its bots by the ratings of what is fitted, and by all boards that they were given."""

from collections import Counter
from collections.abc import Collection, Sequence
from itertools import combinations
from math import inf
from typing import TypeAlias

from erqiwang_runner.ladder import Ranked, Standing, error_after
from erqiwang_runner.ratings import ORIGIN, Scale

_Place: TypeAlias = tuple[Scale, int] | None


def standing_of(
    players: Sequence[int],
    anchors: Collection[int],
    scales: Sequence[Scale],
    groups: Sequence[Sequence[int]],
    boards: int,
) -> Standing:
    """Give the standing of `players` after `groups` of `boards` boards each, as far as `scales` were fitted.

    Boards that are planned and not fitted yet are counted, and the errors foreseen.
    """
    planned, met = Counter[int](), Counter[tuple[int, int]]()
    for group in groups:
        planned.update(dict.fromkeys(group, boards))
        met.update(dict.fromkeys(combinations(sorted(group), 2), boards))
    places = {bot: (scale, place) for scale in scales for place, bot in enumerate(scale.bots)}
    return Standing(
        tuple(_ranked(each, planned[each], places.get(each), each in anchors) for each in players),
        len(groups) * boards,
        lambda first, second: met[min(first, second), max(first, second)],
        lambda first, second: _pair_error(places.get(first), places.get(second)),
    )


def _ranked(entry: int, boards: int, place: _Place, is_anchor: bool) -> Ranked:
    if place is None:
        return Ranked(entry, ORIGIN, error_after(inf, 0, boards), boards, is_anchor)
    scale, at = place
    # Rounding is no reason for a pairing.
    rating, error = (round(float(each[at]), 6) for each in (scale.elo.values, scale.elo.errors))
    return Ranked(entry, rating, error_after(error, scale.records[at].boards, boards), boards, is_anchor)


def _pair_error(first: _Place, second: _Place) -> float:
    if first is None or second is None or first[0] is not second[0]:
        return inf
    return round(first[0].elo.pair_error(first[1], second[1]), 6)
