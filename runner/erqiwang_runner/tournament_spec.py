"""What a tournament is asked to be, and what it is once it stands in the store."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from itertools import combinations
from typing import Final

from erqiwang.rules import PassOut, Profile, get_profile
from erqiwang_runner.clocks import LEASE_MARGIN_S, VISIBILITY_S, ClockClass, get_clock_class
from erqiwang_runner.contestants import Contestant
from erqiwang_runner.errors import UsageError
from erqiwang_runner.plan import Plan
from erqiwang_runner.results import EntryRole, FaultPolicy
from erqiwang_runner.seating import SetType, get_set_type

LOOK_BACK: Final = 64
"""Adaptive decisions on slot n use only the slots up to n - this."""

SANDBOX_LEVELS: Final = ("none",)
NO_SANDBOX_NOTE: Final = "sandbox level none: no secrecy from local bots"
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


class DealsMode(Enum):
    """Where the deals come from."""

    SEEDED = "seeded"
    """From a seed text: whoever knows it knows the deals."""
    COMMITTED = "committed"
    """From a secret that is committed to, public entropy, and a reveal at the end: verifiable."""


@dataclass(frozen=True, slots=True)
class EntrySpec:
    """A contestant with its options in a tournament; two entries may share a contestant."""

    contestant: Contestant
    role: EntryRole = EntryRole.CONTESTANT
    options: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentSpec:
    """The settings of a tournament. `boards` counts board sets for each group of entries.

    `entropy_source` names where the public entropy of committed deals will come from; without one it is
    empty.
    """

    name: str
    seed_text: str
    entries: tuple[EntrySpec, ...]
    boards: int
    boards_per_match: int
    profile: str = "classic"
    switches: Mapping[str, str] = field(default_factory=dict[str, str])
    room: int = 1
    pass_out: PassOut = PassOut.ZERO
    set_type: str = "klein4"
    clock_class: str = "normal"
    fault_policy: FaultPolicy = FaultPolicy.FORFEIT
    sandbox_level: str = "none"
    look_back: int = LOOK_BACK
    mode: DealsMode = DealsMode.SEEDED
    entropy_source: str = ""

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise UsageError(f"{self.name!r} is no name for a tournament: letters, digits and . _ - only")
        if self.entropy_source and self.mode is DealsMode.SEEDED:
            raise UsageError("a source of entropy belongs to committed deals: --deals committed")
        if self.boards < 1 or self.boards_per_match < 1:
            raise UsageError("a tournament and a match need at least one board")
        if self.sandbox_level not in SANDBOX_LEVELS:
            known = ", ".join(SANDBOX_LEVELS)
            raise UsageError(f"sandbox level {self.sandbox_level!r} is not available; there is: {known}")
        if self.set.seats != self.rules.seats:
            raise UsageError(
                f"set type {self.set_type} seats {self.set.seats}, profile {self.profile} {self.rules.seats}"
            )
        if len(self.entries) < self.set.entries:
            raise UsageError(
                f"set type {self.set_type} needs {self.set.entries} entries, not {len(self.entries)}"
            )
        bound_s = get_clock_class(self.clock_class).match_bound_s(self.rules, self.boards_per_match)
        if bound_s + LEASE_MARGIN_S >= VISIBILITY_S:
            raise UsageError(
                f"{self.boards_per_match} boards may take {bound_s:.0f} s: too long for one match"
            )

    @property
    def rules(self) -> Profile:
        """The profile with its switches."""
        try:
            return get_profile(self.profile, self.switches)
        except (LookupError, ValueError) as error:
            raise UsageError(_text_of(error)) from None

    @property
    def set(self) -> SetType:
        """The set type."""
        try:
            return get_set_type(self.set_type)
        except LookupError as error:
            raise UsageError(_text_of(error)) from None

    @property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """The groups of entries that meet: every choice of as many as the set type seats."""
        return tuple(combinations(range(len(self.entries)), self.set.entries))

    @property
    def plan(self) -> Plan:
        """The plan of its boards."""
        return Plan(len(self.groups), self.boards, self.boards_per_match)


@dataclass(frozen=True, slots=True)
class EntryRow:
    """An entry as stored; `number` is its identity within the tournament."""

    number: int
    contestant: Contestant
    role: EntryRole
    options: Mapping[str, str]
    suspended: bool


@dataclass(frozen=True, slots=True)
class Conditions:
    """What a worker must know of a tournament in order to play its matches: no secrets, no entries."""

    name: str
    profile: Profile
    switches: Mapping[str, str]
    room: int
    pass_out: PassOut
    set_type: SetType
    clock: ClockClass
    sandbox_level: str


def _text_of(error: Exception) -> str:
    return str(error.args[0]) if error.args else str(error)
