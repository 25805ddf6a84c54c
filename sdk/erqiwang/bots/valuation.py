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

from erqiwang.bots.reading import Masks, copies
from erqiwang.rules import Card, Profile, Trump
from erqiwang.rules.order import Order, bits_of, order_for
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


def worth(profile: Profile, bid: int, mean: float, spread: float) -> float:
    """Return the mean score of a declarer at a bid, for one defender's share."""
    table = unit_scores(profile, bid)
    total = below = 0.0
    for index, score in enumerate(table[:-1]):
        up_to = 0.5 + 0.5 * erf(((index + 0.5) * POINT_STEP - mean) / (spread * sqrt(2)))
        total += score * (up_to - below)
        below = up_to
    return total + table[-1] * (1 - below)


@lru_cache(maxsize=256)
def unit_scores(profile: Profile, bid: int) -> tuple[float, ...]:
    """Return a declarer's score at a bid for s = 0, 5, 10, …, for one defender's share."""
    top = profile.deck_points * 2
    return tuple(
        play_scores(profile, declarer=0, bid=bid, points=points)[0] / profile.defenders
        for points in range(0, top + 1, POINT_STEP)
    )


def best_bid(
    profile: Profile, bids: tuple[int | None, ...], mean: float, spread: float, margin: float
) -> int | None:
    """Choose the bid that is worth most, or None if none is worth more than `margin`."""
    best, chosen = margin, None
    for bid in bids:
        if bid is None:
            continue
        value = worth(profile, bid, mean, spread)
        if value > best:
            best, chosen = value, bid
    return chosen


def length_of(order: Order, hand: Masks) -> int:
    """Count the trumps of a hand."""
    return sum(1 + bool(hand[1] & bit) for bit in bits_of(hand[0] & order.trumps))
