"""Remembers every card and weighs each play by what the others may still hold."""

from __future__ import annotations

from erqiwang.bot import Bot
from erqiwang.bots.burying import BuryWeights, choose_burial
from erqiwang.bots.candidates import follows, leads
from erqiwang.bots.fitted import BURYING, DECLARING, DEFENDING, MARGIN, model_for
from erqiwang.bots.reading import Reading, standing_of
from erqiwang.bots.valuation import appraise, best_bid
from erqiwang.bots.weighing import Weighing, Weights
from erqiwang.client import run
from erqiwang.rules import Card, SeatView, Trump

NAME = "counter"
VERSION = "1"


class CounterBot(Bot):
    """The strongest starter."""

    declaring: Weights = DECLARING
    defending: Weights = DEFENDING
    burying: BuryWeights = BURYING
    margin: float = MARGIN

    def __init__(self) -> None:
        self._reading: Reading | None = None

    def bid(self, view: SeatView) -> int | None:
        """Bid what is worth most, if anything is worth bidding."""
        model = model_for(view.profile)
        _, mean = appraise(view.profile, view.hand, model)
        return best_bid(view.profile, view.legal_bids(), mean, model.spread, self.margin)

    def name_trump(self, view: SeatView) -> Trump:
        """Name the trump under which the defenders are to expect least."""
        trump, _ = appraise(view.profile, view.hand, model_for(view.profile))
        return trump

    def bury(self, view: SeatView) -> tuple[Card, ...]:
        """Empty weak suits; hide points only where the last trick looks safe."""
        return choose_burial(view, self.burying)

    def play(self, view: SeatView) -> tuple[Card, ...]:
        """Play the candidate that weighs most."""
        if self._reading is None:
            self._reading = Reading.of(view)
        reading = self._reading
        reading.read()
        standing = standing_of(reading)
        weights = self.declaring if view.seat == view.declarer else self.defending
        weighing = Weighing(reading, standing, weights)
        plays = follows(reading, standing.lead, weighing.cost) if standing else leads(reading)
        once, twice = max(plays, key=lambda play: (weighing.value(play), play))
        return reading.order.cards_of(once, twice)


if __name__ == "__main__":
    run(CounterBot)
