"""Imagines what the others may hold, plays its candidates out, and takes the one that ends best.

It bids, names trump, buries and gives up as `counter` does, which proposes its candidates too. Its draws
depend on the table's seed alone, and so do its decisions, unless its `Patience` ends.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Mapping

from erqiwang.bots.candidates import follows, leads
from erqiwang.bots.counter import CounterBot
from erqiwang.bots.patience import Patience
from erqiwang.bots.reading import Masks, Reading, Standing, standing_of
from erqiwang.bots.rehearsal import Rehearsal
from erqiwang.bots.trials import best_of
from erqiwang.bots.weighing import Weighing
from erqiwang.bots.worlds import Worlds
from erqiwang.client import run
from erqiwang.rules import Card, SeatView
from erqiwang.settings import options

NAME = "montecarlo"
VERSION = "1"

SAMPLES = 8


class MontecarloBot(CounterBot):
    """The strongest house bot; `samples` is the number of worlds in a round of trials, 1 or more."""

    candidates: int = 6
    """How many plays are tried, the best by the weights of `counter`."""
    slope: float = 0.5
    """What a card point is worth within a step of the score, as a share of the step's own."""
    trust: float = 0.02
    """What a card point in the weights of `counter` adds to a mean score."""

    def __init__(self, samples: int = SAMPLES) -> None:
        super().__init__()
        self._samples = samples
        self._chance: Callable[[], float] | None = None
        self._patience: Patience | None = None

    def play(self, view: SeatView) -> tuple[Card, ...]:
        """Play the candidate that ends best."""
        reading = self._reading = self._reading or Reading.of(view)
        reading.read()
        standing = standing_of(reading)
        values = self._weigh(reading, standing)
        likely = sorted(values, key=lambda play: (-values[play], play))[: self.candidates]
        best = likely[0]
        if len(likely) > 1:
            best = self._best_of(reading, standing, {play: self.trust * values[play] for play in likely})
        return reading.order.cards_of(*best)

    def _weigh(self, reading: Reading, standing: Standing | None) -> dict[Masks, float]:
        view = reading.view
        weights = self.declaring if view.seat == view.declarer else self.defending
        weighing = Weighing(reading, standing, weights)
        plays = follows(reading, standing.lead, weighing.cost) if standing else leads(reading)
        return {play: weighing.value(play) for play in plays}

    def _best_of(self, reading: Reading, standing: Standing | None, likely: Mapping[Masks, float]) -> Masks:
        view = reading.view
        patience = self._patience = self._patience or Patience(view.profile)
        patience.begin()
        worlds = Worlds(reading, standing, self._source())
        rehearsal = Rehearsal(view, reading.order, self.slope)
        best = best_of(likely, worlds.draw, rehearsal.play, self._samples, patience.is_over)
        patience.end()
        return best

    def _source(self) -> Callable[[], float]:
        if self._chance is None:
            # Of the library's generator only `random` is promised to stay as it is.
            self._chance = random.Random(self.random.below(1 << 32)).random
        return self._chance


def _samples() -> int:
    text = options().get("samples", str(SAMPLES))
    if not text.isdecimal() or int(text) < 1:
        sys.exit(f"erqiwang: option samples is a whole number from 1, not {text!r}")
    return int(text)


if __name__ == "__main__":
    chosen = _samples()
    run(lambda: MontecarloBot(chosen))
