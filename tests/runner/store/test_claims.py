from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from sqlalchemy import func, select

from erqiwang.rules import FaultCause, verify_record
from erqiwang_runner.clocks import BEAT_S, SILENCE_S
from erqiwang_runner.errors import StaleAttemptError
from erqiwang_runner.played import FaultNote
from erqiwang_runner.store import claims, planning, schema, tournaments
from erqiwang_runner.store.extension import extend
from erqiwang_runner.store.reader import SqlResults


@pytest.fixture
def claim(database, running, worker):
    tournament = running()
    extend(database, tournament, 1)
    taken = claims.take(database, 1, worker)
    assert taken is not None
    return taken


def count(database, table) -> int:
    with database.read() as connection:
        return connection.scalar(select(func.count()).select_from(table))


def test_a_claim_has_the_boards_and_seeds_of_its_match(claim):
    assert [slot.slot.n for slot in claim.slots] == [0, 1, 2]
    assert len({slot.board_seed for slot in claim.slots}) == 3
    seeds = [seed for slot in claim.slots for table in slot.bot_seeds for seed in table]
    assert len(set(seeds)) == 3 * 4 * 4
    assert {len(seed) for seed in seeds} == {32}
    assert [entry.number for entry in claim.group] == [0, 1, 2, 3]


def test_one_match_is_taken_by_one_worker_only(database, running, worker):
    extend(database, running(), 1)
    with ThreadPoolExecutor(8) as pool:
        taken = list(pool.map(lambda _: claims.take(database, 1, worker), range(8)))
    assert sum(each is not None for each in taken) == 1


def test_unknown_and_finished_matches_are_nothing_to_do(database, claim, worker, play_out):
    for slot in claim.slots:
        claims.store_set(database, claim, play_out(claim, slot))
    claims.complete(database, claim)
    assert claims.take(database, claim.match_id, worker) is None
    assert claims.take(database, 999, worker) is None


def test_a_stored_set_is_read_back(database, claim, play_out):
    played = play_out(claim, claim.slots[0])
    claims.store_set(database, claim, played)
    reader = SqlResults(database)
    (board,) = reader.board_sets("t")
    assert board.tables == tuple(table.result for table in played.tables)
    assert [verify_record(record) for record in reader.records("t")] == [None] * 4
    assert {table.moves_hash for table in reader.tables("t")} == {t.moves_hash for t in played.tables}


def test_seeds_are_gone_once_the_set_is_stored(database, claim, play_out):
    before = count(database, schema.slot_seeds)
    claims.store_set(database, claim, play_out(claim, claim.slots[0]))
    assert count(database, schema.slot_seeds) == before - 1


def test_a_set_is_stored_once_only(database, claim, play_out):
    played = play_out(claim, claim.slots[0])
    claims.store_set(database, claim, played)
    with pytest.raises(StaleAttemptError):
        claims.store_set(database, claim, played)
    assert count(database, schema.table_results) == 4


def test_many_threads_storing_the_same_set_leave_one(database, claim, play_out):
    played = play_out(claim, claim.slots[0])

    def store(_: int) -> bool:
        try:
            claims.store_set(database, claim, played)
        except StaleAttemptError:
            return False
        return True

    with ThreadPoolExecutor(6) as pool:
        assert sum(pool.map(store, range(6))) == 1
    assert count(database, schema.table_results) == 4


def test_a_late_attempt_cannot_write(database, claim, worker, play_out):
    tournament = tournament_of(database)
    planning.reclaim(database, tournament.id, time.time() + claim.lease_s + 1)
    planning.reopen(database, tournament)
    second = claims.take(database, claim.match_id, worker)
    assert second is not None
    assert second.fence == claim.fence + 1
    for late in (
        lambda: claims.store_set(database, claim, play_out(claim, claim.slots[0])),
        lambda: claims.complete(database, claim),
    ):
        with pytest.raises(StaleAttemptError):
            late()
    claims.fail(database, claim, "too late to matter")
    assert count(database, schema.table_results) == 0
    claims.store_set(database, second, play_out(second, second.slots[0]))
    assert count(database, schema.table_results) == 4


def test_a_partial_set_leaves_nothing(database, claim, play_out):
    played = play_out(claim, claim.slots[0])
    broken = replace(played, tables=(*played.tables[:3], played.tables[0]))
    with pytest.raises(Exception, match=r"(?i)unique"):
        claims.store_set(database, claim, broken)
    assert count(database, schema.table_results) == 0
    assert count(database, schema.records) == 0
    claims.store_set(database, claim, played)


def age(database, **seconds: float) -> None:
    """Let times of every match be so long ago."""
    columns = schema.matches.c
    earlier = {columns[name]: columns[name] - by for name, by in seconds.items()}
    with database.write() as connection:
        connection.execute(schema.matches.update().values(earlier))


def reclaimed(database) -> int:
    return planning.reclaim(database, tournament_of(database).id, time.time())


def test_a_worker_that_lives_without_progress_loses_its_match(database, claim):
    age(database, lease_expires_at=claim.lease_s + 1)
    claims.beat(database, claim)
    assert reclaimed(database) == 1
    with pytest.raises(StaleAttemptError):
        claims.beat(database, claim)


def test_progress_renews_the_lease(database, claim, play_out):
    age(database, lease_expires_at=claim.lease_s + 1)
    claims.store_set(database, claim, play_out(claim, claim.slots[0]))
    assert reclaimed(database) == 0


def test_a_worker_that_falls_silent_loses_its_match(database, claim):
    age(database, heartbeat_at=SILENCE_S - BEAT_S)
    assert reclaimed(database) == 0
    claims.beat(database, claim)
    age(database, heartbeat_at=SILENCE_S - BEAT_S)
    assert reclaimed(database) == 0
    age(database, heartbeat_at=2 * BEAT_S)
    assert reclaimed(database) == 1


def test_a_retry_plays_the_missing_sets_only(database, claim, worker, play_out):
    claims.store_set(database, claim, play_out(claim, claim.slots[0]))
    claims.fail(database, claim, "the power went")
    planning.reopen(database, tournament_of(database))
    again = claims.take(database, claim.match_id, worker)
    assert again is not None
    assert again.slots == claim.slots[1:]


def test_a_match_with_sets_left_cannot_be_completed(database, claim):
    with pytest.raises(StaleAttemptError):
        claims.complete(database, claim)
    claims.fail(database, claim, "still holds it")


def test_faults_of_a_void_attempt_are_kept_but_not_counted(database, claim, play_out):
    note = FaultNote(2, FaultCause.CRASHED, None, "exit code 3", log="python bot.py\nexit code 3\nboom")
    claims.store_set(database, claim, replace(play_out(claim, claim.slots[0]), faults=(note,)))
    claims.fail(database, claim, "void", (note, note))
    assert count(database, schema.faults) == 3
    assert SqlResults(database).faults("t") == {2: {FaultCause.CRASHED: 1}}
    with database.read() as connection:
        assert set(connection.scalars(select(schema.faults.c.log))) == {note.log}


def test_a_second_worker_hands_the_match_of_a_dead_one_back(database, claim, worker, dead_name):
    with database.write() as connection:
        connection.execute(schema.matches.update().values(lease_owner=dead_name))
    assert claims.take(database, claim.match_id, worker) is None
    planning.reopen(database, tournament_of(database))
    assert claims.take(database, claim.match_id, worker) is not None


def tournament_of(database):
    with database.read() as connection:
        return tournaments.find(connection, "t")
