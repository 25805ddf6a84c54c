"""The database, the network to it, the queue and the clocks fail while results are stored."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy.exc import OperationalError

from chaos.lossy_line import LossyLine
from chaos.precomputed import PrecomputedWorker
from chaos.season import SILENCE_S, assert_exact
from erqiwang_runner.coordinator import Coordinator
from erqiwang_runner.errors import StaleAttemptError
from erqiwang_runner.store import claims, schema
from erqiwang_runner.store.engine import Database
from erqiwang_runner.store.migrate import upgrade

BOARDS = 12
TESTS = Path(__file__).parents[1]


def test_answers_of_the_database_that_are_lost_after_the_commit(
    make_season, calm, postgres_server, lossy_line
):
    """What was stored is stored once, whatever the client was told of it."""
    with closing(Database(postgres_server.url)) as direct:
        upgrade(direct)
        season = make_season(direct)
        season.create(BOARDS)
        with closing(Database(f"postgresql://erqi@127.0.0.1:{lossy_line.port}/postgres")) as lossy:
            season.coordinator = Coordinator(lossy, season.broker, window=6, clock=season.clock)
            season.worker = PrecomputedWorker(lossy)
            # Strides longer than a step of the coordinator; several, so that each kind of commit is hit.
            for count, stride in enumerate((37, 53, 41, 47), start=1):
                lossy_line.lose(b"COMMIT", b"COMMIT", every=stride)
                season.play(until=lambda played, goal=count * BOARDS // 5: played >= goal)
            lossy_line.lose(b"COMMIT", b"COMMIT", every=0)
            season.play()
        assert lossy_line.lost >= 2
        assert season.failures >= 2
        assert_exact(season, calm, BOARDS)


def test_a_set_whose_storing_was_not_confirmed_is_there_once(make_season, postgres_server, lossy_line):
    with (
        closing(Database(postgres_server.url)) as direct,
        closing(Database(f"postgresql://erqi@127.0.0.1:{lossy_line.port}/postgres")) as lossy,
    ):
        upgrade(direct)
        season = make_season(direct)
        season.create(1)
        season.coordinator.step()
        claim = claims.take(lossy, season.queue.take(), season.worker.worker)
        played = season.worker.board_set(claim, claim.slots[0])
        lossy_line.lose(b"COMMIT", b"COMMIT")
        with pytest.raises(OperationalError):
            claims.store_set(lossy, claim, played)
        lossy_line.lose(b"COMMIT", b"COMMIT", every=0)
        assert season.rows(schema.table_results) == 4
        with pytest.raises(StaleAttemptError):
            claims.store_set(lossy, claim, played)
        assert season.rows(schema.table_results) == 4
        claims.complete(lossy, claim)
        season.play()
        assert season.rows(schema.attempts, outcome="completed") == 1


def test_the_database_is_killed_and_fails_over_under_two_coordinators_and_three_workers(
    make_season, calm, postgres_server
):
    with closing(Database(postgres_server.url)) as database:
        upgrade(database)
        season = make_season(database)
        season.create(BOARDS)
        end = threading.Event()
        others = [make_again(season, database) for _ in range(2)]

        def work(each) -> None:
            while not end.is_set():
                each.step()

        threads = [threading.Thread(target=work, args=(each,)) for each in others]
        for thread in threads:
            thread.start()
        try:
            for goal, fault in ((2, postgres_server.kill), (6, postgres_server.fail_over)):
                season.play(until=lambda played, goal=goal: played >= goal)
                fault()
                if fault == postgres_server.kill:
                    postgres_server.start()
            season.play()
        finally:
            end.set()
            for thread in threads:
                thread.join()
        assert season.failures + sum(each.failures for each in others) > 0
        assert_exact(season, calm, BOARDS)


def make_again(season, database):
    """The same tournament with a coordinator, a queue's end and a worker of its own."""
    other = type(season)(database, season.queue, season.broker)
    other.clock = season.clock
    other.coordinator = Coordinator(database, season.broker, window=6, clock=season.clock)
    return other


