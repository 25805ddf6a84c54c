"""Deciding what becomes of matches that failed, and when a tournament is through.

Everything here may be run by two coordinators at once: each step checks, in the transaction that writes, that
the state is still the one that it decided on.
"""

import time
from typing import Any, Final

from sqlalchemy import Connection, Row, func, select, update

from erqiwang_runner.clocks import SILENCE_S
from erqiwang_runner.errors import PlanMismatchError
from erqiwang_runner.liveness import is_dead
from erqiwang_runner.secret_file import SecretFile
from erqiwang_runner.store import back_off, commitments, remote_turns, schema, slots, tournaments
from erqiwang_runner.store.claims import give_back
from erqiwang_runner.store.engine import Database
from erqiwang_runner.store.events import EventKind, emit
from erqiwang_runner.store.extension import ACTIVE
from erqiwang_runner.store.settlement import settle
from erqiwang_runner.store.states import AttemptOutcome, MatchState, SlotState
from erqiwang_runner.store.tournaments import TournamentRow

_LATEST: Final = 16
_ENDED: Final = tuple(
    each.value for each in (AttemptOutcome.COMPLETED, AttemptOutcome.VOID, AttemptOutcome.LOST)
)

IDLE_ATTEMPTS: Final = 5
"""Attempts in a row without a stored set after which the rest of a match is given up."""


def reclaim(database: Database, tournament_id: int, now: float) -> int:
    """Take matches from workers that are dead or late; gives how many."""
    matches = schema.matches
    with database.read() as connection:
        leased = list(
            connection.execute(
                select(matches, schema.attempts.c.run_id)
                .join(
                    schema.attempts,
                    (schema.attempts.c.match_id == matches.c.id)
                    & (schema.attempts.c.number == matches.c.fence),
                )
                .where(matches.c.tournament_id == tournament_id, matches.c.state == MatchState.LEASED.value)
            )
        )
    lost = [(row, *verdict) for row in leased if (verdict := _verdict(row, now)) is not None]
    if not lost:
        return 0
    with database.write() as connection:
        return sum(give_back(connection, row.id, row.fence, outcome, why) for row, outcome, why in lost)


def reopen(
    database: Database,
    tournament: TournamentRow,
    secrets: SecretFile | None = None,
    now: float | None = None,
) -> int:
    """Open failed matches again, or give their rest up after too many attempts; gives how many were handled.

    A match that failed again and again waits (`back_off`) before others try it.

    The deals of a match are played again only by bots that cannot have kept anything of them; where others
    take part, the unfinished slots go on to their next generation with new deals.
    """
    matches, attempts = schema.matches, schema.attempts
    retry = (
        select(matches, attempts.c.ended_at.label("failed_at"))
        .join(attempts, (attempts.c.match_id == matches.c.id) & (attempts.c.number == matches.c.fence))
        .where(matches.c.tournament_id == tournament.id, matches.c.state == MatchState.RETRY.value)
    )
    now = time.time() if now is None else now
    with database.read() as connection:
        failed = list(connection.execute(retry))
        many = bool(failed) and _many_fail(connection, tournament.id)
    due = [row.id for row in failed if _is_due(row, now, many=many)]
    if not due:
        return 0
    with database.write() as connection:
        rows = list(connection.execute(retry.where(matches.c.id.in_(due)).with_for_update(of=matches)))
        planner = slots.Planner(connection, tournament, commitments.key_of(connection, tournament, secrets))
        for row in rows:
            if row.idle_attempts >= IDLE_ATTEMPTS:
                _give_up(connection, row)
            else:
                _open_again(planner, row)
        return len(rows)


def _is_due(row: "Row[Any]", now: float, *, many: bool) -> bool:
    wait_s = back_off.wait_s(row.id, row.idle_attempts, many=many)
    return wait_s == 0 or row.idle_attempts >= IDLE_ATTEMPTS or now >= row.failed_at + wait_s


def _many_fail(connection: Connection, tournament_id: int) -> bool:
    """Tell whether most of the latest attempts failed."""
    attempts, matches = schema.attempts, schema.matches
    latest = connection.scalars(
        select(attempts.c.outcome)
        .join(matches, matches.c.id == attempts.c.match_id)
        .where(matches.c.tournament_id == tournament_id, attempts.c.outcome.in_(_ENDED))
        .order_by(attempts.c.id.desc())
        .limit(_LATEST)
    ).all()
    return (
        len(latest) == _LATEST
        and sum(each != AttemptOutcome.COMPLETED.value for each in latest) > _LATEST // 2
    )


