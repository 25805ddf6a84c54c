"""Plays the rule book's fallback at every turn, but opens with the highest bid, or nobody would play."""

from __future__ import annotations

from erqiwang.bot import Bot
from erqiwang.client import run
from erqiwang.rules import Bury, Card, NameTrump, Play, SeatView, Trump

NAME = "lowest"
VERSION = "1"


class LowestBot(Bot):
    """What a player is worth that always takes the way out which a referee offers."""

    def bid(self, view: SeatView) -> int | None:
        """Open with the highest bid and never overbid."""
        return view.legal_bids()[0] if view.standing_bid is None else None

    def name_trump(self, view: SeatView) -> Trump:
        """Name the suit with the most trumps."""
        action = view.fallback()
        assert isinstance(action, NameTrump)
        return action.trump

    def bury(self, view: SeatView) -> tuple[Card, ...]:
        """Bury the lowest cards."""
        action = view.fallback()
        assert isinstance(action, Bury)
        return action.cards

    def play(self, view: SeatView) -> tuple[Card, ...]:
        """Lead or follow with the lowest cards."""
        action = view.fallback()
        assert isinstance(action, Play)
        return action.cards


if __name__ == "__main__":
    run(LowestBot)
