"""What a bot's methods return, made into actions; `TypeError` names the method if it is of no use."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from erqiwang.rules import Action, Bid, Bury, Card, NameTrump, Play, Surrender, Trump

_Value = TypeVar("_Value")


def bid_of(value: int | None) -> Bid:
    """Make what `bid` returned an action."""
    if value is None:
        return Bid(None)
    if isinstance(value, bool):  # a bool is an int, but no bid
        raise TypeError(f"bid() gave {value!r} where int was wanted")
    return Bid(_instance("bid", value, int))


def trump_of(value: Trump) -> NameTrump:
    """Make what `name_trump` returned an action."""
    return NameTrump(_instance("name_trump", value, Trump))


def burial_of(value: Iterable[Card]) -> Bury:
    """Make what `bury` returned an action."""
    return Bury(_cards("bury", value))


def play_of(value: Iterable[Card]) -> Play:
    """Make what `play` returned an action."""
    return Play(_cards("play", value))


def action_of(method: str, value: Action) -> Action:
    """Check an action that a method returned as such."""
    match value:
        case Play() | Bury():
            _cards(method, value.cards)
        case Bid():
            bid_of(value.value)
        case NameTrump():
            trump_of(value.trump)
        case Surrender():
            pass
        case _:
            raise TypeError(f"{method}() gave {value!r} where an action was wanted")
    return value


def _cards(method: str, cards: Iterable[Card]) -> tuple[Card, ...]:
    held = tuple(cards)
    for card in held:
        _instance(method, card, Card)
    return held


def _instance(method: str, value: _Value, wanted: type[_Value]) -> _Value:
    if not isinstance(value, wanted):
        raise TypeError(f"{method}() gave {value!r} where {wanted.__name__} was wanted")
    return value
