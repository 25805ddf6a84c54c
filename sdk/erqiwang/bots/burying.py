"""What a declarer puts down: whole weak side suits where that pays, then the weakest cards."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

from erqiwang.rules import Card, SeatView
from erqiwang.rules.order import Order, Suit, bits_of, order_for


@dataclass(frozen=True, slots=True, kw_only=True)
class BuryWeights:
    """What a card is worth to the hand that keeps it, in card points."""

    trump: float = 20.0
    ace: float = 9.0
    """A side ace; the card below it counts a good part of that if the ace is held too."""
    pair: float = 3.0
    """Each card of a side pair."""
    height: float = 1.0
    """The height of a side card."""
    void: float = 6.0
    """Having no card of a side suit."""
    hold_risk: float = 0.8
    """The share of a held point that is lost on average."""
    bury_risk: float = 0.45
    """The share of a buried point that is lost on average, times the kitty's multiplier for a single."""
    safe_bury_risk: float = 0.15
    """The same where the last trick is likely to be the declarer's."""
    safe_length: float = 1.6
    """How many times the average share of trumps the declarer must hold for that."""


def choose_burial(view: SeatView, weights: BuryWeights) -> tuple[Card, ...]:
    """Choose what to put down."""
    trump = view.trump
    if trump is None:
        raise ValueError("trump is not named")
    order = order_for(view.profile, trump)
    once, twice = order.masks(view.hand)
    size = view.profile.kitty_size
    safe = _rules_the_end(view, order, once, twice, weights)
    risk = (weights.safe_bury_risk if safe else weights.bury_risk) * view.profile.kitty_multipliers[0]
    prices = {bit: _worth(order, bit, once, twice, weights, risk) for bit in bits_of(once)}
    side_suits = [suit for suit in order.suits if not suit.is_trump and once & suit.mask]
    best: tuple[float, tuple[int, ...]] | None = None
    for number in range(len(side_suits) + 1):
        for emptied in combinations(side_suits, number):
            plan = _plan(emptied, once, twice, size, prices)
            if plan is None:
                continue
            value = weights.void * len(emptied) - sum(prices[bit] for bit in plan)
            if best is None or value > best[0]:
                best = value, plan
    assert best is not None, "burying the cheapest cards is always possible"
    return tuple(card for bit in best[1] for card in order.singles[bit])


def _rules_the_end(view: SeatView, order: Order, once: int, twice: int, weights: BuryWeights) -> bool:
    """Tell whether the declarer's trumps are so many that the last trick is likely to be his."""
    trumps = order.trumps
    held = (once & trumps).bit_count() + (twice & trumps).bit_count()
    average = view.profile.copies * trumps.bit_count() / view.profile.seats
    return held >= weights.safe_length * average


def _plan(
    emptied: tuple[Suit, ...], once: int, twice: int, size: int, prices: dict[int, float]
) -> tuple[int, ...] | None:
    """Empty some suits and fill up with the cheapest cards; None if they hold too many."""
    gone = 0
    for suit in emptied:
        gone |= suit.mask
    chosen = _all_of(once & gone, twice & gone)
    if len(chosen) > size:
        return None
    rest = sorted(_all_of(once & ~gone, twice & ~gone), key=lambda bit: (prices[bit], bit))
    return (*chosen, *rest[: size - len(chosen)])


def _all_of(once: int, twice: int) -> list[int]:
    return [bit for bit in bits_of(once) for _ in range(1 + bool(twice & bit))]


def _worth(order: Order, bit: int, once: int, twice: int, weights: BuryWeights, risk: float) -> float:
    """Price one card: what the hand loses without it."""
    suit = order.suit_at[bit.bit_length()]
    points = order.points(bit, 0)
    if suit.is_trump:
        return weights.trump + suit.levels[bit.bit_length() - 1 - suit.shift] + points
    top = suit.levels[-1]
    level = suit.levels[bit.bit_length() - 1 - suit.shift]
    worth = weights.height * level / top
    if level == top:
        worth += weights.ace
    elif level == top - 1 and once & (bit << 1):
        worth += weights.ace * (0.7 if twice & (bit << 1) else 0.4)
    if twice & bit:
        worth += weights.pair * (1 + level / top)
    return worth + points * (risk - weights.hold_risk)
