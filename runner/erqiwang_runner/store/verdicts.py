"""Ending a regression test when it is decided, and explaining the boards that nobody needs any more.

Judged are the slots that are finished in order, by nothing but their results, so the verdict and the slot
that it comes at are the same for any number of workers. Boards that were played beyond it are kept and
change nothing.
"""

from typing import Final

from sqlalchemy import Connection, select, update

from erqiwang_runner.formats import Format
from erqiwang_runner.regression import RegressionReport
from erqiwang_runner.sequential import LOOK_EVERY
from erqiwang_runner.store import commitments, regressions, schema, slots, tournaments
from erqiwang_runner.store.engine import Database
from erqiwang_runner.store.events import EventKind, emit
from erqiwang_runner.store.life_cycle import end_play
from erqiwang_runner.store.regressions import StoredTest
from erqiwang_runner.store.states import TournamentState
from erqiwang_runner.store.tournaments import TournamentRow

DECIDED: Final = "the test was decided after slot {slot}"


def decide(database: Database, tournament: TournamentRow) -> RegressionReport | None:
    """Look at a running test if enough boards came since the last look; gives what decided it, once."""
    if tournament.format.format is not Format.REGRESSION:
        return None
    with database.read() as connection:
        stored = regressions.get(connection, tournament.id)
        if not _is_due(stored):
            return None
        report = regressions.report_of(connection, stored)
    with database.write() as connection:
        # The row of the tournament is the lock between two coordinators.
        lock = select(schema.tournaments.c.id).where(schema.tournaments.c.id == tournament.id)
        connection.execute(lock.with_for_update()).one()
        if not _is_due(regressions.get(connection, tournament.id)):
            return None
        regressions.note(connection, tournament.id, stored.tournament.settled, report)
        if not report.is_decided:
            return None
        _explain_rest(connection, tournament.id, DECIDED.format(slot=report.slots - 1))
        emit(
            connection,
            EventKind.TEST_DECIDED,
            test=tournament.name,
            verdict=str(report.to_object()["verdict"]),
        )
    return report


def is_needless(reason: str | None) -> bool:
    """Tell whether a board was not played because the verdict was there, and not because it was given up."""
    return reason is not None and reason.startswith(DECIDED.partition("{")[0])


def _is_due(stored: StoredTest) -> bool:
    row = stored.tournament
    if row.state is not TournamentState.RUNNING or stored.decided_by is not None:
        return False
    fresh = row.settled - stored.judged
    return fresh >= LOOK_EVERY or (fresh > 0 and row.settled == row.plan.board_sets)


def _explain_rest(connection: Connection, tournament_id: int, reason: str) -> None:
    end_play(connection, tournament_id, reason)
    row = tournaments.get(connection, tournament_id)
    planner = slots.Planner(connection, row, commitments.key_of(connection, row, None))
    for number in range(row.planned_stints, row.plan.stints):
        planner.add_void(row.plan.stint(number), (regressions.NEW, regressions.OLD), reason)
    connection.execute(
        update(schema.tournaments)
        .where(schema.tournaments.c.id == tournament_id)
        .values(planned_stints=row.plan.stints)
    )
