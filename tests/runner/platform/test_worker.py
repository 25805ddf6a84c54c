"""A real Celery worker on a real Redis, with two bots and eight players."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from erqiwang_runner.broker import TimeLimits
from erqiwang_runner.contestants import starter
from erqiwang_runner.launcher.process_tree import descendants
from erqiwang_runner.store import tournaments
from erqiwang_runner.tournament_spec import EntrySpec, TournamentSpec
from worker_platform import PATIENCE_S, Platform


def begin(platform: Platform, boards: int) -> None:
    spec = TournamentSpec(
        name="t",
        seed_text="worker",
        entries=(EntrySpec(starter("lowest")), EntrySpec(starter("random"))),
        boards=boards,
        boards_per_match=1,
        set_type="pair22",
    )
    with platform.database.write() as connection:
        tournaments.start(connection, tournaments.create(connection, spec))


@pytest.fixture
def platform(tmp_path, require):
    require("redis-server")
    platform = Platform(tmp_path)
    yield platform
    platform.close()


def child_of(worker: int) -> int | None:
    """Find the process that the worker forked; the launcher below it is another program."""
    for pid in descendants(worker):
        if b"erqiwang_runner.worker" in Path(f"/proc/{pid}/cmdline").read_bytes():
            return pid
    return None


def has_grpc(pid: int) -> bool:
    return "cygrpc" in Path(f"/proc/{pid}/maps").read_text()


def test_a_worker_plays_and_only_its_child_ever_loads_grpc(platform):
    begin(platform, boards=1)
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
    begin(platform, boards=2)
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
