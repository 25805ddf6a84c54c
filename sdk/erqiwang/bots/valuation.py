"""What a hand is worth to a declarer: the points that the defenders are likely to take from it.

Their points s are taken as normal with a mean that is linear in a few counts of the hand under a trump::

    mean = base + sum(weight * count),   s ~ Normal(mean, spread) on 0, 5, 10, ... card points

Weights and spread were fitted by least squares to tables that `counter` played out as a forced declarer. A
bid is worth the mean of its score over s.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import erf, sqrt
from operator import mul

from erqiwang.bots.reading import Masks, copies
from erqiwang.rules import Card, Profile, Trump
from erqiwang.rules.order import Order, order_for
from erqiwang.rules.settlement import play_scores

POINT_STEP = 5


@dataclass(frozen=True, slots=True)
class Model:
    """A fitted model; `weights` are in the order of `counts`."""

    base: float
    weights: tuple[float, ...]
    spread: float

    def mean(self, counted: tuple[float, ...]) -> float:
        """Return the defenders' points to be expected."""
        return self.base + sum(weight * count for weight, count in zip(self.weights, counted, strict=True))


def counts(order: Order, hand: Masks) -> tuple[float, ...]:
    """Count what a hand is judged by.

    Trumps, big jokers, little jokers, sevens, twos, pairs of trumps, side aces, pairs of side aces, side
    kings beside an ace, other side pairs, missing length of the short side suits, points in the side suits.
    """
    once, twice = hand
    trumps = order.trumps
    special = _specials(order)
    aces = kings = short = 0
    ace_pairs = 0
    for suit in order.suits[:-1]:
        top = (suit.mask + (1 << suit.shift)) >> 1
        held_aces = bool(once & top) + bool(twice & top)
        aces += held_aces
        ace_pairs += held_aces == 2
        if held_aces:
            kings += bool(once & top >> 1) + bool(twice & top >> 1)
        short += max(0, 4 - copies(once & suit.mask, twice & suit.mask))
    return (
        copies(once & trumps, twice & trumps),
        copies(once & special[0], twice & special[0]),
        copies(once & special[1], twice & special[1]),
        copies(once & special[2], twice & special[2]),
        copies(once & special[3], twice & special[3]),
        (twice & trumps).bit_count(),
        aces,
        ace_pairs,
        kings,
        (twice & ~trumps).bit_count() - ace_pairs,
        short,
        order.points(once & ~trumps, twice & ~trumps),
    )


@lru_cache(maxsize=64)
def _specials(order: Order) -> tuple[int, int, int, int]:
    """Return the bits of the big joker, the little joker, the sevens and the twos."""
    sevens = sum(order.bits[card] for card in order.cards if not card.is_joker and card.rank == "7")
    twos = sum(order.bits[card] for card in order.cards if not card.is_joker and card.rank == "2")
    return order.bits[Card.BJ], order.bits[Card.LJ], sevens, twos


def appraise(profile: Profile, hand: tuple[Card, ...], model: Model) -> tuple[Trump, float]:
    """Find the trump under which the defenders are to expect least, and what they are to expect."""
    best: tuple[float, int, Trump] | None = None
    for trump in profile.trumps:
        order = order_for(profile, trump)
        found = model.mean(counts(order, order.masks(hand))), trump.value, trump
        if best is None or found < best:
            best = found
    assert best is not None, "every profile has trumps"
    return best[2], best[0]


def outlook(profile: Profile, mean: float, spread: float) -> list[float]:
    """Return the chance of every number of points s = 0, 5, 10, … that the defenders may get."""
    chances: list[float] = []
    below = 0.0
    for points in range(0, _most_points(profile), POINT_STEP):
        up_to = 0.5 + 0.5 * erf((points + POINT_STEP / 2 - mean) / (spread * sqrt(2)))
        chances.append(up_to - below)
        below = up_to
    return [*chances, 1 - below]


def worth(profile: Profile, bid: int, chances: list[float]) -> float:
    """Return the mean score of a declarer at a bid, for one defender's share."""
    return float(sum(map(mul, _unit_scores(profile)[bid], chances)))


def best_bid(
    profile: Profile, bids: tuple[int | None, ...], chances: list[float], margin: float
) -> int | None:
    """Choose the bid that is worth most, or None if none is worth more than `margin`."""
    scores = _unit_scores(profile)
    best, chosen = margin, None
    for bid in bids:
        if bid is None:
            continue
        value = sum(map(mul, scores[bid], chances))
        if value > best:
            best, chosen = value, bid
    return chosen


@lru_cache(maxsize=16)
def _unit_scores(profile: Profile) -> dict[int, tuple[float, ...]]:
    """Return a declarer's score by bid, then for s = 0, 5, 10, …, for one defender's share."""
    points = range(0, _most_points(profile) + 1, POINT_STEP)
    return {
        bid: tuple(play_scores(profile, declarer=0, bid=bid, points=s)[0] / profile.defenders for s in points)
        for bid in profile.bids
    }


def _most_points(profile: Profile) -> int:
    """Return more points than defenders ever get in practice: all, and the kitty doubled."""
    return profile.deck_points * 2
