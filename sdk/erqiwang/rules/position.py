"""A decision of the play as one seat sees it: which cards are legal, how many ways there are, one at random.

Everything here is built from the tests in `lead` and `follow`; nothing else decides what is legal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from erqiwang.rules.action import Play
from erqiwang.rules.card import Card
from erqiwang.rules.follow import Duty, duty_of, verify_follow
from erqiwang.rules.lead import count_throws, tractor_leads, verify_lead
from erqiwang.rules.order import Order, bits_of, nth_bit
from erqiwang.rules.shape import Shape, ShapeKind, shape_of
from erqiwang.rules.violation import RuleViolation


class Position(NamedTuple):
    """A hand, and what it is to answer: a lead, or with `None` the choice of one."""

    order: Order
    once: int
    twice: int
    lead: Shape | None
    may_throw: bool
    tractor_owed: bool

    def verify(self, cards: tuple[Card, ...]) -> None:
        """Raise `RuleViolation` if these cards may not be played."""
        if self.lead is None:
            verify_lead(self.order, self.once, self.twice, self.may_throw, cards)
        else:
            verify_follow(self.order, self.once, self.twice, self.lead, self.tractor_owed, cards)

    def violation(self, cards: tuple[Card, ...]) -> RuleViolation | None:
        """Return what `verify` would raise."""
        try:
            self.verify(cards)
        except RuleViolation as violation:
            return violation
        return None

    def legal_plays(self) -> Iterator[tuple[Card, ...]]:
        """Yield each distinct legal play once.

        Leads: singles, pairs, tractors, then throws by their number of cards. Follows: by the pairs and
        cards owed. Within each: from the lowest up, side suits in the order S H C D before trump.
        """
        cards_of = self.order.cards_of
        masks = self._lead_masks() if self.lead is None else self._follow_masks(self.duty())
        return (cards_of(once, twice) for once, twice in masks)

    def count_legal_plays(self) -> int:
        """Return how many plays `legal_plays` would yield, without making them."""
        if self.lead is not None:
            return self.duty().size()
        order, once, twice = self.order, self.once, self.twice
        units = once.bit_count() + twice.bit_count() + len(tractor_leads(order, twice))
        return units + count_throws(order, once, twice) if self.may_throw else units

    def fallback(self) -> Play:
        """Play the least valuable lead, or the duty with the lowest levels and the least valuable rest."""
        order, lead = self.order, self.lead
        if lead is None:
            return order.plays[order.lowest(self.once, 0, 1)[0]]
        if lead.size > 1:
            return Play(order.cards_of(*self.duty().lowest(order)))
        followed = self.once & lead.mask
        return order.plays[followed & -followed if followed else order.lowest(self.once, 0, 1)[0]]

    def random(self, below: Callable[[int], int]) -> Play:
        """Return some legal play; every one can come up. `below(n)` is a random number from 0 to n - 1."""
        order, once, twice, lead, may_throw, tractor_owed = self
        if lead is None:
            return random_lead(order, once, twice, may_throw, below)
        return random_follow(order, once, twice, lead, tractor_owed, below)

    def duty(self) -> Duty:
        """Return what is owed to the lead."""
        assert self.lead is not None
        return duty_of(self.order, self.once, self.twice, self.lead, self.tractor_owed)

    def _follow_masks(self, duty: Duty) -> Iterator[tuple[int, int]]:
        for once, twice in duty.options:
            for more, doubled in subsets(duty.pool_once, duty.pool_twice, duty.free):
                yield once | more, twice | doubled

    def _lead_masks(self) -> Iterator[tuple[int, int]]:
        order, once, twice = self.order, self.once, self.twice
        yield from ((bit, 0) for bit in bits_of(once))
        yield from ((bit, bit) for bit in bits_of(twice))
        yield from ((pairs, pairs) for pairs in tractor_leads(order, twice))
        if self.may_throw:
            once, twice = once & order.trumps, twice & order.trumps
            for count in range(2, once.bit_count() + twice.bit_count() + 1):
                for thrown, doubled in subsets(once, twice, count):
                    shape = shape_of(order, thrown, doubled)
                    if shape is not None and shape.kind is ShapeKind.THROW:
                        yield thrown, doubled


def random_follow(
    order: Order, once: int, twice: int, lead: Shape, tractor_owed: bool, below: Callable[[int], int]
) -> Play:
    """Return some legal play of a hand that follows a lead."""
    if lead.size == 1:
        choice = once & lead.mask or once
        return order.plays[nth_bit(choice, below(choice.bit_count()))]
    options, free, pool_once, pool_twice, _ = duty_of(order, once, twice, lead, tractor_owed)
    once, twice = options[below(len(options)) if len(options) > 1 else 0]
    if free:
        more, doubled = random_subset(pool_once, pool_twice, free, below)
        once, twice = once | more, twice | doubled
    return Play(order.cards_of(once, twice))


def random_lead(order: Order, once: int, twice: int, may_throw: bool, below: Callable[[int], int]) -> Play:
    """Return some legal lead of a hand."""
    if may_throw and not below(2):
        trumps, doubled = once & order.trumps, twice & order.trumps
        held = trumps.bit_count() + doubled.bit_count()
        if held:  # a single unit may come up too, and is as legal
            return Play(order.cards_of(*random_subset(trumps, doubled, 1 + below(held), below)))
    singles, pairs = once.bit_count(), twice.bit_count()
    tractors = tractor_leads(order, twice) if pairs > 1 else ()
    index = below(singles + pairs + len(tractors))
    if index < singles:
        return order.plays[nth_bit(once, index)]
    index -= singles
    chosen = nth_bit(twice, index) if index < pairs else tractors[index - pairs]
    return Play(order.cards_of(chosen, chosen))


def subsets(once: int, twice: int, count: int) -> Iterator[tuple[int, int]]:
    """Yield every set of `count` cards within a set, those with the lowest types first."""
    if not count:
        yield 0, 0
        return
    if once.bit_count() + twice.bit_count() < count:
        return
    bit = once & -once
    rest, pairs = once ^ bit, twice & ~bit
    if twice & bit and count > 1:
        for more, doubled in subsets(rest, pairs, count - 2):
            yield more | bit, doubled | bit
    for more, doubled in subsets(rest, pairs, count - 1):
        yield more | bit, doubled
    yield from subsets(rest, pairs, count)


def random_subset(once: int, twice: int, count: int, below: Callable[[int], int]) -> tuple[int, int]:
    """Return `count` cards of a set, each card as likely as another."""
    taken = doubled = 0
    for _ in range(count):
        types = once.bit_count()
        index = below(types + twice.bit_count())
        bit = nth_bit(once, index) if index < types else nth_bit(twice, index - types)
        if twice & bit:
            twice ^= bit
        else:
            once ^= bit
        doubled |= taken & bit
        taken |= bit
    return taken, doubled
