"""Rows of regression tests: tournaments of two whose end is decided by a sequential test."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain, count
from typing import Any, Final

from sqlalchemy import Connection, Row, Select, insert, select, update

from erqiwang_runner.regression import RegressionReport, RegressionTest
from erqiwang_runner.results import BoardSet
from erqiwang_runner.sequential import Hypotheses, Question
from erqiwang_runner.store import schema, tournaments
from erqiwang_runner.store.reader import board_sets_before
from erqiwang_runner.store.states import SlotState, TournamentState
from erqiwang_runner.store.tournaments import TournamentRow
from erqiwang_runner.tournament_spec import TournamentSpec

NEW, OLD = 0, 1
"""The numbers of the two entries."""

_NAME: Final = "test"
_OPEN: Final = (TournamentState.CREATED, TournamentState.RUNNING, TournamentState.PAUSED)


@dataclass(frozen=True, slots=True)
class Compared:
    """What a test compares and asks, for people; `key` is the same for the same question about the same bots.

    `command` is what asked.
    """

    key: str
    new: str
    old: str
    command: str
    delta: float


@dataclass(frozen=True, slots=True)
class StoredTest:
    """A test in the store.

    `report` is the JSON form of what the first `judged` slots said, None before there were any; `decided_by`
    is how many slots decided.
    """

    tournament: TournamentRow
    test: RegressionTest
    compared: Compared
    judged: int
    decided_by: int | None
    report: Mapping[str, Any] | None

    @property
    def is_open(self) -> bool:
        """Whether more boards may come."""
        return self.tournament.state in _OPEN


def create(connection: Connection, spec: TournamentSpec, test: RegressionTest, compared: Compared) -> int:
    """Write a test and the tournament that plays it; gives the number of the tournament."""
    key = tournaments.create(connection, spec)
    connection.execute(
        insert(schema.regression_tests).values(
            tournament_id=key,
            key=compared.key,
            question=test.question.value,
            delta=compared.delta,
            max_sets=test.limit or test.hypotheses.limit,
            new=compared.new,
            old=compared.old,
            command=compared.command,
            judged=0,
        )
    )
    return key


def free_name(connection: Connection, key: str) -> str:
    """Name a test after what it compares; one that was cancelled keeps its name."""
    name = f"{_NAME}-{key[:12]}"
    others = (f"{name}-{number}" for number in count(2))
    return next(each for each in chain([name], others) if not tournaments.exists(connection, each))


def every(connection: Connection) -> list[StoredTest]:
    """List the tests, the highest priority first and then the oldest."""
    found = [_stored(connection, row) for row in connection.execute(_tests())]
    return sorted(found, key=lambda each: (not each.is_open, -each.tournament.priority, each.tournament.id))


def find(connection: Connection, name: str | None) -> StoredTest | None:
    """Look a test up by its name, or take the latest for None; None if there is none of that name."""
    query = _tests().order_by(schema.tournaments.c.id.desc()).limit(1)
    if name is not None:
        query = query.where(schema.tournaments.c.name == name)
    row = connection.execute(query).one_or_none()
    return None if row is None else _stored(connection, row)


def with_key(connection: Connection, key: str) -> StoredTest | None:
    """Find the latest test of a question that was not cancelled."""
    query = _tests().where(
        schema.regression_tests.c.key == key,
        schema.tournaments.c.state != TournamentState.CANCELLED.value,
    )
    row = connection.execute(query.order_by(schema.tournaments.c.id.desc()).limit(1)).one_or_none()
    return None if row is None else _stored(connection, row)


def get(connection: Connection, tournament_id: int) -> StoredTest:
    """Read the test of a tournament that is one."""
    query = _tests().where(schema.regression_tests.c.tournament_id == tournament_id)
    return _stored(connection, connection.execute(query).one())


def played(connection: Connection, tournament: TournamentRow) -> tuple[tuple[BoardSet, ...], frozenset[int]]:
    """Give the boards that are finished in the order of the slots, and the n of those that were given up."""
    boards = board_sets_before(connection, tournament.id, tournament.settled)
    table = schema.slots
    explained = connection.scalars(
        select(table.c.n).where(
            table.c.tournament_id == tournament.id,
            table.c.position < tournament.settled,
            table.c.state == SlotState.VOID.value,
        )
    )
    return boards, frozenset(explained)


def report_of(connection: Connection, stored: StoredTest) -> RegressionReport:
    """Judge what is finished in the order of the slots, from the results alone."""
    return stored.test.report(*played(connection, stored.tournament))


def note(connection: Connection, tournament_id: int, judged: int, report: RegressionReport) -> None:
    """Remember what the first `judged` slots said."""
    table = schema.regression_tests
    connection.execute(
        update(table)
        .where(table.c.tournament_id == tournament_id)
        .values(
            judged=judged,
            report=report.to_object(),
            decided_by=report.slots if report.is_decided else None,
        )
    )


def _tests() -> Select[Any]:
    return select(schema.regression_tests).join(schema.tournaments)


def _stored(connection: Connection, row: Row[Any]) -> StoredTest:
    tournament = tournaments.get(connection, row.tournament_id)
    question = Question(row.question)
    test = RegressionTest(
        new=NEW,
        old=OLD,
        forfeit_points=tournament.conditions.profile.forfeit_points,
        question=question,
        hypotheses=Hypotheses.asking(question, row.delta),
        limit=row.max_sets,
    )
    compared = Compared(row.key, row.new, row.old, row.command, row.delta)
    return StoredTest(tournament, test, compared, row.judged, row.decided_by, row.report)
