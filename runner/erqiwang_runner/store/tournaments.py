"""Rows of tournaments, contestants and entries."""

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any, Final

from sqlalchemy import Connection, Row, func, insert, select, update

from erqiwang.rules import RULES_VERSION, PassOut, Profile, definition_of, get_profile, read_definition
from erqiwang_runner.clocks import get_clock_class
from erqiwang_runner.contestants import Contestant
from erqiwang_runner.errors import UsageError
from erqiwang_runner.formats import Format, FormatSettings, Group, Past, Scheduler, scheduler_of
from erqiwang_runner.plan import Plan
from erqiwang_runner.results import EntryRole, FaultPolicy
from erqiwang_runner.seating import get_set_type
from erqiwang_runner.store import contestants, schema
from erqiwang_runner.store.engine import one_at_a_time
from erqiwang_runner.store.events import EventKind, emit
from erqiwang_runner.store.states import MatchState, SlotState, TournamentState
from erqiwang_runner.tournament_spec import Conditions, DealsMode, EntryRow, TournamentSpec, field_of

_GROUPS_AT_ONCE: Final = 500
_MAY_START: Final = (TournamentState.CREATED.value, TournamentState.PAUSED.value)


@dataclass(frozen=True, slots=True)
class TournamentRow:
    """A tournament as stored.

    `planned_stints` of its plan are planned, and `settled` slots are finished in order. `boards_per_match` is
    0 where the size of claims is measured; `trouble` is why its matches wait for their public referee.
    """

    id: int
    state: TournamentState
    conditions: Conditions
    mode: str
    seed_text: str
    format: FormatSettings
    plan: Plan
    boards_per_match: int
    planned_stints: int
    settled: int
    trouble: str | None
    fault_policy: FaultPolicy
    look_back: int
    round_look_back: int
    rules_version: str
    priority: int
    is_rated: bool

    @property
    def name(self) -> str:
        """Its name."""
        return self.conditions.name


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a tournament is: `played` and `explained` board sets of `planned`."""

    planned: int
    played: int
    explained: int

    @property
    def is_complete(self) -> bool:
        """Whether every planned board set is played or explained."""
        return self.planned == self.played + self.explained


def create(connection: Connection, spec: TournamentSpec) -> int:
    """Write a new tournament with its entries and groups; raises UsageError if its name is taken."""
    # Whoever makes a tournament looks up contestants, too: one lock serves both.
    one_at_a_time(connection, schema.contestants)
    if connection.scalar(select(schema.tournaments.c.id).filter_by(name=spec.name)) is not None:
        raise UsageError(f"there is a tournament {spec.name!r} already")
    key = connection.execute(insert(schema.tournaments).values(_columns(spec))).inserted_primary_key
    assert key is not None
    tournament_id = int(key[0])
    for number, entry in enumerate(spec.everybody):
        connection.execute(
            insert(schema.entries).values(
                tournament_id=tournament_id,
                number=number,
                contestant_id=contestants.find_or_add(connection, entry.contestant),
                options=dict(entry.options),
                role=entry.role.value,
                suspended=False,
            )
        )
    add_groups(connection, tournament_id, 0, spec.scheduler.groups(0, Past()))
    return tournament_id


def find(connection: Connection, name: str | None) -> TournamentRow:
    """Look a tournament up by its name, or take the latest for None; raises UsageError."""
    query = select(schema.tournaments)
    if name is not None:
        query = query.where(schema.tournaments.c.name == name)
    row = connection.execute(query.order_by(schema.tournaments.c.id.desc()).limit(1)).one_or_none()
    if row is None:
        raise UsageError("there is no tournament yet" if name is None else f"there is no tournament {name!r}")
    return _tournament(row)


def get(connection: Connection, tournament_id: int) -> TournamentRow:
    """Read a tournament by its number."""
    return _tournament(
        connection.execute(select(schema.tournaments).where(schema.tournaments.c.id == tournament_id)).one()
    )


def exists(connection: Connection, name: str) -> bool:
    """Tell whether there is a tournament of that name."""
    return connection.scalar(select(schema.tournaments.c.id).filter_by(name=name)) is not None


def every(connection: Connection, state: TournamentState | None = None) -> list[TournamentRow]:
    """List the tournaments (of a state), oldest first."""
    query = select(schema.tournaments).order_by(schema.tournaments.c.id)
    if state is not None:
        query = query.where(schema.tournaments.c.state == state.value)
    return [_tournament(row) for row in connection.execute(query)]


def entries(connection: Connection, tournament_id: int) -> list[EntryRow]:
    """List the entries of a tournament in the order of their numbers."""
    rows = connection.execute(
        select(schema.entries, schema.contestants)
        .join(schema.contestants)
        .where(schema.entries.c.tournament_id == tournament_id)
        .order_by(schema.entries.c.number)
    )
    return [
        EntryRow(
            number=row.number,
            contestant=Contestant(row.name, row.version, tuple(row.command), row.artefact_hash, row.bundled),
            role=EntryRole(row.role),
            options=row.options,
            suspended=row.suspended,
        )
        for row in rows
    ]


def add_groups(connection: Connection, tournament_id: int, first: int, groups: Iterator[Group]) -> None:
    """Write groups, numbered from `first` on, a few at a time."""
    numbered = enumerate(groups, first)
    while chunk := list(islice(numbered, _GROUPS_AT_ONCE)):
        rows = [
            {"tournament_id": tournament_id, "epoch": 0, "group_no": number, "entries": list(group)}
            for number, group in chunk
        ]
        connection.execute(insert(schema.groups), rows)


def scheduler(connection: Connection, tournament: TournamentRow) -> Scheduler:
    """Give the scheduler of a tournament."""
    roles = [entry.role for entry in entries(connection, tournament.id)]
    field = field_of(tournament.conditions.set_type, roles)
    return scheduler_of(tournament.format, field, tournament.plan.boards)


def start(connection: Connection, tournament_id: int) -> None:
    """Let a created or paused tournament run; harmless if it runs already or is finished.

    Raises UsageError if its deals must wait, or if it was cancelled.
    """
    waiting = connection.execute(
        select(schema.commitments.c.entropy_source).where(
            schema.commitments.c.tournament_id == tournament_id, schema.commitments.c.entropy.is_(None)
        )
    ).one_or_none()
    if waiting is not None:
        name = get(connection, tournament_id).name
        raise UsageError(
            f"nothing of {name} is dealt before the entropy of {waiting.entropy_source!r} is known: "
            f"erqi tournament entropy {name} HEX"
        )
    table = schema.tournaments
    row = get(connection, tournament_id)
    if row.state is TournamentState.CANCELLED:
        raise UsageError(f"{row.name} was cancelled: its results stay, but it is not played on")
    begun = connection.execute(
        update(table)
        .where(table.c.id == tournament_id, table.c.state.in_(_MAY_START))
        .values(
            state=TournamentState.RUNNING.value,
            started_at=func.coalesce(table.c.started_at, time.time()),
        )
    )
    if begun.rowcount:
        emit(connection, EventKind.TOURNAMENT_STARTED, tournament=row.name)
        # Messages that came while it was paused are gone.
        connection.execute(
            update(schema.matches)
            .filter_by(tournament_id=tournament_id, state=MatchState.OPEN.value)
            .values(enqueued_at=None)
        )


def set_priority(connection: Connection, tournament_id: int, priority: int) -> None:
    """Say how much it comes before others: the higher first; 0 is what everything begins with."""
    table = schema.tournaments
    connection.execute(update(table).where(table.c.id == tournament_id).values(priority=priority))


def finish(connection: Connection, tournament_id: int) -> bool:
    """Mark a running tournament as finished; tells whether it was this call that did."""
    table = schema.tournaments
    result = connection.execute(
        update(table)
        .where(table.c.id == tournament_id, table.c.state == TournamentState.RUNNING.value)
        .values(state=TournamentState.FINISHED.value, finished_at=time.time())
    )
    if result.rowcount:
        name = get(connection, tournament_id).name
        emit(connection, EventKind.TOURNAMENT_FINISHED, tournament=name)
    return result.rowcount == 1


def progress(connection: Connection, tournament: TournamentRow) -> Progress:
    """Count the board sets of a tournament."""
    table = schema.slots
    rows = connection.execute(
        select(table.c.state, func.count())
        .where(table.c.tournament_id == tournament.id)
        .group_by(table.c.state)
    )
    counts = {row[0]: row[1] for row in rows}
    return Progress(
        planned=tournament.plan.board_sets,
        played=counts.get(SlotState.FINISHED.value, 0),
        explained=counts.get(SlotState.VOID.value, 0),
    )


def _tournament(row: Row[Any]) -> TournamentRow:
    return TournamentRow(
        id=row.id,
        state=TournamentState(row.state),
        conditions=Conditions(
            name=row.name,
            profile=_profile(row),
            switches=row.switches,
            room=row.room,
            pass_out=PassOut[row.pass_out.upper()],
            set_type=get_set_type(row.set_type),
            clock=get_clock_class(row.clock_class),
            sandbox_level=row.sandbox_level,
            referee=row.referee,
        ),
        mode=row.mode,
        seed_text=row.seed_text or "",
        format=FormatSettings.of(Format(row.format), row.parameters),
        plan=Plan(row.group_count, row.boards, row.lap, tuple(row.rounds)),
        boards_per_match=row.boards_per_match,
        planned_stints=row.planned_stints,
        settled=row.settled,
        trouble=row.trouble,
        fault_policy=FaultPolicy(row.fault_policy),
        look_back=row.look_back,
        round_look_back=row.round_look_back,
        rules_version=row.rules_version,
        priority=row.priority,
        is_rated=row.rated,
    )


def _profile(row: Row[Any]) -> Profile:
    if row.definition is None:
        return get_profile(row.profile, row.switches)
    return _house(json.dumps(row.definition))


@lru_cache(maxsize=64)
def _house(definition: str) -> Profile:
    return read_definition(json.loads(definition))


def _columns(spec: TournamentSpec) -> dict[str, object]:
    return {
        "name": spec.name,
        "state": TournamentState.CREATED.value,
        "mode": spec.mode.value,
        "seed_text": spec.seed_text if spec.mode is DealsMode.SEEDED else None,
        "profile": spec.profile,
        "switches": dict(spec.switches),
        "definition": None if spec.definition is None else definition_of(spec.definition),
        "referee": spec.referee,
        "room": spec.room,
        "pass_out": spec.pass_out.name.lower(),
        "set_type": spec.set_type,
        "boards": spec.boards,
        "boards_per_match": spec.boards_per_match,
        "clock_class": spec.clock_class,
        "fault_policy": spec.fault_policy.value,
        "sandbox_level": spec.sandbox_level,
        "look_back": spec.look_back,
        "rules_version": RULES_VERSION,
        "planned_stints": 0,
        "created_at": time.time(),
        "format": spec.format.format.value,
        "parameters": dict(spec.format.parameters()),
        "rounds": list(spec.plan.rounds),
        "group_count": spec.plan.groups,
        "lap": spec.lap,
        "round_look_back": spec.round_look_back,
        "settled": 0,
        "rated": spec.rated,
    }
