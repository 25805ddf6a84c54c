"""Claims of workers on matches: taking, storing under a fence, ending.

A match has a fence, a number that grows with every attempt. Whoever takes the match gets the new number, and
whatever it writes later is written in one transaction with the check that the number is still its own. So a
late attempt, believed dead and replaced, cannot write. A worker loses its match when its death is known, when
it falls silent, or when its lease runs out, which only a stored set renews.
"""

import time
import zlib
from collections.abc import Sequence
from typing import Final

from sqlalchemy import Connection, delete, func, insert, select, update

from erqiwang_runner.errors import StaleAttemptError, WorkerRefusedError
from erqiwang_runner.liveness import is_dead
from erqiwang_runner.match_claim import MatchClaim, SlotClaim, Worker
from erqiwang_runner.played import FaultNote, PlayedSet, PlayedTable
from erqiwang_runner.results import Slot
from erqiwang_runner.store import quarantine, remote_turns, schema, tournaments, versions
from erqiwang_runner.store.engine import Database
from erqiwang_runner.store.states import AttemptOutcome, MatchState, SlotState, TournamentState
from erqiwang_runner.tournament_spec import EntryRow

SEED_BYTES: Final = 32


def take(database: Database, match_id: int, worker: Worker) -> MatchClaim | None:
    """Claim an open match; None if there is nothing to do, because it is played or others hold it.

    A match whose holder is known to be dead is handed back for the coordinator to decide. Raises
    WorkerRefusedError, and leaves the match to others, if this worker may take nothing.
    """
    matches = schema.matches
    with database.read() as connection:
        refused = versions.refusal(connection) or quarantine.refusal(connection, worker.host)
    if refused is not None:
        leave_to_others(database, match_id)
        raise WorkerRefusedError(refused)
    with database.write() as connection:
        row = connection.execute(
            select(matches).where(matches.c.id == match_id).with_for_update()
        ).one_or_none()
        if row is None:
            return None
        if row.state == MatchState.LEASED.value and is_dead(row.lease_owner):
            give_back(connection, match_id, row.fence, AttemptOutcome.LOST, "the worker died")
        if row.state != MatchState.OPEN.value or not _is_running(connection, row.tournament_id):
            return None
        if not remote_turns.must_wait(connection, row.tournament_id, row.entries):
            return _lease(connection, match_id, worker)
    leave_to_others(database, match_id)
    return None


def beat(database: Database, claim: MatchClaim) -> None:
    """Say that the worker lives; raises StaleAttemptError if it plays in vain.

    It does not renew the lease: a worker that lives without progress loses its match all the same.
    """
    with database.write() as connection:
        _check_fence(connection, claim, heartbeat_at=time.time())


def store_set(database: Database, claim: MatchClaim, played: PlayedSet) -> None:
    """Store all tables of a board set in one transaction and renew the lease.

    Raises StaleAttemptError, and stores nothing, if the claim is no longer valid.
    """
    now = time.time()
    with database.write() as connection:
        lease = now + claim.lease_s
        _check_fence(connection, claim, lease_expires_at=lease, heartbeat_at=now, idle_attempts=0)
        key = _slot_key(claim.tournament_id, played.slot, played.generation)
        finished = connection.execute(
            update(schema.slots)
            .filter_by(**key, match_id=claim.match_id, state=SlotState.PLANNED.value)
            .values(state=_state_of(played).value, finished_at=now)
        )
        if finished.rowcount != 1:
            raise StaleAttemptError(f"{played.slot}.{played.generation} is not planned any more")
        for table in played.tables:
            _insert_table(connection, claim, key, table, now)
        for fault in played.faults:
            _insert_fault(connection, claim, fault, counted=True)
        connection.execute(delete(schema.slot_seeds).filter_by(**key))
        connection.execute(
            update(schema.attempts)
            .where(schema.attempts.c.id == claim.attempt_id)
            .values(sets_stored=schema.attempts.c.sets_stored + 1)
        )


