"""Cards and trump on the wire: one byte a card, the byte being the number of the card."""

from __future__ import annotations

from collections.abc import Iterable

from erqiwang.errors import WireError
from erqiwang.rules import Card, Trump
from erqiwang.v1 import cards_pb2

_CARD_OF_BYTE: dict[int, Card] = {card.value: card for card in Card}
_SINGLES: dict[bytes, tuple[Card, ...]] = {bytes((card.value,)): (card,) for card in Card}
_TRUMP_OF_NUMBER: dict[int, Trump] = {trump.value: trump for trump in Trump}


def cards_to_wire(cards: Iterable[Card]) -> bytes:
    """Write one byte a card, in the order given.

    >>> from erqiwang.rules import parse_cards
    >>> cards_to_wire(parse_cards("SA BJ")).hex()
    '0135'
    """
    return bytes(cards)


def cards_from_wire(data: bytes) -> tuple[Card, ...]:
    """Read the cards of a byte string, in its order; raises `WireError` for a byte that is no card."""
    single = _SINGLES.get(data)
    if single is not None:
        return single
    try:
        return tuple([_CARD_OF_BYTE[byte] for byte in data])
    except KeyError as unknown:
        raise WireError(f"no card has the number {unknown.args[0]}") from None


def trump_to_wire(trump: Trump) -> cards_pb2.Trump.ValueType:
    """Give the number of a trump."""
    return cards_pb2.Trump.ValueType(trump.value)


def trump_from_wire(number: int) -> Trump:
    """Give the trump of a number; raises `WireError` for one that names none."""
    try:
        return _TRUMP_OF_NUMBER[number]
    except KeyError:
        raise WireError(f"no trump has the number {number}") from None
