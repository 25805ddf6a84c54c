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
from typing import TypeAlias

from erqiwang.chance import TableRandom
from erqiwang.rules import Card, SeatView, Trump


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
