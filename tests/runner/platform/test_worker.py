"""A real Celery worker on a real Redis, with two bots and eight players."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
import time
from pathlib import Path

import pytest
from sqlalchemy import select

from erqiwang_runner.broker import RedisBroker, TimeLimits
from erqiwang_runner.contestants import starter
from erqiwang_runner.coordinator import Coordinator
from erqiwang_runner.launcher.process_tree import descendants
from erqiwang_runner.liveness import process_name
from erqiwang_runner.redis_server import RedisServer
from erqiwang_runner.settings import Settings
from erqiwang_runner.store import schema, tournaments
from erqiwang_runner.store.engine import Database
from erqiwang_runner.store.migrate import upgrade
from erqiwang_runner.store.states import TournamentState
from erqiwang_runner.tournament_spec import EntrySpec, TournamentSpec
from erqiwang_runner.workers import Workers

PATIENCE_S = 120.0


class Platform:
    """Redis, a coordinator in this process, and one worker."""

    def __init__(self, data: Path) -> None:
        self.directory = Path(tempfile.mkdtemp(prefix="erqi-test-"))
        self.redis = RedisServer(self.directory, data / "redis", data / "redis.log")
        url = f"sqlite:///{data / 'erqi.sqlite3'}"
        self.database = Database(url)
        upgrade(self.database)
        self.broker = RedisBroker(self.redis.url)
        self.coordinator = Coordinator(self.database, self.broker)
        self.workers = Workers(Settings(data, url, self.redis.url, self.directory, process_name()), 1)

    def begin(self, boards: int) -> None:
        spec = TournamentSpec(
            name="t",
            seed_text="worker",
            entries=(EntrySpec(starter("lowest")), EntrySpec(starter("random"))),
            boards=boards,
            boards_per_match=1,
            set_type="pair22",
        )
        with self.database.write() as connection:
            tournaments.start(connection, tournaments.create(connection, spec))

    def step_until(self, condition) -> None:
        deadline = time.monotonic() + PATIENCE_S
        while not condition():
            assert time.monotonic() < deadline
            self.workers.start()
            self.coordinator.step()
            time.sleep(0.05)

    def is_finished(self) -> bool:
        with self.database.read() as connection:
            return tournaments.find(connection, "t").state is TournamentState.FINISHED

    def outcomes(self) -> list[str]:
        with self.database.read() as connection:
            return sorted(connection.scalars(select(schema.attempts.c.outcome)))

    def close(self) -> None:
        self.workers.stop(PATIENCE_S)
        self.broker.close()
        self.database.close()
        self.redis.stop()


@pytest.fixture
def platform(tmp_path, require):
    require("redis-server")
    platform = Platform(tmp_path)
    yield platform
    platform.close()
    shutil.rmtree(platform.directory)


def child_of(worker: int) -> int | None:
    """Find the process that the worker forked; the launcher below it is another program."""
    for pid in descendants(worker):
        if b"erqiwang_runner.worker" in Path(f"/proc/{pid}/cmdline").read_bytes():
            return pid
    return None


def has_grpc(pid: int) -> bool:
    return "cygrpc" in Path(f"/proc/{pid}/maps").read_text()


def test_a_worker_plays_and_only_its_child_ever_loads_grpc(platform):
    platform.begin(boards=1)
    platform.step_until(platform.is_finished)
    (worker,) = platform.workers.pids
    child = child_of(worker)
    assert child is not None
    assert has_grpc(child)
    assert not has_grpc(worker)
    for _ in range(3):
        platform.broker.enqueue(1, TimeLimits(60.0, 60.0))
    platform.step_until(lambda: platform.broker.length() == 0)
    platform.workers.stop(PATIENCE_S)
    assert platform.outcomes() == ["completed"], "messages for a match that is played do nothing"


def test_a_killed_child_costs_an_attempt_and_nothing_else(platform):
    platform.begin(boards=2)
    platform.step_until(lambda: "running" in platform.outcomes())
    (worker,) = platform.workers.pids
    child = child_of(worker)
    assert child is not None
    below = descendants(child)
    os.kill(child, signal.SIGKILL)
    platform.step_until(platform.is_finished)
    assert platform.outcomes() == ["completed", "completed", "lost"]
    assert platform.workers.pids == (worker,), "the worker itself lives on"
    assert set(below).isdisjoint(descendants(worker))
