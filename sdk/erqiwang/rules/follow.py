"""Following: what a hand owes to a lead (R-60 to R-67), and the test of a play against it.

A tractor of two pairs was led, spades are trump, and the hand has `H8 H8 H9 HK HA` and cards of other
suits. Four hearts must be played, and of the lists of runs `[2] > [1, 1] > [1] > []` the best that the hand
can show is `[1]`. So `H8 H8` is owed, with any two of the other hearts:

>>> from erqiwang.rules.order import order_for
>>> from erqiwang.rules.catalogue import get_profile
>>> from erqiwang.rules.card import format_cards, parse_cards
>>> from erqiwang.rules.trump import Trump
>>> order = order_for(get_profile("classic"), Trump.SPADES)
>>> lead = shape_of(order, *order.masks(parse_cards("H5 H5 H6 H6")))
>>> duty = duty_of(order, *order.masks(parse_cards("H8 H8 H9 HK HA D3")), lead, tractor_owed=True)
>>> format_cards(order.cards_of(*duty.lowest(order)))
'H8 H8 H9 HK'
"""

from __future__ import annotations

from math import comb
from typing import NamedTuple

from erqiwang.rules.card import Card, format_cards
from erqiwang.rules.order import Order
from erqiwang.rules.shape import Shape, owed_runs, pair_choices, shape_of
from erqiwang.rules.violation import Reason, RuleViolation

__all__ = ["Duty", "duty_of", "shape_of", "verify_follow"]


class Duty(NamedTuple):
    """Every legal play of a hand: one of `options`, and any `free` cards of a pool.

    An option is a set of types played once and of types played twice.
    """

    options: tuple[tuple[int, int], ...]
    free: int
    pool_once: int
    pool_twice: int
    in_suit: bool
    """Whether the pool is of the led suit."""

    def size(self) -> int:
        """Return the number of distinct plays."""
        return len(self.options) * ways(self.pool_once, self.pool_twice, self.free)

    def lowest(self, order: Order) -> tuple[int, int]:
        """Return the play with the lowest levels in the led suit, then the least valuable other cards."""
        once, twice = self.options[0]
        if not self.free:
            return once, twice
        if self.in_suit:
            more, doubled = lowest_bits(self.pool_once, self.pool_twice, self.free)
        else:
            more, doubled = order.lowest(self.pool_once, self.pool_twice, self.free)
        return once | more, twice | doubled


def lowest_bits(once: int, twice: int, count: int) -> tuple[int, int]:
    """Return the `count` lowest cards of a set by their bits."""
    taken = doubled = 0
    while count:
        bit = once & -once
        once ^= bit
        taken |= bit
        count -= 1
        if count and twice & bit:
            doubled |= bit
            count -= 1
    return taken, doubled