def waiting(database: Database, tournament_id: int) -> list[tuple[int, float | None]]:
    """List the open matches and when each was last put into the queue, in the order of their plan.

    Those that wait for a remote bot which others play with are left out.
    """
    matches = schema.matches
    with database.read() as connection:
        rows = connection.execute(
            select(matches.c.id, matches.c.enqueued_at, matches.c.entries)
            .where(matches.c.tournament_id == tournament_id, matches.c.state == MatchState.OPEN.value)
            .order_by(matches.c.id)
        ).all()
        turns = remote_turns.turns(connection, tournament_id, [row.entries for row in rows])
        return [(row.id, row.enqueued_at) for row, is_turn in zip(rows, turns, strict=True) if is_turn]


def leased(database: Database, tournament_id: int) -> int:
    """Count the matches that are being played."""
    matches = schema.matches
    with database.read() as connection:
        count = select(func.count()).where(
            matches.c.tournament_id == tournament_id, matches.c.state == MatchState.LEASED.value
        )
        return connection.scalar(count) or 0


def note_enqueued(database: Database, match_ids: list[int], now: float) -> None:
    """Remember when matches were put into the queue."""
    with database.write() as connection:
        connection.execute(
            update(schema.matches).where(schema.matches.c.id.in_(match_ids)).values(enqueued_at=now)
        )


def finish_if_complete(
    database: Database, tournament: TournamentRow, secrets: SecretFile | None = None
) -> bool:
    """Finish a tournament when nothing is left to do, and reveal its secret; tells whether it is finished.

    Raises PlanMismatchError if then not every planned board set is played or explained.
    """
    with database.read() as connection:
        if not _is_through(connection, tournament):
            return False
    # Whom the last boards suspend must not depend on when they were done.
    settle(database, tournament)
    with database.write() as connection:
        progress = tournaments.progress(connection, tournament)
        if not progress.is_complete:
            raise PlanMismatchError(
                f"tournament {tournament.name}: {progress.planned} board sets planned, "
                f"but {progress.played} played and {progress.explained} explained"
            )
        commitments.reveal(connection, tournament, secrets)
        tournaments.finish(connection, tournament.id)
    return True


def _is_through(connection: Connection, tournament: TournamentRow) -> bool:
    matches, table = schema.matches, schema.slots
    planned = tournaments.get(connection, tournament.id).planned_stints
    left = connection.scalar(
        select(matches.c.id)
        .where(matches.c.tournament_id == tournament.id, matches.c.state.in_(ACTIVE))
        .limit(1)
    )
    disturbed = connection.scalar(
        select(table.c.n).filter_by(tournament_id=tournament.id, state=SlotState.DISTURBED.value).limit(1)
    )
    return planned >= tournament.plan.stints and left is None and disturbed is None


def _verdict(row: "Row[tuple[object, ...]]", now: float) -> tuple[AttemptOutcome, str] | None:
    if is_dead(row.lease_owner):
        if is_dead(row.run_id):
            return AttemptOutcome.INTERRUPTED, "the run was interrupted"
        return AttemptOutcome.LOST, "the worker died"
    if row.heartbeat_at is not None and row.heartbeat_at + SILENCE_S <= now:
        return AttemptOutcome.LOST, f"the worker said nothing for {SILENCE_S:.0f} s"
    if row.lease_expires_at <= now:
        return AttemptOutcome.LOST, "the lease ran out without progress"
    return None


def _give_up(connection: Connection, row: "Row[Any]") -> None:
    reason = connection.scalar(select(schema.attempts.c.reason).filter_by(match_id=row.id, number=row.fence))
    why = f"given up after {row.attempts} attempts; the last: {reason}"
    unfinished = slots.unfinished(connection, row.id)
    for key in unfinished:
        slots.close(connection, key, SlotState.VOID, why)
    name = tournaments.get(connection, row.tournament_id).name
    emit(connection, EventKind.BOARDS_GIVEN_UP, tournament=name, board_sets=len(unfinished), reason=why)
    connection.execute(
        update(schema.matches)
        .where(schema.matches.c.id == row.id)
        .values(state=MatchState.FINISHED.value, finished_at=time.time())
    )


def _open_again(planner: slots.Planner, row: "Row[tuple[object, ...]]") -> None:
    connection, tournament = planner.connection, planner.tournament
    unfinished = slots.unfinished(connection, row.id)
    if not all(entry.contestant.bundled for entry in tournaments.entries(connection, tournament.id)):
        for key in unfinished:
            _replace(planner, key, row.id)
    # A worker that died after its last set, before it could say so, left nothing to play.
    state = MatchState.OPEN if unfinished else MatchState.FINISHED
    connection.execute(
        update(schema.matches)
        .where(schema.matches.c.id == row.id)
        .values(state=state.value, enqueued_at=None)
    )


def _replace(planner: slots.Planner, key: slots.SlotKey, match_id: int) -> None:
    """Give a slot up for its next generation, which has a deal that nobody has seen."""
    why = "the attempt failed, and its bots may have kept the deal"
    slots.close(planner.connection, key, SlotState.REPLACED, why)
    planner.add_slot({**key, "generation": key["generation"] + 1}, match_id)
