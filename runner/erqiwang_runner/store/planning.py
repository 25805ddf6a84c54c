"""Making matches out of the plan, and deciding what becomes of those that failed.

Everything here may be run by two coordinators at once: each step checks, in the transaction that writes, that
the state is still the one that it decided on.
"""

import time
from typing import Final

from sqlalchemy import Connection, Row, delete, func, insert, select, update

from erqiwang.deals import board_seed, bot_seed
from erqiwang_runner.clocks import SILENCE_S
from erqiwang_runner.errors import PlanMismatchError
from erqiwang_runner.liveness import is_dead
from erqiwang_runner.secret_file import SecretFile
from erqiwang_runner.store import commitments, schema, tournaments
from erqiwang_runner.store.claims import give_back
from erqiwang_runner.store.engine import Database
from erqiwang_runner.store.states import AttemptOutcome, MatchState, SlotState, TournamentState
from erqiwang_runner.store.tournaments import TournamentRow

IDLE_ATTEMPTS: Final = 5
"""Attempts in a row without a stored set after which the rest of a match is given up."""

_ACTIVE: Final = (MatchState.OPEN.value, MatchState.LEASED.value, MatchState.RETRY.value)


def extend(
    database: Database, tournament: TournamentRow, window: int, secrets: SecretFile | None = None
) -> int:
    """Plan matches until `window` of them are unfinished or all are planned; gives how many are new."""
    with database.read() as connection:
        missing = _missing(connection, tournament.id, window)
    if not missing:
        return 0
    with database.write() as connection:
        # The row of the tournament is the lock between two coordinators.
        row = connection.execute(
            select(schema.tournaments.c.planned_matches)
            .where(schema.tournaments.c.id == tournament.id)
            .with_for_update()
        ).one()
        first: int = row.planned_matches
        end = min(first + _missing(connection, tournament.id, window), tournament.plan.matches)
        key = commitments.key_of(connection, tournament, secrets)
        for number in range(first, end):
            _insert_match(connection, tournament, number, key)
        connection.execute(
            update(schema.tournaments)
            .where(schema.tournaments.c.id == tournament.id)
            .values(planned_matches=end)
        )
        return end - first


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


def reopen(database: Database, tournament: TournamentRow, secrets: SecretFile | None = None) -> int:
    """Open failed matches again, or give their rest up after too many attempts; gives how many were handled.

    The deals of a match are played again only by bots that cannot have kept anything of them; where others
    take part, the unfinished slots go on to their next generation with new deals.
    """
    matches = schema.matches
    retry = select(matches).where(
        matches.c.tournament_id == tournament.id, matches.c.state == MatchState.RETRY.value
    )
    with database.read() as connection:
        if connection.execute(retry.limit(1)).one_or_none() is None:
            return 0
    with database.write() as connection:
        rows = list(connection.execute(retry.with_for_update()))
        key = commitments.key_of(connection, tournament, secrets)
        for row in rows:
            if row.idle_attempts >= IDLE_ATTEMPTS:
                _give_up(connection, row)
            else:
                _open_again(connection, tournament, row, key)
        return len(rows)


def waiting(database: Database, tournament_id: int) -> list[tuple[int, float | None]]:
    """List the open matches and when each was last put into the queue, in the order of their plan."""
    matches = schema.matches
    with database.read() as connection:
        rows = connection.execute(
            select(matches.c.id, matches.c.enqueued_at)
            .where(matches.c.tournament_id == tournament_id, matches.c.state == MatchState.OPEN.value)
            .order_by(matches.c.id)
        )
        return [(row.id, row.enqueued_at) for row in rows]


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


def _missing(connection: Connection, tournament_id: int, window: int) -> int:
    row = tournaments.get(connection, tournament_id)
    if row.state is not TournamentState.RUNNING or row.planned_matches >= row.plan.matches:
        return 0
    active = connection.scalar(
        select(func.count())
        .select_from(schema.matches)
        .where(schema.matches.c.tournament_id == tournament_id, schema.matches.c.state.in_(_ACTIVE))
    )
    return max(0, window - (active or 0))


def _is_through(connection: Connection, tournament: TournamentRow) -> bool:
    matches = schema.matches
    planned = tournaments.get(connection, tournament.id).planned_matches
    left = connection.scalar(
        select(matches.c.id)
        .where(matches.c.tournament_id == tournament.id, matches.c.state.in_(_ACTIVE))
        .limit(1)
    )
    return planned >= tournament.plan.matches and left is None


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


