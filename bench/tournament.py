"""What Celery, Redis and SQL add to a tournament: the same matches on the platform and on a bare pool.

Both play in a process of their own, whose CPU time includes that of all its descendants; the pool hands the
claims to worker processes over pipes and throws the results away. What the platform takes more is the queue,
the store and the coordinator.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from erqiwang_runner.cli.demo import demo_spec
from erqiwang_runner.local.local_claims import open_claims
from erqiwang_runner.local.pool import LocalPool
from erqiwang_runner.local.pool_messages import MatchFailed
from erqiwang_runner.store import tournaments
from erqiwang_runner.store.engine import Database
from erqiwang_runner.store.migrate import upgrade
from erqiwang_runner.tournament_spec import TournamentSpec

DEALS = int(os.environ.get("BENCH_DEALS", "10000"))
ROUNDS = int(os.environ.get("BENCH_ROUNDS", "5"))
WORKERS = 2
BOARDS_PER_MATCH = 100
GOAL_CPU = 0.03
GOAL_WALL = 1.05


@dataclass(frozen=True, slots=True)
class Cost:
    """What a run took, in seconds."""

    wall: float
    cpu: float


def spec() -> TournamentSpec:
    """The tournament: the starter bots, and matches of a second or more."""
    return replace(demo_spec(DEALS, "bench"), name="bench", boards_per_match=min(DEALS, BOARDS_PER_MATCH))


def platform() -> Cost:
    """Play it as a user does."""
    with tempfile.TemporaryDirectory() as folder:
        with closing(Database(f"sqlite:///{folder}/erqi.sqlite3")) as database:
            upgrade(database)
            with database.write() as connection:
                tournaments.create(connection, spec())
        words = ["tournament", "run", "bench", "--workers", str(WORKERS), "--data", folder]
        cost = measure("erqiwang_runner.cli", *words)
        with closing(Database(f"sqlite:///{folder}/erqi.sqlite3")) as database, database.read() as connection:
            done = tournaments.progress(connection, tournaments.find(connection, "bench"))
        assert done.played == DEALS, done
    return cost


def pool() -> Cost:
    """Play the same matches without a platform."""
    return measure("bench.tournament", "pool")


def play_on_pool() -> None:
    """Hand out the claims and throw the results away."""
    claims = iter(list(open_claims(spec(), frozenset())))
    with LocalPool(WORKERS) as running:
        while True:
            while running.has_room and (claim := next(claims, None)) is not None:
                running.submit(claim)
            if running.is_idle:
                return
            for message in running.receive():
                assert not isinstance(message, MatchFailed), message


def measure(module: str, *words: str) -> Cost:
    """Run a module to its end."""
    began = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", module, *words], stdout=subprocess.DEVNULL, cwd=Path(__file__).parents[1]
    )
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, words
    return Cost(time.perf_counter() - began, used.ru_utime + used.ru_stime)


def main() -> None:
    """Interleave the two and print medians and ratios."""
    contestants: dict[str, Callable[[], Cost]] = {"platform": platform, "bare pool": pool}
    runs: dict[str, list[Cost]] = {name: [] for name in contestants}
    for _ in range(ROUNDS):
        for name, contestant in contestants.items():
            runs[name].append(contestant())
    print(f"{DEALS:,} deals of the starter bots, {WORKERS} workers, median of {ROUNDS} interleaved runs")
    wall = {name: statistics.median(each.wall for each in done) for name, done in runs.items()}
    cpu = {name: statistics.median(each.cpu for each in done) for name, done in runs.items()}
    for name in contestants:
        print(f"  {name:10} wall {wall[name]:7.1f} s, CPU {cpu[name]:7.1f} s")
    share = 1 - cpu["bare pool"] / cpu["platform"]
    ratio = wall["platform"] / wall["bare pool"]
    for text, value, goal in (
        ("CPU of Celery, Redis and SQL", share, GOAL_CPU),
        ("wall time / bare pool", ratio, GOAL_WALL),
    ):
        print(f"  {text}: {value:.3f} (goal: {goal:g}, {'reached' if value <= goal else 'missed'})")


if __name__ == "__main__":
    play_on_pool() if sys.argv[1:] == ["pool"] else main()
