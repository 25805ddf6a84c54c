"""Tournaments without players on the real store and a real queue, with faults in between."""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Callable
from contextlib import suppress

import redis
from sqlalchemy import func, select
from sqlalchemy.exc import OperationalError

from chaos.precomputed import Outcome, PrecomputedWorker, outcome, spec_of
from erqiwang_runner.broker import RedisBroker
from erqiwang_runner.celery_app import QUEUE
from erqiwang_runner.clocks import SILENCE_S
from erqiwang_runner.coordinator import Coordinator
from erqiwang_runner.errors import StaleAttemptError
from erqiwang_runner.store import schema, tournaments
from erqiwang_runner.store.engine import Database
from erqiwang_runner.store.states import TournamentState
from erqiwang_runner.store.tournaments import Progress

NAME = "t"
PATIENCE_S = 240.0


class JumpingClock:
    """The time of a coordinator: that of the machine, and what was added."""

    def __init__(self) -> None:
        self.ahead_s = 0.0

    def __call__(self) -> float:
        return time.time() + self.ahead_s


class RedisQueue:
    """What a worker sees of the queue."""

    def __init__(self, socket: str) -> None:
        self.client = redis.Redis(unix_socket_path=socket)

    def take(self) -> int | None:
        """Take a match out of the queue."""
        with suppress(redis.ConnectionError):
            message = self.client.rpop(QUEUE)
            if message is not None:
                arguments, _, _ = json.loads(base64.b64decode(json.loads(message)["body"]))
                return arguments[0]
        return None


class Season:
    """One tournament, a coordinator with a clock of its own, and a worker without players.

    The errors of a database that is gone are what coordinator and worker survive by trying again.
    """

    def __init__(self, database: Database, queue: RedisQueue, broker: RedisBroker) -> None:
        self.database, self.queue, self.broker = database, queue, broker
        self.clock = JumpingClock()
        self.coordinator = Coordinator(database, broker, window=6, clock=self.clock)
        self.worker = PrecomputedWorker(database)
        self.failures = 0

    def create(self, boards: int, **settings) -> None:
        with self.database.write() as connection:
            tournaments.start(connection, tournaments.create(connection, spec_of(NAME, boards, **settings)))

    def step(self) -> None:
        """Let the coordinator and the worker do something once."""
        try:
            self.coordinator.step()
            if (match_id := self.queue.take()) is not None:
                self.worker.play(match_id)
            else:
                # Whatever waits for a lease, for silence or for a lost message is due.
                self.clock.ahead_s += SILENCE_S + 1
        except (OperationalError, StaleAttemptError):
            self.failures += 1

    def play(self, until=lambda played: False) -> None:
        """Play to the end, or until so many sets are played."""
        deadline = time.monotonic() + PATIENCE_S
        while not self.is_finished() and not until(self.progress().played):
            assert time.monotonic() < deadline, self.progress()
            self.step()

    def is_finished(self) -> bool:
        with self.database.read() as connection:
            return tournaments.find(connection, NAME).state is TournamentState.FINISHED

    def progress(self) -> Progress:
        with self.database.read() as connection:
            return tournaments.progress(connection, tournaments.find(connection, NAME))

    def rows(self, table, **where) -> int:
        with self.database.read() as connection:
            return connection.scalar(select(func.count()).select_from(table).filter_by(**where))


def assert_exact(season: Season, calm: Callable[[int], Outcome], boards: int) -> None:
    """Every board set is there once, tables and ratings are those of an undisturbed run."""
    assert season.progress() == Progress(boards, boards, 0)
    assert season.rows(schema.table_results) == season.rows(schema.records) == 4 * boards
    assert outcome(season.database, NAME) == calm(boards)
    assert season.rows(schema.slot_seeds) == 0
    assert season.rows(schema.attempts, outcome="running") == 0
