"""Plays worth a thought: every single, pair and tractor, and of mixed plays the cheapest and the richest."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from erqiwang.bots.reading import Masks, Reading
from erqiwang.rules.follow import duty_of
from erqiwang.rules.lead import tractor_leads
from erqiwang.rules.order import Order, bits_of
from erqiwang.rules.shape import Shape, ShapeKind, tractors_in

Cost = Callable[[int, bool], float]
"""What it costs to part with a card, given its bit and whether that breaks a pair."""


def leads(reading: Reading) -> Iterator[Masks]:
    """Yield every unit of the hand, and all trumps together where they may be thrown (R-30)."""
    order = reading.order
    once, twice = reading.hand
    for bit in bits_of(once):
        yield bit, 0
    for bit in bits_of(twice):
        yield bit, bit
    for tractor in tractor_leads(order, twice):
        yield tractor, tractor
    if reading.view.may_throw and (trumps := once & order.trumps) & (trumps - 1):
        yield trumps, twice & trumps


def follows(reading: Reading, lead: Shape, cost: Cost) -> Iterator[Masks]:
    """Yield plays that follow a lead: all for a single, else every choice of pairs, filled up both ways."""
    order = reading.order
    once, twice = reading.hand
    if lead.size == 1:
        yield from ((bit, 0) for bit in bits_of(once & lead.suit.mask or once))
        return
    duty = duty_of(order, once, twice, lead, reading.view.profile.tractor_owed)
    for owed_once, owed_twice in duty.options:
        for more, doubled in _fills(order, (duty.pool_once, duty.pool_twice), duty.free, cost):
            yield owed_once | more, owed_twice | doubled
    if not once & lead.suit.mask and not lead.suit.is_trump:
        yield from _ruffs(order, twice, lead)


def _ruffs(order: Order, twice: int, lead: Shape) -> Iterator[Masks]:
    trumps = order.suits[-1]
    pairs = twice & trumps.mask
    if lead.kind is ShapeKind.PAIR:
        yield from ((bit, bit) for bit in bits_of(pairs))
    elif lead.kind is ShapeKind.TRACTOR and pairs:
        for tractor in tractors_in(trumps, pairs):
            if tractor.bit_count() == lead.pairs:
                yield tractor, tractor


def _fills(order: Order, cards: Masks, count: int, cost: Cost) -> Iterator[Masks]:
    """Yield the cheapest `count` cards of a set, and those that bring most points for their cost."""
    if not count:
        yield 0, 0
        return
    once, twice = cards
    priced: list[tuple[float, int, int]] = []
    for bit in bits_of(once):
        is_pair = bool(twice & bit)
        priced += [(cost(bit, is_pair), bit, order.points(bit, 0))] * (1 + is_pair)
    cheapest = _gather(sorted((price + points * 0.5, bit) for price, bit, points in priced)[:count])
    yield cheapest
    richest = _gather(sorted((price - points, bit) for price, bit, points in priced)[:count])
    if richest != cheapest:
        yield richest


def _gather(priced: list[tuple[float, int]]) -> Masks:
    once = twice = 0
    for _, bit in priced:
        twice |= once & bit
        once |= bit
    return once, twice
