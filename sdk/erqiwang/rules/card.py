"""Cards and their text.

>>> format_cards(sorted(parse_cards("H7 SA BJ H7")))
'SA H7 H7 BJ'
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum

SUITS = "SHCD"
RANKS = "AKQJT98765432"


class Card(IntEnum):
    """A card type. The value is its number on the wire; in two decks there are two cards of each type."""

    SA = 1
    SK = 2
    SQ = 3
    SJ = 4
    ST = 5
    S9 = 6
    S8 = 7
    S7 = 8
    S6 = 9
    S5 = 10
    S4 = 11
    S3 = 12
    S2 = 13
    HA = 14
    HK = 15
    HQ = 16
    HJ = 17
    HT = 18
    H9 = 19
    H8 = 20
    H7 = 21
    H6 = 22
    H5 = 23
    H4 = 24
    H3 = 25
    H2 = 26
    CA = 27
    CK = 28
    CQ = 29
    CJ = 30
    CT = 31
    C9 = 32
    C8 = 33
    C7 = 34
    C6 = 35
    C5 = 36
    C4 = 37
    C3 = 38
    C2 = 39
    DA = 40
    DK = 41
    DQ = 42
    DJ = 43
    DT = 44
    D9 = 45
    D8 = 46
    D7 = 47
    D6 = 48
    D5 = 49
    D4 = 50
    D3 = 51
    D2 = 52
    BJ = 53
    LJ = 54

    def __str__(self) -> str:
        return self.name

    @property
    def is_joker(self) -> bool:
        """Whether it is the big or the little joker."""
        return self >= Card.BJ

    @property
    def suit(self) -> str:
        """The printed suit, one of `SHCD`; empty for a joker."""
        return _SUIT[self]

    @property
    def rank(self) -> str:
        """The printed rank, one of `AKQJT98765432`; `J` is also the rank of both jokers' text."""
        return _RANK[self]


# By card number: asked for far more often than there are cards.
_SUIT = ("", *("" if card.is_joker else card.name[0] for card in Card))
_RANK = ("", *(card.name[1] for card in Card))

_POINTS = {"5": 5, "T": 10, "K": 10}
CARD_POINTS: tuple[int, ...] = (0, *(0 if card.is_joker else _POINTS.get(card.rank, 0) for card in Card))
"""Points by card number (R-03)."""


def card_points(card: Card) -> int:
    """Points of one card: 5 for a five, 10 for a ten or a king (R-03)."""
    return CARD_POINTS[card]


def points_of(cards: Iterable[Card]) -> int:
    """Points of some cards together (R-03)."""
    points = CARD_POINTS
    return sum([points[card] for card in cards])


def parse_cards(text: str) -> tuple[Card, ...]:
    """Read cards separated by blanks; raise `ValueError` naming the first word that is no card."""
    by_name = _BY_NAME
    try:
        return tuple([by_name[word] for word in text.split()])
    except KeyError as error:
        raise ValueError(f"no such card: {error.args[0]!r}") from None


def format_cards(cards: Iterable[Card]) -> str:
    """Write cards separated by blanks, in the order given."""
    return " ".join([card.name for card in cards])


_BY_NAME = {card.name: card for card in Card}