def complete(database: Database, claim: MatchClaim, faults: tuple[FaultNote, ...] = ()) -> None:
    """End an attempt that played everything; raises StaleAttemptError if the claim is no longer valid."""
    now = time.time()
    with database.write() as connection:
        _check_fence(
            connection,
            claim,
            state=MatchState.FINISHED.value,
            lease_owner=None,
            lease_expires_at=None,
            finished_at=now,
        )
        left = connection.scalar(
            select(func.count())
            .select_from(schema.slots)
            .filter_by(match_id=claim.match_id, state=SlotState.PLANNED.value)
        )
        if left:
            raise StaleAttemptError(f"match {claim.match_id} has {left} board sets left to play")
        for fault in faults:
            _insert_fault(connection, claim, fault, counted=True)
        _end_attempt(connection, claim.match_id, claim.attempt_number, AttemptOutcome.COMPLETED, None)


def fail(database: Database, claim: MatchClaim, reason: str, faults: tuple[FaultNote, ...] = ()) -> None:
    """End an attempt that the platform failed: the match is handed back; faults are kept but not counted."""
    with database.write() as connection:
        if give_back(connection, claim.match_id, claim.fence, AttemptOutcome.VOID, reason):
            for fault in faults:
                _insert_fault(connection, claim, fault, counted=False)


def give_back(
    connection: Connection, match_id: int, fence: int, outcome: AttemptOutcome, reason: str
) -> bool:
    """Take a leased match from its attempt; tells whether the attempt still held it.

    Only an interruption of the whole run does not count as an attempt without progress.
    """
    matches = schema.matches
    idle = 0 if outcome is AttemptOutcome.INTERRUPTED else 1
    taken = connection.execute(
        update(matches)
        .where(
            matches.c.id == match_id,
            matches.c.fence == fence,
            matches.c.state == MatchState.LEASED.value,
        )
        .values(
            state=MatchState.RETRY.value,
            lease_owner=None,
            lease_expires_at=None,
            idle_attempts=matches.c.idle_attempts + idle,
        )
    )
    if taken.rowcount != 1:
        return False
    _end_attempt(connection, match_id, fence, outcome, reason)
    return True


def _lease(connection: Connection, match_id: int, worker: Worker) -> MatchClaim:
    matches = schema.matches
    row = connection.execute(select(matches).where(matches.c.id == match_id)).one()
    number = row.attempts + 1
    key = connection.execute(
        insert(schema.attempts).values(
            match_id=match_id,
            number=number,
            worker=worker.process,
            host=worker.host,
            run_id=worker.run,
            sandbox_level=worker.sandbox_level,
            started_at=time.time(),
            outcome=AttemptOutcome.RUNNING.value,
            sets_stored=0,
        )
    ).inserted_primary_key
    assert key is not None
    claim = MatchClaim(
        match_id=match_id,
        attempt_id=int(key[0]),
        attempt_number=number,
        # Every attempt raises the fence by one, so the fence is the number of the attempt.
        fence=number,
        tournament_id=row.tournament_id,
        conditions=tournaments.get(connection, row.tournament_id).conditions,
        group=_group(connection, row.tournament_id, row.entries),
        slots=_slots(connection, match_id),
        worker=worker,
    )
    connection.execute(
        update(matches)
        .where(matches.c.id == match_id)
        .values(
            state=MatchState.LEASED.value,
            attempts=number,
            fence=number,
            lease_owner=worker.process,
            lease_expires_at=time.time() + claim.lease_s,
            heartbeat_at=time.time(),
        )
    )
    return claim


def leave_to_others(database: Database, match_id: int) -> None:
    """Let the coordinator send the match again: the message for it is used up."""
    table = schema.matches
    with database.write() as connection:
        connection.execute(
            update(table)
            .where(table.c.id == match_id, table.c.state == MatchState.OPEN.value)
            .values(enqueued_at=None)
        )


def _is_running(connection: Connection, tournament_id: int) -> bool:
    return tournaments.get(connection, tournament_id).state is TournamentState.RUNNING


