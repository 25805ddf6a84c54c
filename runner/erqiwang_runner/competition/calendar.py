"""When the phases of a competition begin: instants in UTC, as seconds since 1970."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import Enum
from itertools import pairwise
from typing import Final

from erqiwang_runner.errors import UsageError


class Phase(Enum):
    """Where a competition is; the order of the members is that of time."""

    ANNOUNCED = "announced"
    """Submissions do not count yet."""
    OPEN = "open"
    """Authors submit; each submission is validated at once."""
    CLOSED = "closed"
    """The field is what it is; nothing is played."""
    VALIDATION = "validation"
    """What was submitted last is still being validated."""
    PLAY = "play"
    """All that are valid meet."""
    FINALS = "finals"
    """The best of them meet, in one stage after the other, each of fewer."""
    REVEALED = "revealed"
    """The results are public: this is the end."""
    CANCELLED = "cancelled"
    """Ended before its time."""


ENDS: Final = (Phase.REVEALED, Phase.CANCELLED)
"""What no phase follows."""

ORDER: Final = tuple(phase for phase in Phase if phase is not Phase.CANCELLED)
BY_HAND: Final = math.inf
"""The instant of a phase that only its host begins."""


@dataclass(frozen=True, slots=True)
class Calendar:
    """The instants before which phases do not begin; a phase without one begins when the one before is done.

    Raises UsageError if they are not in the order of the phases, or if nobody can submit.
    """

    times: Mapping[Phase, float]

    def __post_init__(self) -> None:
        known = [(phase, self.times[phase]) for phase in ORDER if phase in self.times]
        for (earlier, first), (later, second) in pairwise(known):
            if second < first:
                raise UsageError(
                    f"{later.value} ({say(second)}) begins before {earlier.value} ({say(first)})"
                )
        if not self.closes > self.opens:
            raise UsageError("it closes when it opens: nobody could submit")

    @property
    def opens(self) -> float:
        """When submissions begin to be taken."""
        return self.times[Phase.OPEN]

    @property
    def closes(self) -> float:
        """From when on none is taken."""
        return self.times[Phase.CLOSED]

    def begins(self, phase: Phase) -> float:
        """Give the instant before which a phase does not begin."""
        return self.times.get(phase, -math.inf)

    def moved(self, times: Mapping[Phase, float]) -> Calendar:
        """Give the calendar with other instants for some phases."""
        return Calendar({**self.times, **times})


def say(instant: float) -> str:
    """Write an instant, to the second.

    >>> say(1_800_000_000.0)
    '2027-01-15 08:00:00 UTC'
    """
    if math.isinf(instant):
        return "by hand" if instant > 0 else "at once"
    return datetime.fromtimestamp(instant, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def iso(instant: float | None) -> str | None:
    """Write an instant as machines want it; None for what has no instant."""
    if instant is None or math.isinf(instant):
        return None
    return datetime.fromtimestamp(instant, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def say_span(seconds: float) -> str:
    """Write a length of time, to the second.

    >>> say_span(93_784)
    '1 day, 2:03:04'
    """
    return str(timedelta(seconds=round(seconds)))


def instant_of(moment: object) -> float:
    """Take a moment of a TOML file; raises ValueError unless it names its zone."""
    if not isinstance(moment, datetime):
        raise ValueError(f"{moment!r} is no date with a time and a zone, such as 2027-01-15T08:00:00Z")
    if moment.tzinfo is None:
        raise ValueError(f"{moment.isoformat()} names no zone; write Z behind it for UTC")
    return moment.timestamp()


def parse_instant(text: str) -> float:
    """Read an instant that somebody typed; raises UsageError."""
    try:
        return instant_of(datetime.fromisoformat(text))
    except ValueError as error:
        raise UsageError(f"{text!r} is no instant: {error}") from None
