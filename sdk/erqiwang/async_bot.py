"""A bot whose methods are coroutines: while one table waits for an answer from elsewhere, others go on.

::

    from erqiwang import AsyncBot, run

    class Asker(AsyncBot):
        async def bid(self, view):
            return await ask_my_server(view)
        ...

    if __name__ == "__main__":
        run(Asker)
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from contextvars import ContextVar
from typing import TypeAlias, TypeGuard

from erqiwang.answers import bid_of, burial_of, play_of, trump_of
from erqiwang.chance import TableRandom
from erqiwang.rules import Action, Card, SeatView, Surrender, Trump, TurnKind

SOURCE: ContextVar[TableRandom] = ContextVar("erqiwang.random")
"""The source of random choices of the table whose method runs."""


class AsyncBot(ABC):
    """A player like `Bot`, asked for many tables side by side, for the decisions of one in their order.

    Give `run` the class and every table gets an object of its own, or one object for all.
    """

    @property
    def random(self) -> TableRandom:
        """The table's own source of random choices, in every method that the SDK calls."""
        return SOURCE.get()

    @abstractmethod
    async def bid(self, view: SeatView) -> int | None:
        """Bid one of `view.legal_bids()`, or pass with None."""

    @abstractmethod
    async def name_trump(self, view: SeatView) -> Trump:
        """Name one of `view.legal_trumps()`; the kitty is in the hand already."""

    @abstractmethod
    async def bury(self, view: SeatView) -> Iterable[Card]:
        """Put down as many cards as the kitty held."""

    @abstractmethod
    async def play(self, view: SeatView) -> Iterable[Card]:
        """Lead (`view.lead` is empty) or follow with cards for which `view.is_legal` holds."""

    async def surrender(self, view: SeatView) -> bool:
        """Give the contract up? Asked before burying and before the first lead, where the rules allow it."""
        return False

    async def table_opened(self, view: SeatView) -> None:  # noqa: B027 - a hook, free to be left alone
        """Learn that a table opened."""

    async def table_over(self, view: SeatView) -> None:  # noqa: B027 - a hook, free to be left alone
        """Learn that a table ended: `view.settled` is its result."""


AsyncBotFactory: TypeAlias = Callable[[], AsyncBot]
"""A class or function that makes a fresh bot for a table."""


def is_async(bot: object) -> TypeGuard[AsyncBot | type[AsyncBot]]:
    """Whether something is a bot, or a class of bots, whose methods are coroutines."""
    return isinstance(bot, AsyncBot) or (isinstance(bot, type) and issubclass(bot, AsyncBot))


def async_factory_of(bot: AsyncBot | AsyncBotFactory) -> AsyncBotFactory:
    """Make a factory that gives the one object for every table, or pass a factory on."""
    return (lambda: bot) if isinstance(bot, AsyncBot) else bot


async def decide_async(bot: AsyncBot, view: SeatView) -> Action:
    """Ask the bot for the decision that its seat owes; raises `TypeError` if the answer is of no use."""
    if view.may_surrender and await bot.surrender(view):
        return Surrender()
    match view.kind:
        case TurnKind.PLAY:
            return play_of(await bot.play(view))
        case TurnKind.BID:
            return bid_of(await bot.bid(view))
        case TurnKind.NAME_TRUMP:
            return trump_of(await bot.name_trump(view))
        case TurnKind.BURY:
            return burial_of(await bot.bury(view))
        case None:
            raise ValueError(f"seat {view.seat} owes no decision")
