"""Rows of competitions: what they are asked to be, where they are, and which tournaments they play."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from sqlalchemy import Connection, Row, func, insert, select, update

from erqiwang_runner.competition.calendar import ENDS, ORDER, Calendar, Phase
from erqiwang_runner.competition.competition_file import CompetitionSpec, Leaderboard, parse_competition
from erqiwang_runner.competition.phases import Facts, Place
from erqiwang_runner.competition.submissions import SubmissionState
from erqiwang_runner.errors import UsageError
from erqiwang_runner.secret_file import SecretFile
from erqiwang_runner.store import life_cycle, schema, tournaments
from erqiwang_runner.store.engine import one_at_a_time
from erqiwang_runner.store.events import EventKind, emit
from erqiwang_runner.store.states import TournamentState
from erqiwang_runner.store.tournaments import TournamentRow

CANCELLED: Final = "its host cancelled it"
_ENDED: Final = (TournamentState.FINISHED, TournamentState.CANCELLED)


@dataclass(frozen=True, slots=True)
class CompetitionRow:
    """A competition as stored; `times` are the instants that its host moved, `problem` what holds it up."""

    id: int
    spec: CompetitionSpec
    place: Place
    times: Mapping[Phase, float]
    problem: str

    @property
    def name(self) -> str:
        """Its name."""
        return self.spec.name

    @property
    def calendar(self) -> Calendar:
        """The calendar as it holds now."""
        return self.spec.calendar.moved(self.times)


@dataclass(frozen=True, slots=True)
class Begun:
    """A phase or stage that began, when, and what there is to say about it."""

    place: Place
    at: float
    note: str


def create(connection: Connection, spec: CompetitionSpec) -> int:
    """Write a new competition; raises UsageError if its name is taken."""
    table = schema.competitions
    one_at_a_time(connection, table)
    if connection.scalar(select(table.c.id).filter_by(name=spec.name)) is not None:
        raise UsageError(f"there is a competition {spec.name!r} already")
    key = connection.execute(
        insert(table).values(
            name=spec.name,
            source=spec.source,
            times={},
            phase=Phase.ANNOUNCED.value,
            stage=0,
            is_hidden=spec.leaderboard is Leaderboard.HIDDEN,
            public_boards=spec.public_boards,
            created_at=time.time(),
        )
    ).inserted_primary_key
    assert key is not None
    emit(connection, EventKind.COMPETITION_ANNOUNCED, competition=spec.name)
    return int(key[0])


def find(connection: Connection, name: str | None) -> CompetitionRow:
    """Look a competition up by its name, or take the latest for None; raises UsageError."""
    table = schema.competitions
    query = select(table).order_by(table.c.id.desc()).limit(1)
    if name is not None:
        query = query.where(table.c.name == name)
    row = connection.execute(query).one_or_none()
    if row is None:
        raise UsageError(
            "there is no competition yet" if name is None else f"there is no competition {name!r}"
        )
    return _competition(row)


def every(connection: Connection) -> list[CompetitionRow]:
    """List the competitions, oldest first."""
    table = schema.competitions
    return [_competition(row) for row in connection.execute(select(table).order_by(table.c.id))]


def unfinished(connection: Connection) -> list[int]:
    """List the numbers of those that are not at their end."""
    table = schema.competitions
    ends = [phase.value for phase in ENDS]
    return list(connection.scalars(select(table.c.id).where(table.c.phase.not_in(ends)).order_by(table.c.id)))


def get(connection: Connection, competition_id: int) -> CompetitionRow:
    """Read a competition by its number."""
    table = schema.competitions
    return _competition(connection.execute(select(table).where(table.c.id == competition_id)).one())


def lock(connection: Connection, competition_id: int) -> CompetitionRow:
    """Read a competition and let nobody else change it until this transaction ends."""
    table = schema.competitions
    query = select(table).where(table.c.id == competition_id)
    return _competition(connection.execute(query.with_for_update()).one())


def facts(connection: Connection, competition: CompetitionRow) -> Facts:
    """Read what the next phase depends on."""
    table = schema.submissions
    undecided = connection.scalar(
        select(func.count())
        .select_from(table)
        .filter_by(competition_id=competition.id, state=SubmissionState.VALIDATING.value)
    )
    played = tournament_of(connection, competition.id, competition.place)
    return Facts(
        finals=len(competition.spec.finals),
        undecided=undecided or 0,
        is_played=played is None or played.state in _ENDED,
    )


def begin(connection: Connection, competition: CompetitionRow, place: Place, now: float, note: str) -> None:
    """Note that a place begins; its key makes a second time impossible."""
    connection.execute(
        insert(schema.competition_steps).values(
            competition_id=competition.id,
            phase=place.phase.value,
            stage=place.stage,
            begun_at=now,
            note=note,
        )
    )
    _update(connection, competition.id, phase=place.phase.value, stage=place.stage, problem=None)
    emit(
        connection,
        EventKind.COMPETITION_PHASE,
        competition=competition.name,
        phase=place.phase.value,
        stage=place.stage,
        note=note,
    )


def history(connection: Connection, competition_id: int) -> list[Begun]:
    """List what began, in the order of the phases."""
    table = schema.competition_steps
    rows = connection.execute(select(table).filter_by(competition_id=competition_id))
    found = [Begun(Place(Phase(row.phase), row.stage), row.begun_at, row.note) for row in rows]
    return sorted(found, key=lambda each: (list(Phase).index(each.place.phase), each.place.stage))


def note_problem(connection: Connection, competition_id: int, problem: str) -> bool:
    """Remember what holds a competition up; tells whether that is new."""
    table = schema.competitions
    noted = connection.execute(
        update(table)
        .where(table.c.id == competition_id, func.coalesce(table.c.problem, "") != problem)
        .values(problem=problem)
    )
    if noted.rowcount:
        name = connection.scalar(select(table.c.name).where(table.c.id == competition_id))
        emit(connection, EventKind.COMPETITION_PROBLEM, competition=name, problem=problem)
    return noted.rowcount == 1


def move(connection: Connection, name: str, phase: Phase, instant: float) -> CompetitionRow:
    """Give a phase that has not begun another instant; raises UsageError."""
    found = lock(connection, find(connection, name).id)
    if found.place.phase in ENDS:
        raise UsageError(f"{name} is {found.place}: there is nothing to move")
    if phase not in ORDER[1:] or ORDER.index(phase) <= ORDER.index(found.place.phase):
        later = ", ".join(each.value for each in ORDER[ORDER.index(found.place.phase) + 1 :])
        raise UsageError(f"{name} is {found.place}: what may be moved is {later}, not {phase.value}")
    times = {**found.times, phase: instant}
    # An impossible order is refused here.
    found.spec.calendar.moved(times)
    _update(connection, found.id, times={each.value: at for each, at in times.items()})
    return lock(connection, found.id)


def enlist(
    connection: Connection,
    competition: CompetitionRow,
    tournament_id: int,
    place: Place,
    submission: int | None = None,
) -> None:
    """Note that a tournament is one of a competition; the stage of a validation is its number."""
    connection.execute(
        insert(schema.competition_tournaments).values(
            tournament_id=tournament_id,
            competition_id=competition.id,
            phase=place.phase.value,
            stage=place.stage,
            submission_id=submission,
        )
    )


def tournament_of(connection: Connection, competition_id: int, place: Place) -> TournamentRow | None:
    """Find the tournament of the play or a final; None where there is none."""
    table = schema.competition_tournaments
    number = connection.scalar(
        select(table.c.tournament_id).filter_by(
            competition_id=competition_id,
            phase=place.phase.value,
            stage=place.stage,
            submission_id=None,
        )
    )
    return None if number is None else tournaments.get(connection, number)


def cancel(connection: Connection, name: str, now: float, secrets: SecretFile) -> None:
    """End a competition and its tournaments before their time; harmless if it is cancelled.

    Raises UsageError if it is revealed.
    """
    found = lock(connection, find(connection, name).id)
    if found.place.phase is Phase.REVEALED:
        raise UsageError(f"{name} is over: there is nothing to cancel")
    if found.place.phase is Phase.CANCELLED:
        return
    table, of = schema.tournaments, schema.competition_tournaments
    names = connection.scalars(
        select(table.c.name)
        .join(of, of.c.tournament_id == table.c.id)
        .where(of.c.competition_id == found.id, table.c.state.not_in([each.value for each in _ENDED]))
    )
    for each in names.all():
        life_cycle.cancel(connection, each, secrets)
    begin(connection, found, Place(Phase.CANCELLED), now, CANCELLED)


def _update(connection: Connection, competition_id: int, **values: object) -> None:
    table = schema.competitions
    connection.execute(update(table).where(table.c.id == competition_id).values(values))


def _competition(row: Row[Any]) -> CompetitionRow:
    return CompetitionRow(
        id=row.id,
        spec=_parse(row.source),
        place=Place(Phase(row.phase), row.stage),
        times={Phase(phase): instant for phase, instant in row.times.items()},
        problem=row.problem or "",
    )


@lru_cache(maxsize=64)
def _parse(source: str) -> CompetitionSpec:
    """Read a file again that was good when it was stored."""
    return parse_competition(source)
