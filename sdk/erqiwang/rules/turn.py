"""Phases of a table, and the decision that it waits for."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple


class Phase(Enum):
    """The phases of a table, in their order; the numbers are those of the wire."""

    AUCTION = 1
    TRUMP = 2
    BURY = 3
    PLAY = 4
    FINISHED = 5


class TurnKind(Enum):
    """The kinds of decision; the numbers are those of the wire."""

    BID = 1
    NAME_TRUMP = 2
    BURY = 3
    PLAY = 4


class PassOut(Enum):
    """What happens when every seat passes (R-09); the numbers are those of the wire."""

    ZERO = 1
    REDEAL = 2


class Turn(NamedTuple):
    """One decision that a table waits for."""

    seat: int
    kind: TurnKind
    may_surrender: bool
