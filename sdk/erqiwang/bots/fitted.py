"""Numbers found by play: what hands are worth to a declarer, and the weights of `counter`."""

from __future__ import annotations

from dataclasses import dataclass

from erqiwang.bots.burying import BuryWeights
from erqiwang.bots.valuation import Model
from erqiwang.bots.weighing import Weights
from erqiwang.rules import Profile

DECLARING = Weights(trump_rank=2.5, master_trump=4.0)
DEFENDING = Weights()
BURYING = BuryWeights()
MARGIN = 0.0
"""What a bid must be worth, in points of score for one defender's share."""


@dataclass(frozen=True, slots=True)
class Fit:
    """The models of one deck: for the hand as it was dealt, and with the kitty, before burying."""

    dealt: Model
    with_kitty: Model


FOUR_SEATS_108 = Fit(
    Model(215.1, (-5.0, -7.2, -3.4, -3.2, 0.4, -7.7, 1.3, -13.6, -3.7, -3.7, -3.9, -0.1), 32.9),
    Model(334.0, (-9.6, -3.0, -2.2, -1.4, 0.7, -11.8, 0.0, -10.8, -3.6, -7.8, -2.9, -0.3), 28.0),
)


def fit_for(profile: Profile) -> Fit:
    """Return the models of a deck and a number of seats."""
    return FOUR_SEATS_108
