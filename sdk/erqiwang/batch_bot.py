"""A bot that decides at many tables at once, as a network does that wants its inputs in one batch.

::

    from erqiwang import BatchBot, run

    class Net(BatchBot):
        def decide_many(self, views):
            return [view.fallback() for view in views]

    if __name__ == "__main__":
        run(Net)
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import TypeVar

from erqiwang.answers import action_of
from erqiwang.bot import Bot
from erqiwang.chance import TableRandom
from erqiwang.rules import Action, Bid, Bury, Card, NameTrump, Play, SeatView, Surrender, Trump

_Wanted = TypeVar("_Wanted", bound=Action)


class BatchBot(Bot):
    """A player that is one object for all tables and is asked for all decisions that are owed at once.

    What it remembers of a table it keeps by the table's view, which is the same object from `table_opened`
    to `table_over`, unless the stream broke: then the table opens again, with a new view.
    """

    randoms: Mapping[SeatView, TableRandom]
    """In `decide_many`, the source of random choices of each table."""

    @abstractmethod
    def decide_many(self, views: Sequence[SeatView]) -> Sequence[Action]:
        """Return an action for each view, in their order; every view is of another table.

        `view.kind` says what is wanted: `Bid`, `NameTrump`, `Bury` or `Play`, and where
        `view.may_surrender` holds it may be `Surrender`.
        """

    def bid(self, view: SeatView) -> int | None:
        """Ask `decide_many` for one table."""
        return self._decide_one(view, Bid).value

    def name_trump(self, view: SeatView) -> Trump:
        """Ask `decide_many` for one table."""
        return self._decide_one(view, NameTrump).trump

    def bury(self, view: SeatView) -> tuple[Card, ...]:
        """Ask `decide_many` for one table."""
        return self._decide_one(view, Bury).cards

    def play(self, view: SeatView) -> tuple[Card, ...]:
        """Ask `decide_many` for one table."""
        return self._decide_one(view, Play).cards

    def surrender(self, view: SeatView) -> bool:
        """Ask `decide_many` for one table."""
        return isinstance(self.decide_one(view), Surrender)

    def decide_one(self, view: SeatView) -> Action:
        """Ask for the decision of one table, with `self.random` as its source."""
        return decide_together(self, {view: self.random})[0]

    def _decide_one(self, view: SeatView, wanted: type[_Wanted]) -> _Wanted:
        action = self.decide_one(view)
        if not isinstance(action, wanted):
            raise TypeError(f"decide_many() gave {action!r} where {wanted.__name__} was wanted")
        return action


def decide_together(bot: BatchBot, randoms: Mapping[SeatView, TableRandom]) -> tuple[Action, ...]:
    """Ask for the decisions of some tables; raises `TypeError` if the answer is of no use."""
    bot.randoms = randoms
    actions = tuple(bot.decide_many(tuple(randoms)))
    if len(actions) != len(randoms):
        raise TypeError(f"decide_many() gave {len(actions)} actions for {len(randoms)} views")
    return tuple(action_of("decide_many", action) for action in actions)