def _insert_match(connection: Connection, tournament: TournamentRow, number: int, master: bytes) -> None:
    claim = tournament.plan.claim(number)
    key = connection.execute(
        insert(schema.matches).values(
            tournament_id=tournament.id,
            epoch=0,
            group_no=claim.group,
            first_n=claim.first_n,
            end_n=claim.end_n,
            state=MatchState.OPEN.value,
            fence=0,
            attempts=0,
            idle_attempts=0,
        )
    ).inserted_primary_key
    assert key is not None
    for n in range(claim.first_n, claim.end_n):
        _insert_slot(
            connection,
            tournament,
            {"epoch": 0, "group_no": claim.group, "n": n, "generation": 0},
            tournament.plan.deal_index(claim.group, n),
            int(key[0]),
            master,
        )


def _insert_slot(
    connection: Connection,
    tournament: TournamentRow,
    place: dict[str, int],
    deal_index: int,
    match_id: int,
    master: bytes,
) -> None:
    key = {"tournament_id": tournament.id, **place}
    connection.execute(
        insert(schema.slots).values(
            **key, deal_index=deal_index, state=SlotState.PLANNED.value, match_id=match_id
        )
    )
    set_type = tournament.conditions.set_type
    connection.execute(
        insert(schema.slot_seeds).values(
            **key,
            seats=set_type.seats,
            board_seed=board_seed(master, deal_index),
            bot_seeds=b"".join(
                bot_seed(master, deal_index, table, seat)
                for table in range(set_type.tables)
                for seat in range(set_type.seats)
            ),
        )
    )


def _give_up(connection: Connection, row: "Row[tuple[object, ...]]") -> None:
    reason = connection.scalar(select(schema.attempts.c.reason).filter_by(match_id=row.id, number=row.fence))
    for key in _unfinished(connection, row.id):
        connection.execute(delete(schema.slot_seeds).filter_by(**key))
        connection.execute(
            update(schema.slots)
            .filter_by(**key)
            .values(
                state=SlotState.VOID.value,
                reason=f"given up after {row.attempts} attempts; the last: {reason}",
                finished_at=time.time(),
            )
        )
    connection.execute(
        update(schema.matches)
        .where(schema.matches.c.id == row.id)
        .values(state=MatchState.FINISHED.value, finished_at=time.time())
    )


def _open_again(
    connection: Connection, tournament: TournamentRow, row: "Row[tuple[object, ...]]", master: bytes
) -> None:
    unfinished = _unfinished(connection, row.id)
    if not all(entry.contestant.bundled for entry in tournaments.entries(connection, tournament.id)):
        for key in unfinished:
            _replace(connection, tournament, key, row.id, master)
    # A worker that died after its last set, before it could say so, left nothing to play.
    state = MatchState.OPEN if unfinished else MatchState.FINISHED
    connection.execute(
        update(schema.matches)
        .where(schema.matches.c.id == row.id)
        .values(state=state.value, enqueued_at=None)
    )


def _replace(
    connection: Connection, tournament: TournamentRow, key: dict[str, int], match_id: int, master: bytes
) -> None:
    """Give a slot up for its next generation, which has a deal that nobody has seen."""
    connection.execute(delete(schema.slot_seeds).filter_by(**key))
    connection.execute(
        update(schema.slots)
        .filter_by(**key)
        .values(
            state=SlotState.REPLACED.value,
            reason="the attempt failed, and its bots may have kept the deal",
            finished_at=time.time(),
        )
    )
    table = schema.tournaments
    index = connection.execute(
        update(table)
        .where(table.c.id == tournament.id)
        .values(next_deal_index=table.c.next_deal_index + 1)
        .returning(table.c.next_deal_index)
    ).scalar_one()
    place = {name: key[name] for name in ("epoch", "group_no", "n")}
    place["generation"] = key["generation"] + 1
    _insert_slot(connection, tournament, place, index - 1, match_id, master)


def _unfinished(connection: Connection, match_id: int) -> list[dict[str, int]]:
    table = schema.slots
    rows = connection.execute(
        select(*(table.c[name] for name in schema.SLOT_KEY))
        .where(table.c.match_id == match_id, table.c.state == SlotState.PLANNED.value)
        .order_by(table.c.n)
    )
    return [dict(zip(schema.SLOT_KEY, row, strict=True)) for row in rows]
