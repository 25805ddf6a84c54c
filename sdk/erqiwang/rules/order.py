"""The order of one deck under one trump.

Every card type has a bit. Each effective suit is one contiguous range of bits, ascending by level, and the
trumps are the highest range; a set of cards is then two integers, the types held at least once and the
types held twice. The tables here answer what depends on deck and trump alone: the rules need only
arithmetic on those integers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from erqiwang.rules.action import Play
from erqiwang.rules.card import SUITS, Card, card_points
from erqiwang.rules.profile import NoTrumpTractors, Profile, types_of
from erqiwang.rules.suit import Shape, ShapeKind, Suit
from erqiwang.rules.trump import TRUMP_SUIT, Trump

__all__ = ["NO_FACE", "TRUMP_STRENGTH", "UNHELD", "Order", "Suit", "bits_of", "nth_bit", "order_for"]

TRUMP_STRENGTH = 64
"""Added to the level of a trump, so that every trump is stronger than every side card."""

UNHELD = (-1, -1)
"""A set with every type twice, and more: no hand contains it."""

Face: TypeAlias = tuple[int, int, int, Shape]
"""Bit, strength and points of a card, and its shape as a lead: all that a play of it alone is judged by."""

NO_FACE = (0, 0, 0, None)
"""In place of that of a card which the deck does not have."""


@dataclass(frozen=True, slots=True, eq=False)
class Order:
    """The tables for one deck and one trump."""

    trump: Trump
    cards: tuple[Card, ...]
    """Types by number of their bit."""
    bits: Mapping[Card, int]
    faces: Mapping[Card, Face]
    singles: Mapping[int, tuple[Card, ...]]
    """The one card of a bit, as cards to play."""
    plays: Mapping[int, Play]
    """The same as actions."""
    strengths: Mapping[int, int]
    """Strength of a bit: the higher wins, equal ones are equal cards (R-17, R-18)."""
    suits: tuple[Suit, ...]
    """The side suits in the order S H C D, then trump."""
    suit_at: tuple[Suit, ...]
    """The suit of the highest bit of a number, by the number's bit length."""
    trumps: int
    fives: int
    tens: int
    """The types worth ten points (R-03)."""
    ladder: tuple[int, ...]
    """Sets of types from the least valuable up: trump last, points last, then by level."""

    def masks(self, cards: Sequence[Card]) -> tuple[int, int]:
        """Return the types among some cards and those that occur twice.

        Cards that nobody can hold (three of a type, a card that the deck does not have) give `UNHELD`.
        """
        bits = self.bits
        once = twice = 0
        for card in cards:
            bit = bits.get(card, 0)
            if once & bit:
                twice |= bit
            else:
                once |= bit
        # A third copy adds no bit, nor does a card that has none.
        if once.bit_count() + twice.bit_count() != len(cards):
            return UNHELD
        return once, twice

    def cards_of(self, once: int, twice: int) -> tuple[Card, ...]:
        """Return the cards of a set, ascending by strength within each suit."""
        types = self.cards
        cards: list[Card] = []
        while once:
            bit = once & -once
            once ^= bit
            card = types[bit.bit_length() - 1]
            cards.append(card)
            if twice & bit:
                cards.append(card)
        return tuple(cards)

    def points(self, once: int, twice: int) -> int:
        """Return the card points of a set (R-03)."""
        fives, tens = self.fives, self.tens
        return 5 * ((once & fives).bit_count() + (twice & fives).bit_count()) + 10 * (
            (once & tens).bit_count() + (twice & tens).bit_count()
        )

    def single(self, bit: int) -> Shape:
        """Return the shape of one card."""
        return self.faces[self.cards[bit.bit_length() - 1]][3]

    def suit_of(self, once: int) -> Suit | None:
        """Return the effective suit that all cards of a set share, if they do."""
        suit = self.suit_at[once.bit_length()]
        return None if once & ~suit.mask else suit

    def lowest(self, once: int, twice: int, count: int) -> tuple[int, int]:
        """Return the `count` least valuable cards of a set: trump last, points last, level, card number."""
        if count == 1:
            worst = next(once & step for step in self.ladder if once & step)
            return worst & -worst, 0
        taken = doubled = 0
        for step in self.ladder:
            for bit in bits_of(once & step):
                if not count:
                    return taken, doubled
                taken |= bit
                count -= 1
                if count and twice & bit:
                    doubled |= bit
                    count -= 1
        return taken, doubled


