"""Faults of players and times of decisions, as a record keeps them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from erqiwang.rules.turn import Phase
from erqiwang.rules.violation import Reason


class FaultCause(Enum):
    """Why a player is at fault; the numbers are those of the wire."""

    NEVER_JOINED = 1
    CRASHED = 2
    LEFT = 3
    DISCONNECTED = 4
    TIMED_OUT_MOVE = 5
    TIMED_OUT_BANK = 6
    ILLEGAL = 7
    MALFORMED = 8
    FLOODED = 9
    PROTOCOL = 10
    PLATFORM = 11


class DecidedBy(Enum):
    """Who made a decision; the numbers are those of the wire."""

    BOT = 1
    FALLBACK = 2
    AUTOPLAY = 3
    FORCED = 4


@dataclass(frozen=True, slots=True)
class FaultPoint:
    """A place in a table: `trick` counts tricks, `play` plays of the trick or calls made."""

    phase: Phase
    trick: int = 0
    play: int = 0


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault of the player at a seat; `reason` is set for an illegal action."""

    seat: int
    cause: FaultCause
    reason: Reason | None
    at: FaultPoint
    detail: str = ""


class DecisionTime(NamedTuple):
    """Who decided and how long it took, in milliseconds with three decimals."""

    seat: int
    ms: float
    by: DecidedBy
