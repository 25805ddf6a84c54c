"""Plays any legal cards; bids recklessly, the least that the rules ask."""

from __future__ import annotations

from erqiwang.bot import Bot
from erqiwang.client import run
from erqiwang.rules import Card, SeatView, Trump

NAME = "random"
VERSION = "1"


class RandomBot(Bot):
    """The weakest starter: its choices depend on the table's seed alone."""

    def bid(self, view: SeatView) -> int | None:
        """Open every other time, overbid one time in four, by the least that the rules ask."""
        odds = 2 if view.standing_bid is None else 4
        if not self.random.below(odds):
            return view.legal_bids()[0]
        return None

    def name_trump(self, view: SeatView) -> Trump:
        """Name any trump."""
        return self.random.choice(view.legal_trumps())

    def bury(self, view: SeatView) -> list[Card]:
        """Bury any cards."""
        return self.random.shuffled(view.hand)[: view.profile.kitty_size]

    def play(self, view: SeatView) -> tuple[Card, ...]:
        """Play anything legal."""
        return view.random_legal_play(self.random.below)


if __name__ == "__main__":
    run(RandomBot)