def bits_of(mask: int) -> Iterator[int]:
    """Yield the bits of a number, ascending."""
    while mask:
        bit = mask & -mask
        yield bit
        mask ^= bit


def nth_bit(mask: int, index: int) -> int:
    """Return the bit of a number that has `index` others below it."""
    if index > _FEW:  # half of the bits can be passed over at once
        low = mask & _LOW_HALF
        passed = low.bit_count()
        if index < passed:
            mask = low
        else:
            mask ^= low
            index -= passed
    while index:
        mask &= mask - 1
        index -= 1
    return mask & -mask


_FEW = 5
_LOW_HALF = (1 << 27) - 1


def order_for(profile: Profile, trump: Trump) -> Order:
    """Return the order of a profile's deck under a trump."""
    return _build(profile.ranks, trump, profile.no_trump_tractors)


@lru_cache(maxsize=64)
def _build(ranks: str, trump: Trump, no_trump_tractors: NoTrumpTractors) -> Order:
    types = types_of(ranks)
    suits: list[Suit] = []
    cards: list[Card] = []
    sides = sum(trump.effective_suit(card) != TRUMP_SUIT for card in types)
    trumps = (1 << len(types)) - (1 << sides)
    for letter in (*SUITS.replace(trump.letter, ""), TRUMP_SUIT):
        members = [card for card in types if trump.effective_suit(card) == letter]
        members.sort(key=lambda card: (trump.level(card), card))
        suits.append(_suit(letter, len(cards), trumps, _levels(members, trump, no_trump_tractors)))
        cards += members
    bits = {card: 1 << index for index, card in enumerate(cards)}
    suit_at = (suits[0], *(suit for suit in suits for _ in suit.levels))
    return Order(
        trump=trump,
        cards=tuple(cards),
        bits=bits,
        faces={card: _face(card, bit, trump, suit_at) for card, bit in bits.items()},
        singles={bit: (card,) for card, bit in bits.items()},
        plays={bit: Play((card,)) for card, bit in bits.items()},
        strengths={bit: _strength(card, trump) for card, bit in bits.items()},
        suits=tuple(suits),
        suit_at=suit_at,
        trumps=trumps,
        fives=sum(bit for card, bit in bits.items() if card_points(card) == 5),
        tens=sum(bit for card, bit in bits.items() if card_points(card) == 10),
        ladder=_ladder(bits, trump),
    )


def _suit(letter: str, shift: int, trumps: int, levels: tuple[int, ...]) -> Suit:
    mask = (1 << len(levels)) - 1 << shift
    return Suit(
        letter, shift, mask, levels, is_flat=levels == tuple(range(len(levels))), contest=mask | trumps
    )


def _levels(members: list[Card], trump: Trump, no_trump_tractors: NoTrumpTractors) -> tuple[int, ...]:
    heights = sorted({trump.level(card) for card in members})
    if trump is Trump.NONE and members[-1].is_joker:
        places: tuple[int, ...] = _NO_TRUMP_PLACES[no_trump_tractors]
    else:
        places = tuple(range(len(heights)))
    return tuple(places[heights.index(trump.level(card))] for card in members)


# Places of 2, 7, little and big joker; neighbours differ by one.
_NO_TRUMP_PLACES = {
    NoTrumpTractors.LADDER: (0, 1, 2, 3),
    NoTrumpTractors.JOKERS: (0, 2, 4, 5),
    NoTrumpTractors.NONE: (0, 2, 4, 6),
}


def _face(card: Card, bit: int, trump: Trump, suit_at: Sequence[Suit]) -> Face:
    strength, suit = _strength(card, trump), suit_at[bit.bit_length()]
    shape = Shape(ShapeKind.SINGLE, 1, 0, suit, strength, suit.mask, suit.contest)
    return bit, strength, card_points(card), shape


def _strength(card: Card, trump: Trump) -> int:
    base = TRUMP_STRENGTH if trump.effective_suit(card) == TRUMP_SUIT else 0
    return base + trump.level(card) + 1


def _ladder(bits: Mapping[Card, int], trump: Trump) -> tuple[int, ...]:
    steps: dict[tuple[bool, bool, int], int] = {}
    for card, bit in bits.items():
        key = (trump.effective_suit(card) == TRUMP_SUIT, card_points(card) > 0, trump.level(card))
        steps[key] = steps.get(key, 0) | bit
    return tuple(steps[key] for key in sorted(steps))
