"""Numbers found by play: the models of a hand's worth and the weights of `counter`."""

from __future__ import annotations

from erqiwang.bots.burying import BuryWeights
from erqiwang.bots.valuation import Model
from erqiwang.bots.weighing import Weights
from erqiwang.rules import Profile

DECLARING = Weights()
DEFENDING = Weights()
BURYING = BuryWeights()
MARGIN = 0.0
"""What a bid must be worth, in points of score for one defender's share."""

_FOUR_SEATS_108 = Model(170.0, (-4, -6, -5, -3, -2, -2, -5, -2, -2, -2, -1, 0.2), 30.0)


def model_for(profile: Profile) -> Model:
    """Return the model for a deck and a number of seats."""
    return _FOUR_SEATS_108
