"""Remembers every card and weighs each play by what the others may still hold."""

from __future__ import annotations

from erqiwang.bot import Bot
from erqiwang.bots.burying import BuryWeights, choose_burial
from erqiwang.bots.candidates import follows, leads
from erqiwang.bots.fitted import BURYING, DECLARING, DEFENDING, MARGIN, fit_for
from erqiwang.bots.reading import Reading, standing_of
from erqiwang.bots.valuation import appraise, best_bid, counts, outlook, worth
from erqiwang.bots.weighing import Weighing, Weights
from erqiwang.client import run
from erqiwang.rules import Card, SeatView, Trump, TurnKind
from erqiwang.rules.settlement import surrender_scores

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
        model = fit_for(view.profile).dealt
        _, mean = appraise(view.profile, view.hand, model)
        chances = outlook(view.profile, mean, model.spread)
        return best_bid(view.profile, view.legal_bids(), chances, self.margin)

    def name_trump(self, view: SeatView) -> Trump:
        """Name the trump under which the defenders are to expect least."""
        trump, _ = appraise(view.profile, view.hand, fit_for(view.profile).with_kitty)
        return trump

    def surrender(self, view: SeatView) -> bool:
        """Give up before burying where playing on is worth less than that costs."""
        bid = view.bid
        if view.kind is not TurnKind.BURY or bid is None:
            return False
        profile, order = view.profile, view.order
        model = fit_for(profile).with_kitty
        mean = model.mean(counts(order, order.masks(view.hand)))
        cost = surrender_scores(profile, declarer=view.seat, bid=bid)[view.seat] / profile.defenders
        return worth(profile, bid, outlook(profile, mean, model.spread)) < cost

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
