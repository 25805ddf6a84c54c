"""What a tournament is asked to be, and what it is once it stands in the store."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property
from typing import Final

from erqiwang.rules import PassOut, Profile
from erqiwang.rules.soundness import check_room
from erqiwang_runner.chosen_rules import chosen_rules
from erqiwang_runner.clocks import LEASE_MARGIN_S, VISIBILITY_S, ClockClass, get_clock_class
from erqiwang_runner.contestants import Contestant, starter
from erqiwang_runner.errors import UsageError
from erqiwang_runner.formats import Field, Format, FormatSettings, Past, Scheduler, scheduler_of
from erqiwang_runner.ladders.epoch_of import EpochOf
from erqiwang_runner.plan import Plan
from erqiwang_runner.results import EntryRole, FaultPolicy
from erqiwang_runner.seating import SetType, get_set_type

LOOK_BACK: Final = 64
"""Adaptive decisions on slot n use only the slots up to n - this."""

LAP: Final = 24
"""Boards of a group before the next group's turn, where claims are sized automatically."""

AUTOMATIC: Final = 0
"""Stands for a number of boards in a claim that is measured."""

HOUSE: Final = "house"
_HOUSE_PLAYS: Final = "cautious"
_FILLER_LETTER: Final = "H"

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


def house_bot() -> Contestant:
    """Give the bot that stands in for others: a starter bot under a name of its own."""
    return replace(starter(_HOUSE_PLAYS), name=HOUSE)


@dataclass(frozen=True, kw_only=True)
class TournamentSpec:
    """The settings of a tournament. `boards` counts board sets for each group of entries.

    `boards_per_match` is what a worker takes at once, `AUTOMATIC` (0) lets it be measured; the results do not
    depend on it. Of the decisions on a slot by what happened before, suspensions regard the slots finished in
    order up to `look_back` before it, and rounds those up to `round_look_back` before their first.
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
    definition: Profile | None = None
    """The rules of a house profile, whose name and switches stand above."""
    room: int = 1
    pass_out: PassOut = PassOut.ZERO
    set_type: str = "klein4"
    clock_class: str = "normal"
    fault_policy: FaultPolicy = FaultPolicy.FORFEIT
    sandbox_level: str = "none"
    look_back: int = LOOK_BACK
    round_look_back: int = 0
    mode: DealsMode = DealsMode.SEEDED
    entropy_source: str = ""
    referee: str = ""
    """The public referee that remote bots come to; without one each worker has its own."""
    format: FormatSettings = field(default_factory=FormatSettings)
    epoch: EpochOf | None = None
    """Which epoch of which ladder it is, if it is one."""
    rated: bool = True
    """Whether its results may ever be put together with others of the same conditions."""

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise UsageError(f"{self.name!r} is no name for a tournament: letters, digits and . _ - only")
        if self.entropy_source and self.mode is DealsMode.SEEDED:
            raise UsageError("a source of entropy belongs to committed deals: --deals committed")
        if self.boards < 1 or self.boards_per_match < 0:
            raise UsageError("a tournament and a match need at least one board")
        if self.look_back < 0 or self.round_look_back < 0:
            raise UsageError("look_back and round_look_back count slots: 0 or more")
        if self.sandbox_level not in SANDBOX_LEVELS:
            known = ", ".join(SANDBOX_LEVELS)
            raise UsageError(f"sandbox level {self.sandbox_level!r} is not available; there is: {known}")
        if self.set.seats != self.rules.seats:
            raise UsageError(
                f"set type {self.set_type} seats {self.set.seats}, profile {self.profile} {self.rules.seats}"
            )
        try:
            check_room(self.rules, self.room)
        except ValueError as error:
            raise UsageError(_text_of(error)) from None
        if self.remote and not self.referee:
            raise UsageError(
                f"{self.remote[0]} comes over the network: name its public referee (--referee, or in a file "
                "referee = ...); erqi referee runs one"
            )
        found = self._field
        if len(found.players) < found.size:
            raise UsageError(f"set type {self.set_type} needs {found.size} entries, not {len(found.players)}")
        if not self._fits(self.lap):
            bound_s = self._bound_s(self.lap)
            raise UsageError(f"{self.lap} boards may take {bound_s:.0f} s: too long for one match")
        # A field that does not fit the format is refused here.
        _ = self.plan

    @property
    def rules(self) -> Profile:
        """The profile with its switches."""
        if self.definition is not None:
            return self.definition
        return chosen_rules(self.profile, self.switches)

    @property
    def set(self) -> SetType:
        """The set type."""
        try:
            return get_set_type(self.set_type)
        except LookupError as error:
            raise UsageError(_text_of(error)) from None

    @property
    def lap(self) -> int:
        """Boards that a group plays before the next group's turn: the most that a claim may hold."""
        if self.boards_per_match != AUTOMATIC:
            return self.boards_per_match
        cycle = self.set.cycle
        return next(
            (lap for lap in range(LAP - LAP % cycle, 0, -cycle) if self._fits(lap)),
            1,
        )

    @property
    def remote(self) -> tuple[Contestant, ...]:
        """The bots that stay on their authors' machines."""
        return tuple(entry.contestant for entry in self.entries if entry.contestant.is_remote)

    @property
    def house(self) -> tuple[EntrySpec, ...]:
        """The house bots that the entries do not bring themselves: a group may need all but one."""
        if self.set.entries < 3:
            return ()
        brought = sum(entry.role is EntryRole.FILLER for entry in self.entries)
        return (EntrySpec(house_bot(), EntryRole.FILLER),) * (self.set.entries - 1 - brought)

    @property
    def everybody(self) -> tuple[EntrySpec, ...]:
        """The entries and, behind them, the house bots."""
        return (*self.entries, *self.house)

    @cached_property
    def scheduler(self) -> Scheduler:
        """The format for these entries."""
        return scheduler_of(self.format, self._field, self.boards)

    @cached_property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """The groups of entries of the first round; that is all of them in formats that do not adapt."""
        return tuple(self.scheduler.groups(0, Past()))

    @cached_property
    def plan(self) -> Plan:
        """The plan of its boards."""
        rounds = self.scheduler.rounds
        return Plan(sum(rounds), self.boards, self.lap, rounds)

    @cached_property
    def _field(self) -> Field:
        return field_of(self.set, [entry.role for entry in self.everybody])

    def _fits(self, boards: int) -> bool:
        return self._bound_s(boards) + LEASE_MARGIN_S < VISIBILITY_S

    def _bound_s(self, boards: int) -> float:
        return get_clock_class(self.clock_class).match_bound_s(self.rules, boards)


def default_round_look_back(settings: FormatSettings) -> int:
    """Give the slots that a round need not wait for: a ladder goes on while its latest boards are played."""
    return LOOK_BACK if settings.format is Format.LADDER else 0


def field_of(set_type: SetType, roles: Sequence[EntryRole]) -> Field:
    """Tell players from fillers, by the numbers of the entries; klein4h seats a filler in each group."""
    fillers = tuple(number for number, role in enumerate(roles) if role is EntryRole.FILLER)
    players = tuple(number for number, role in enumerate(roles) if role is not EntryRole.FILLER)
    seated = set_type.letters.count(_FILLER_LETTER)
    anchors = frozenset(number for number, role in enumerate(roles) if role is EntryRole.ANCHOR)
    return Field(players, fillers, set_type.entries - seated, fillers[:seated], anchors)


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
    referee: str = ""
    """Where the match is played: a public referee, or one of the worker's own for ""."""


def _text_of(error: Exception) -> str:
    return str(error.args[0]) if error.args else str(error)
