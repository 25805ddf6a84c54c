"""Trump: what the declarer names, and the suit and order of every card under it.

>>> Trump.SPADES.level(Card.H7) < Trump.SPADES.level(Card.S7) < Trump.SPADES.level(Card.LJ)
True
>>> Trump.NONE.effective_suit(Card.H2), Trump.NONE.effective_suit(Card.H3)
('T', 'H')
"""

from __future__ import annotations

from enum import Enum

from erqiwang.rules.card import RANKS, Card

TRUMP_SUIT = "T"
"""The effective suit of every trump."""

_PLAIN = "".join(rank for rank in reversed(RANKS) if rank not in "72")
_TOP = len(_PLAIN)


class Trump(Enum):
    """The trump suit of a contract, or no-trump; the numbers are those of the wire."""

    SPADES = 1
    HEARTS = 2
    CLUBS = 3
    DIAMONDS = 4
    NONE = 5

    @property
    def letter(self) -> str:
        """One of `SHCDN`."""
        return "SHCDN"[self.value - 1]

    @classmethod
    def parse(cls, letter: str) -> Trump:
        """Read one of `SHCDN`; raise `ValueError` for anything else."""
        if len(letter) != 1 or letter not in "SHCDN":
            raise ValueError(f"no such trump: {letter!r}")
        return cls("SHCDN".index(letter) + 1)

    def __str__(self) -> str:
        return self.letter

    def effective_suit(self, card: Card) -> str:
        """`T` for a trump, else the printed suit (R-16)."""
        if card.is_joker or card.rank in "72" or card.suit == self.letter:
            return TRUMP_SUIT
        return card.suit

    def level(self, card: Card) -> int:
        """Height of a card within its effective suit; equal cards share a level (R-17, R-18, R-25).

        Levels are for comparing. Those of a deck without threes and fours have gaps; whether two cards are
        neighbours is a question to the order of the deck (`erqiwang.rules.order`).
        """
        if card.is_joker:
            return _TOP + (5 if card is Card.BJ else 4)
        if card.rank in "72":
            base = _TOP + (2 if card.rank == "7" else 0)
            return base + (card.suit == self.letter)
        return _PLAIN.index(card.rank)
