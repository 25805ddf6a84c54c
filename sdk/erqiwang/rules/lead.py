"""Leading: one unit of any suit, or a throw of trumps (R-28 to R-31)."""

from __future__ import annotations

from functools import lru_cache

from erqiwang.rules.card import Card
from erqiwang.rules.follow import not_held
from erqiwang.rules.order import Order
from erqiwang.rules.shape import Shape, ShapeKind, shape_of, tractors_in
from erqiwang.rules.violation import Reason, RuleViolation


def verify_lead(
    order: Order, once: int, twice: int, may_throw: bool, cards: tuple[Card, ...]
) -> tuple[Shape, int, int]:
    """Return shape, types and pairs of a legal lead; raise `RuleViolation` for any other (rule book 4.4).

    `may_throw` says whether several units of trump may be led now (R-30).
    """
    if not cards:
        raise RuleViolation(Reason.WRONG_COUNT, "a lead has at least one card", ruling="R-28")
    if len(cards) == 1:
        led = order.bits.get(cards[0], 0)
        if not led & once:
            raise not_held(order, once, twice, cards)
        return order.single(led), led, 0
    led, doubled = order.masks(cards)
    if led & ~once or doubled & ~twice:
        raise not_held(order, once, twice, cards)
    shape = shape_of(order, led, doubled)
    if shape is None:
        names = " and ".join(suit.name for suit in order.suits if led & suit.mask)
        raise RuleViolation(Reason.MIXED_SUIT_LEAD, f"a lead is of one suit, not {names}", ruling="R-28")
    if shape.kind is ShapeKind.THROW and not (may_throw and shape.suit.is_trump):
        raise _no_throw(shape)
    return shape, led, doubled


def _no_throw(shape: Shape) -> RuleViolation:
    if shape.suit.is_trump:
        detail = "trumps may be thrown only when no other player holds trump"
        return RuleViolation(Reason.THROW_NOT_ALLOWED, detail, ruling="R-30")
    detail = f"a lead of {shape.suit.name} is a single, a pair or one tractor"
    return RuleViolation(Reason.SIDE_SUIT_THROW, detail, ruling="R-29")


def tractor_leads(order: Order, twice: int) -> tuple[int, ...]:
    """Return every tractor of a hand, as the types that it holds twice."""
    trumps = twice & order.trumps
    # Pairs side by side, or two of trump, where one level may have several: else there is none.
    if twice & twice >> 1 or trumps & trumps - 1:
        return _tractor_leads(order, twice)
    return ()


@lru_cache(maxsize=1 << 15)
def _tractor_leads(order: Order, twice: int) -> tuple[int, ...]:
    found: tuple[int, ...] = ()
    for suit in order.suits:
        pairs = twice & suit.mask
        if pairs & pairs >> 1 if suit.is_flat else pairs & pairs - 1:
            found += tractors_in(suit, pairs)
    return found


_POWERS_OF_3: tuple[int, ...] = tuple(3**pairs for pairs in range(28))


def count_throws(order: Order, once: int, twice: int) -> int:
    """Return the number of distinct throws of trumps, were they allowed."""
    singles, pairs = once & order.trumps, twice & order.trumps
    types = singles.bit_count()
    both = pairs.bit_count()
    units = types + both + len(tractor_leads(order, pairs))
    return (1 << types - both) * _POWERS_OF_3[both] - 1 - units
