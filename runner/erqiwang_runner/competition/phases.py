"""Which phase follows when: a function of the time, the calendar and what is done, of nothing else.

A step leads to the next phase only. So a competition that nobody looked after for days passes through every
phase in order, each with all that belongs to it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from erqiwang_runner.competition.calendar import ENDS, ORDER, Calendar, Phase, say


@dataclass(frozen=True, slots=True)
class Place:
    """Where a competition is: its phase and, within the finals, the stage, counted from 0."""

    phase: Phase
    stage: int = 0

    def __str__(self) -> str:
        return f"final {self.stage + 1}" if self.phase is Phase.FINALS else self.phase.value


@dataclass(frozen=True, slots=True)
class Facts:
    """What the store knows of a competition.

    There are so many stages of `finals`, so many submissions are `undecided`, and `is_played` tells whether
    the tournament of the present place has ended; where there is none, it has.
    """

    finals: int
    undecided: int
    is_played: bool


def following(place: Place, finals: int) -> Place | None:
    """Give the place that comes after another; None after the last."""
    if place.phase in ENDS:
        return None
    if place.phase is Phase.FINALS and place.stage + 1 < finals:
        return Place(Phase.FINALS, place.stage + 1)
    return Place(ORDER[ORDER.index(place.phase) + 1])


def due(now: float, calendar: Calendar, place: Place, facts: Facts) -> Place | None:
    """Give the place to go on to now; None if it is not time yet, or something is not done."""
    after = following(place, facts.finals)
    if after is None or _undone(place, facts):
        return None
    return after if now >= _begins(calendar, place, after) else None


def waits_for(calendar: Calendar, place: Place, facts: Facts) -> str:
    """Say in a few words what the next step waits for."""
    after = following(place, facts.finals)
    if after is None:
        return "nothing: it is over"
    if reason := _undone(place, facts):
        return reason
    begins = _begins(calendar, place, after)
    if begins == math.inf:
        return f"its host: {after} begins by hand"
    return f"{after}, {'as soon as a coordinator runs' if math.isinf(begins) else 'at ' + say(begins)}"


def _begins(calendar: Calendar, place: Place, after: Place) -> float:
    # Stages of the finals follow one another without a deadline of their own.
    return -math.inf if after.phase is place.phase else calendar.begins(after.phase)


def _undone(place: Place, facts: Facts) -> str:
    if place.phase is Phase.VALIDATION and facts.undecided:
        return f"the validation of {facts.undecided} submissions"
    if place.phase in (Phase.PLAY, Phase.FINALS) and not facts.is_played:
        return "the end of its tournament"
    return ""
