"""What the pool and its worker processes say to each other besides the claims, pickled over a pipe."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from erqiwang_runner.match_claim import MatchClaim
from erqiwang_runner.played import FaultNote, PlayedSet, TableNews


@dataclass(frozen=True, slots=True)
class SetPlayed:
    """A board set is there."""

    played: PlayedSet


@dataclass(frozen=True, slots=True)
class MatchPlayed:
    """Everything of a claim is there; `said`: what players wrote to stderr, by (entry, table, column).

    `start_times_s` are the times from start to join by entry, ascending.
    """

    claim: MatchClaim
    faults: tuple[FaultNote, ...]
    said: Mapping[tuple[int, int, int], str]
    start_times_s: Mapping[int, tuple[float, ...]]


@dataclass(frozen=True, slots=True)
class MatchFailed:
    """The attempt is void through no fault of a bot; its sets that were not reported are lost."""

    claim: MatchClaim
    reason: str
    faults: tuple[FaultNote, ...]
    said: Mapping[tuple[int, int, int], str]


PoolMessage: TypeAlias = TableNews | SetPlayed | MatchPlayed | MatchFailed