def _group(connection: Connection, tournament_id: int, numbers: Sequence[int]) -> tuple[EntryRow, ...]:
    by_number = {entry.number: entry for entry in tournaments.entries(connection, tournament_id)}
    return tuple(by_number[number] for number in numbers)


def _state_of(played: PlayedSet) -> SlotState:
    is_disturbed = any(forfeit for table in played.tables for forfeit in table.result.forfeits)
    return SlotState.DISTURBED if is_disturbed else SlotState.FINISHED


def _slots(connection: Connection, match_id: int) -> tuple[SlotClaim, ...]:
    seeds = schema.slot_seeds
    rows = connection.execute(
        select(seeds)
        .join(schema.slots)
        .where(schema.slots.c.match_id == match_id, schema.slots.c.state == SlotState.PLANNED.value)
        .order_by(seeds.c.n)
    )
    slots: list[SlotClaim] = []
    for row in rows:
        flat = [row.bot_seeds[at : at + SEED_BYTES] for at in range(0, len(row.bot_seeds), SEED_BYTES)]
        tables = range(0, len(flat), row.seats)
        slots.append(
            SlotClaim(
                slot=Slot(row.epoch, row.group_no, row.n),
                generation=row.generation,
                board_seed=row.board_seed,
                bot_seeds=tuple(tuple(flat[at : at + row.seats]) for at in tables),
            )
        )
    return tuple(slots)


def _check_fence(connection: Connection, claim: MatchClaim, **values: object) -> None:
    matches = schema.matches
    held = connection.execute(
        update(matches)
        .where(
            matches.c.id == claim.match_id,
            matches.c.fence == claim.fence,
            matches.c.state == MatchState.LEASED.value,
        )
        .values(values)
    )
    if held.rowcount != 1:
        raise StaleAttemptError(f"attempt {claim.attempt_number} no longer holds match {claim.match_id}")


def _end_attempt(
    connection: Connection, match_id: int, number: int, outcome: AttemptOutcome, reason: str | None
) -> None:
    connection.execute(
        update(schema.attempts)
        .filter_by(match_id=match_id, number=number)
        .values(outcome=outcome.value, reason=reason, ended_at=time.time())
    )


def _slot_key(tournament_id: int, slot: Slot, generation: int) -> dict[str, int]:
    return {
        "tournament_id": tournament_id,
        "epoch": slot.epoch,
        "group_no": slot.group,
        "n": slot.n,
        "generation": generation,
    }


def _insert_table(
    connection: Connection, claim: MatchClaim, key: dict[str, int], table: PlayedTable, now: float
) -> None:
    result, record = table.result, table.record
    row = connection.execute(
        insert(schema.table_results).values(
            **key,
            table_no=result.table,
            entries=list(result.entries),
            columns=list(result.columns),
            scores=list(result.scores),
            forfeits=list(result.forfeits),
            declarer=record.declarer,
            bid=record.bid,
            trump=None if record.trump is None else record.trump.letter,
            decisions=len(record.decisions),
            moves_hash=table.moves_hash,
            deal_hash=table.deal_hash,
            attempt_id=claim.attempt_id,
            worker=claim.worker.process,
            sandbox_level=claim.worker.sandbox_level,
            stored_at=now,
        )
    ).inserted_primary_key
    assert row is not None
    blob = zlib.compress(record.to_json().encode())
    connection.execute(insert(schema.records).values(table_result_id=int(row[0]), record=blob))


def _insert_fault(connection: Connection, claim: MatchClaim, fault: FaultNote, *, counted: bool) -> None:
    place: dict[str, int | None] = {}
    if fault.place is not None:
        slot, generation = fault.place
        place = {"epoch": slot.epoch, "group_no": slot.group, "n": slot.n, "generation": generation}
    connection.execute(
        insert(schema.faults).values(
            tournament_id=claim.tournament_id,
            attempt_id=claim.attempt_id,
            entry=fault.entry,
            cause=fault.cause.name.lower(),
            reason=None if fault.reason is None else fault.reason.name.lower(),
            detail=fault.detail,
            **place,
            table_no=fault.table,
            counted=counted,
            log=fault.log,
            happened_at=time.time(),
        )
    )
