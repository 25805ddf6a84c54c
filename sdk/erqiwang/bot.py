"""What an author writes: a class with one method for each decision of the game.

A complete bot::

    from erqiwang import Bot, run

    class First(Bot):
        def bid(self, view):
            return view.legal_bids()[0] if view.standing_bid is None else None

        def name_trump(self, view):
            return view.fallback().trump

        def bury(self, view):
            return view.fallback().cards

        def play(self, view):
            return next(iter(view.legal_plays()))

    if __name__ == "__main__":
        run(First)
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from typing import TypeAlias, TypeVar

from erqiwang.chance import TableRandom
from erqiwang.rules import Action, Bid, Bury, Card, NameTrump, Play, SeatView, Surrender, Trump, TurnKind

_Value = TypeVar("_Value")


class Bot(ABC):
    """A player. Give `run` the class and every table gets an object of its own, or one object for all.

    `view` is what the seat may see, up to date; `self.random` is the table's own source of random choices. A
    bot that uses no other source decides the same way again when a table is replayed.
    """

    random: TableRandom

    @abstractmethod
    def bid(self, view: SeatView) -> int | None:
        """Bid one of `view.legal_bids()`, or pass with None; a low bid is ambitious, a pass final."""

    @abstractmethod
    def name_trump(self, view: SeatView) -> Trump:
        """Name one of `view.legal_trumps()`; the kitty is in the hand already."""

    @abstractmethod
    def bury(self, view: SeatView) -> Iterable[Card]:
        """Put down as many cards as the kitty held."""

    @abstractmethod
    def play(self, view: SeatView) -> Iterable[Card]:
        """Lead (`view.lead` is empty) or follow with cards for which `view.is_legal` holds."""

    def surrender(self, view: SeatView) -> bool:
        """Give the contract up? Asked before burying and before the first lead, where the rules allow it."""
        return False

    def table_opened(self, view: SeatView) -> None:  # noqa: B027 - a hook, free to be left alone
        """Learn that a table opened; nothing is known of it yet but the profile and the seat."""

    def table_over(self, view: SeatView) -> None:  # noqa: B027 - a hook, free to be left alone
        """Learn that a table ended: `view.settled` is its result."""


BotFactory: TypeAlias = Callable[[], Bot]
"""A class or function that makes a fresh bot for a table."""


def decide(bot: Bot, view: SeatView) -> Action:
    """Ask the bot for the decision that its seat owes; raises `TypeError` if the answer is of no use."""
    if view.may_surrender and bot.surrender(view):
        return Surrender()
    match view.kind:
        case TurnKind.PLAY:
            return Play(_cards("play", bot.play(view)))
        case TurnKind.BID:
            return Bid(_bid(bot.bid(view)))
        case TurnKind.NAME_TRUMP:
            return NameTrump(_instance("name_trump", bot.name_trump(view), Trump))
        case TurnKind.BURY:
            return Bury(_cards("bury", bot.bury(view)))
        case None:
            raise ValueError(f"seat {view.seat} owes no decision")


def factory_of(bot: Bot | BotFactory) -> BotFactory:
    """Make a factory that gives the one object for every table, or pass a factory on."""
    return (lambda: bot) if isinstance(bot, Bot) else bot


def _bid(value: int | None) -> int | None:
    if value is None:
        return None
    if isinstance(value, bool):  # a bool is an int, but no bid
        raise TypeError(f"bid() gave {value!r} where int was wanted")
    return _instance("bid", value, int)


def _cards(method: str, cards: Iterable[Card]) -> tuple[Card, ...]:
    held = tuple(cards)
    for card in held:
        _instance(method, card, Card)
    return held


def _instance(method: str, value: _Value, wanted: type[_Value]) -> _Value:
    if not isinstance(value, wanted):
        raise TypeError(f"{method}() gave {value!r} where {wanted.__name__} was wanted")
    return value