@pytest.mark.nightly
@pytest.mark.parametrize("keeps_log", [True, False], ids=["with AOF", "without AOF"])
def test_redis_is_killed(keeps_log, make_season, calm, open_sqlite, redis_server, tmp_path):
    season = make_season(open_sqlite("disturbed"))
    season.create(BOARDS)
    for goal in (2, 6):
        season.play(until=lambda played, goal=goal: played >= goal)
        season.coordinator.step()
        os.kill(redis_server.pid, signal.SIGKILL)
        os.waitid(os.P_PID, redis_server.pid, os.WEXITED | os.WNOWAIT)
        season.step()
        if not keeps_log:
            shutil.rmtree(tmp_path / "redis")
            (tmp_path / "redis").mkdir()
        assert redis_server.revive()
        assert (season.queue.client.llen("erqi.matches") > 0) == keeps_log
    season.play()
    assert_exact(season, calm, BOARDS)


def test_redis_is_emptied_and_its_answers_are_lost(make_season, calm, open_sqlite, redis_server):
    with closing(LossyLine(redis_server.socket)) as line:
        season = make_season(open_sqlite("disturbed"), redis_url=f"redis://127.0.0.1:{line.port}/0")
        season.create(BOARDS)
        # Each seventh message is queued although the coordinator hears of a broken line: it is queued again.
        line.lose(b"LPUSH", b":", every=7)
        for goal in range(2, BOARDS, 5):
            season.play(until=lambda played, goal=goal: played >= goal)
            season.queue.client.flushall()
        season.play()
        assert line.lost >= 2
        assert_exact(season, calm, BOARDS)


@pytest.mark.parametrize(
    "jump_s",
    [
        pytest.param(86_400.0, id="a day ahead"),
        pytest.param(-86_400.0, id="a day back", marks=pytest.mark.nightly),
    ],
)
def test_the_clock_of_the_coordinator_jumps(jump_s, make_season, calm, open_sqlite):
    season = make_season(open_sqlite("disturbed"))
    season.create(BOARDS)
    season.play(until=lambda played: played >= 3)
    season.coordinator.step()
    held = claims.take(season.database, season.queue.take(), season.worker.worker)
    assert held is not None
    season.clock.ahead_s += jump_s
    season.coordinator.step()
    late = season.worker.board_set(held, held.slots[0])
    if jump_s > 0:
        with pytest.raises(StaleAttemptError):
            claims.store_set(season.database, held, late)
    else:
        claims.store_set(season.database, held, late)
        claims.complete(season.database, held)
    season.clock.ahead_s = SILENCE_S
    season.play()
    assert_exact(season, calm, BOARDS)


FULL = """
import resource, sys
from chaos.precomputed import PrecomputedWorker
from erqiwang_runner.store.engine import Database
database = Database(sys.argv[1])
worker = PrecomputedWorker(database)
room = int(sys.argv[2])
resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))
for match_id in range(1, 1000):
    worker.play(match_id)
    print(match_id, flush=True)
"""


@pytest.mark.nightly
def test_the_disk_is_full(make_season, calm, open_sqlite):
    database = open_sqlite("disturbed")
    season = make_season(database)
    season.create(BOARDS)
    season.coordinator.step()
    path = Path(database.engine.url.database)
    with database.read() as connection:
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    room = path.stat().st_size + (96 << 10)
    done = subprocess.run(
        [sys.executable, "-c", FULL, f"sqlite:///{path}", str(room)],
        cwd=TESTS,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert "disk" in done.stderr.splitlines()[-2] + done.stderr.splitlines()[-3], done.stderr
    stored = len(done.stdout.split())
    assert 0 < stored < 6
    assert season.progress().played in {stored, stored + 1}
    season.play()
    assert_exact(season, calm, BOARDS)
