"""Cards as a person wants them: sorted by effective suit, the highest first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from erqiwang.rules import Card, Trump, format_cards

_SUITS: Final = "TSHCD"
_NAMES: Final = {"T": "trump", "S": "spades", "H": "hearts", "C": "clubs", "D": "diamonds"}


def suits_of(cards: Iterable[Card], trump: Trump | None) -> dict[str, tuple[Card, ...]]:
    """Sort cards by effective suit; before trump is named only jokers, sevens and twos are trumps."""
    order = trump or Trump.NONE
    held: dict[str, list[Card]] = {}
    for card in sorted(cards, key=lambda each: (-order.level(each), each)):
        held.setdefault(order.effective_suit(card), []).append(card)
    return {suit: tuple(held[suit]) for suit in _SUITS if suit in held}


def hand_line(cards: Iterable[Card], trump: Trump | None) -> str:
    """Write a hand on one line.

    >>> from erqiwang.rules import parse_cards
    >>> hand_line(parse_cards("S5 BJ SA H2"), Trump.SPADES)
    'BJ H2 SA S5'
    >>> hand_line(parse_cards("S5 BJ SA H3"), Trump.HEARTS)
    'BJ H3 | SA S5'
    """
    return " | ".join(format_cards(suit) for suit in suits_of(cards, trump).values())


def hand_lines(cards: Iterable[Card], trump: Trump | None) -> Sequence[str]:
    """Write a hand, a line for each effective suit."""
    return [f"  {_NAMES[suit]:>8}: {format_cards(held)}" for suit, held in suits_of(cards, trump).items()]
