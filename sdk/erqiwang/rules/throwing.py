"""The units of a throw (rule book 4.3), and whether another hand beats one of them (`throw_rule=max_now`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from erqiwang.rules.order import Order, Suit, bits_of
from erqiwang.rules.shape import tractors_in


def units_of(suit: Suit, once: int, twice: int) -> Iterator[tuple[int, int]]:
    """Yield the units of a set of one suit: tractors, longest first, then pairs, then singles."""
    rest = twice
    while True:
        tractors = tractors_in(suit, rest)
        if not tractors:
            break
        longest = max(tractors, key=lambda pairs: (pairs.bit_count(), _top(suit, pairs), -pairs))
        yield longest, longest
        rest ^= longest
    for pair in sorted(bits_of(rest), key=lambda bit: (-_top(suit, bit), bit)):
        yield pair, pair
    for single in sorted(bits_of(once & ~twice), key=lambda bit: (-_top(suit, bit), bit)):
        yield single, 0


def _top(suit: Suit, mask: int) -> int:
    return suit.levels[mask.bit_length() - 1 - suit.shift]


def beaten_unit(order: Order, once: int, twice: int, others: Iterable[tuple[int, int]]) -> tuple[int, int]:
    """Return the unit of a throw of trumps that must be led alone, or an empty set if the throw stands.

    Among the units that some other hand beats it is the one with the fewest cards, then the lowest top.
    """
    suit = order.suits[-1]
    hands = [(held & suit.mask, pairs & suit.mask) for held, pairs in others]
    beaten = [
        (types, pairs)
        for types, pairs in units_of(suit, once, twice)
        if any(_beats(suit, hand, types, pairs) for hand in hands)
    ]
    return min(
        beaten,
        key=lambda unit: (unit[0].bit_count() + unit[1].bit_count(), _top(suit, unit[0]), unit[0]),
        default=(0, 0),
    )


def _beats(suit: Suit, hand: tuple[int, int], types: int, pairs: int) -> bool:
    """Whether a hand holds a higher unit of the same shape (R-69)."""
    top, size = _top(suit, types), types.bit_count()
    if size > 1:
        return any(
            tractor.bit_count() == size and _top(suit, tractor) > top
            for tractor in tractors_in(suit, hand[1])
        )
    held = hand[1] if pairs else hand[0]
    return held > 0 and _top(suit, held) > top
