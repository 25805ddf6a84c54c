"""Numbers found by play: what hands are worth to a declarer, and the weights of `counter`."""

from __future__ import annotations

from dataclasses import dataclass

from erqiwang.bots.burying import BuryWeights
from erqiwang.bots.valuation import Model
from erqiwang.bots.weighing import Weights
from erqiwang.rules import Profile

DECLARING = Weights(trump_rank=2.5, master_trump=4.0)
DEFENDING = Weights(trump_rank=8.0)
BURYING = BuryWeights()
MARGIN = -0.3
"""What a bid must be worth, for one defender's share: passing costs too, when another makes his contract."""


@dataclass(frozen=True, slots=True)
class Fit:
    """The models of one deck: for the hand as it was dealt, and with the kitty, before burying."""

    dealt: Model
    with_kitty: Model


# Fitted to 450 forced declarers each, 1200 for the two decks of four players.
FOUR_SEATS_108 = Fit(
    Model(226.4, (-5.4, -3.7, -3.6, -3.0, -2.1, -8.7, -0.1, -12.2, -1.0, -6.4, -1.9, -0.23), 33.0),
    Model(328.7, (-9.5, -2.2, -2.6, -0.6, -0.2, -10.9, -0.8, -11.7, -3.2, -7.4, -1.5, -0.25), 28.2),
)
FOUR_SEATS_92 = Fit(
    Model(247.7, (-7.4, -11.2, -8.7, -5.1, -1.4, -12.6, -8.0, 0.2, -1.5, -3.9, -3.0, 0.27), 48.8),
    Model(351.3, (-11.6, -4.6, -11.1, -2.5, 1.3, -18.7, -3.4, -7.0, -7.0, -5.4, -3.1, 0.26), 39.1),
)
THREE_SEATS_92 = Fit(
    Model(287.4, (-11.8, -1.7, 6.0, 0.2, 0.5, -4.1, 2.5, -13.5, -6.3, -5.1, -3.7, -0.40), 34.1),
    Model(334.8, (-9.8, -2.0, 2.0, -1.8, -0.2, -8.3, 2.6, -11.5, -7.5, -4.6, -7.1, -0.39), 30.1),
)
FOUR_SEATS_54 = Fit(
    Model(103.7, (-0.4, -1.8, -3.7, -1.2, -0.4, 0.0, -2.2, 0.0, -2.4, 0.0, -6.5, -0.38), 18.2),
    Model(134.9, (-7.1, -3.3, -3.8, -3.2, 0.1, 0.0, -3.5, 0.0, -5.7, 0.0, -3.3, -0.18), 15.0),
)
_FITS = {(4, 108): FOUR_SEATS_108, (4, 92): FOUR_SEATS_92, (3, 92): THREE_SEATS_92, (4, 54): FOUR_SEATS_54}


def fit_for(profile: Profile) -> Fit:
    """Return the models for a deck and a number of seats; for others those of the two full decks."""
    return _FITS.get((profile.seats, len(profile.deck)), FOUR_SEATS_108)