def ways(once: int, twice: int, count: int) -> int:
    """Return how many distinct sets of `count` cards a set contains."""
    if count < 2:
        return once.bit_count() if count else 1
    types, pairs = once.bit_count(), twice.bit_count()
    return sum(
        comb(pairs, both) * comb(types - both, count - 2 * both) for both in range(min(pairs, count // 2) + 1)
    )


def duty_of(order: Order, once: int, twice: int, lead: Shape, tractor_owed: bool) -> Duty:
    """Return what a hand owes to a lead (rule book 4.5)."""
    mask = lead.mask
    suit_once, suit_twice = once & mask, twice & mask
    count = lead.size
    held = suit_once.bit_count() + suit_twice.bit_count()
    if held <= count:
        return Duty(((suit_once, suit_twice),), count - held, once & ~mask, twice & ~mask, False)
    if not (lead.pairs and suit_twice):
        return Duty(((0, 0),), count, suit_once, suit_twice, True)
    missing = lead.pairs - suit_twice.bit_count()
    if missing > 0:
        return Duty(((suit_twice, suit_twice),), 2 * missing, suit_once ^ suit_twice, 0, True)
    return Duty(pair_choices(lead.suit, suit_twice, lead.pairs, tractor_owed), 0, 0, 0, True)


def verify_follow(
    order: Order, once: int, twice: int, lead: Shape, tractor_owed: bool, cards: tuple[Card, ...]
) -> tuple[int, int]:
    """Return the types and the pairs of a legal play; raise `RuleViolation` for any other (rule book 4.5)."""
    mask = lead.mask
    count = lead.size
    if len(cards) != count:
        raise RuleViolation(Reason.WRONG_COUNT, f"{count} cards were led, {len(cards)} played", ruling="R-60")
    if count == 1:
        played = order.bits.get(cards[0], 0)
        if not played & once:
            raise not_held(order, once, twice, cards)
        if not played & mask and once & mask:
            raise _not_exhausted(order, once, twice, lead, tractor_owed, 1, 0)
        return played, 0
    played, doubled = order.masks(cards)
    if played & ~once or doubled & ~twice:
        raise not_held(order, once, twice, cards)
    suit_once, suit_twice = once & mask, twice & mask
    held = suit_once.bit_count() + suit_twice.bit_count()
    followed = (played & mask).bit_count() + (doubled & mask).bit_count()
    wanted = min(held, count)
    if followed != wanted:
        raise _not_exhausted(order, once, twice, lead, tractor_owed, wanted, followed)
    if held > count and lead.pairs and suit_twice:
        _verify_pairs(order, once, twice, lead, tractor_owed, doubled & mask)
    return played, doubled


def _verify_pairs(order: Order, once: int, twice: int, lead: Shape, tractor_owed: bool, doubled: int) -> None:
    """Compare the runs of the pairs played with the best that the hand can show (R-61 to R-65)."""
    suit, limit = lead.suit, lead.pairs
    if limit == 1 and doubled:
        return
    owed = owed_runs(suit, twice & suit.mask, limit, tractor_owed)
    shown = owed_runs(suit, doubled, limit, tractor_owed)
    if owed == shown:
        return
    raise _pairs_owed(order, once, twice, lead, tractor_owed, owed, shown)


def _pairs_owed(
    order: Order,
    once: int,
    twice: int,
    lead: Shape,
    tractor_owed: bool,
    owed: tuple[int, ...],
    shown: tuple[int, ...],
) -> RuleViolation:
    missing = next(length for index, length in enumerate(owed) if shown[index : index + 1] != (length,))
    cards = _owed_cards(order, once, twice, lead, tractor_owed)
    name = lead.suit.name
    if missing == 1:
        ruling = "R-61" if lead.pairs == 1 else "R-64"
        pairs = sum(owed)
        wanted = f"a pair of {name} is" if pairs == 1 else f"{pairs} pairs of {name} are"
        return RuleViolation(Reason.PAIR_OWED, f"{wanted} owed", cards, ruling)
    ruling = "R-62" if missing == lead.pairs else "R-63" if missing == owed[0] else "R-65"
    detail = f"a tractor of {missing} pairs of {name} is owed"
    return RuleViolation(Reason.TRACTOR_OWED, detail, cards, ruling)


def _not_exhausted(
    order: Order, once: int, twice: int, lead: Shape, tractor_owed: bool, wanted: int, followed: int
) -> RuleViolation:
    return RuleViolation(
        Reason.SUIT_NOT_EXHAUSTED,
        f"{lead.suit.name} was led and {wanted} of it must be played, not {followed}",
        _owed_cards(order, once, twice, lead, tractor_owed),
        "R-60",
    )


def _owed_cards(order: Order, once: int, twice: int, lead: Shape, tractor_owed: bool) -> tuple[Card, ...]:
    played, doubled = duty_of(order, once, twice, lead, tractor_owed).lowest(order)
    mask = lead.mask
    return order.cards_of(played & mask, doubled & mask)


def not_held(order: Order, once: int, twice: int, cards: tuple[Card, ...]) -> RuleViolation:
    """Say which cards are not in a hand."""
    left = list(order.cards_of(once, twice))
    missing: list[Card] = []
    for card in cards:
        if card in left:
            left.remove(card)
        else:
            missing.append(card)
    return RuleViolation(Reason.CARDS_NOT_HELD, f"not in the hand: {format_cards(missing)}", ruling="R-60")
