"""Effective suits, and the shape of some cards of one.

A set of cards is two integers in the bits of an `Order`: the types held at least once and those held twice.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from erqiwang.rules.trump import TRUMP_SUIT

_NAMES = {"S": "spades", "H": "hearts", "C": "clubs", "D": "diamonds", TRUMP_SUIT: "trump"}


@dataclass(frozen=True, slots=True, eq=False)
class Suit:
    """An effective suit: its range of bits, and the level of each bit counted from the lowest.

    Levels that differ by one are neighbours in a tractor (R-20); where two cards are not to be neighbours, a
    level between them is left empty (R-24).
    """

    letter: str
    shift: int
    mask: int
    levels: tuple[int, ...]
    is_flat: bool
    """Whether bits and levels are the same."""
    contest: int
    """The cards that can win a trick led in the suit: its own and all trumps (R-69)."""

    @property
    def name(self) -> str:
        """The name in messages."""
        return _NAMES[self.letter]

    @property
    def is_trump(self) -> bool:
        """Whether it is the suit of the trumps."""
        return self.letter == TRUMP_SUIT

    def counts(self, pairs: int) -> tuple[int, ...]:
        """How many of some pairs, given as bits, lie on each level."""
        counts = [0] * (self.levels[-1] + 1)
        for index, level in enumerate(self.levels):
            if pairs >> self.shift + index & 1:
                counts[level] += 1
        return tuple(counts)


class ShapeKind(Enum):
    """What a set of cards of one effective suit is (rule book 4.2)."""

    SINGLE = 1
    PAIR = 2
    TRACTOR = 3
    THROW = 4


@dataclass(frozen=True, slots=True)
class Shape:
    """The shape of a set of cards of one effective suit.

    `size` counts cards; `pairs` is 0 for a single and for a throw. `strength` is that of the highest card,
    0 for a throw. `mask` and `contest` are those of the suit.
    """

    kind: ShapeKind
    size: int
    pairs: int
    suit: Suit
    strength: int
    mask: int
    contest: int
