"""Redis, a coordinator in this process, and real workers."""

from __future__ import annotations

import shutil
import tempfile
import time
from pathlib import Path

from sqlalchemy import select

from erqiwang_runner.broker import RedisBroker
from erqiwang_runner.coordinator import Coordinator
from erqiwang_runner.liveness import process_name
from erqiwang_runner.redis_server import RedisServer
from erqiwang_runner.settings import Settings
from erqiwang_runner.store import schema, tournaments
from erqiwang_runner.store.engine import Database
from erqiwang_runner.store.migrate import upgrade
from erqiwang_runner.store.states import TournamentState
from erqiwang_runner.workers import Workers

PATIENCE_S = 120.0


class Platform:
    """Redis, a coordinator in this process, and workers of this machine."""

    def __init__(self, data: Path, workers: int = 1) -> None:
        self.directory = Path(tempfile.mkdtemp(prefix="erqi-test-"))
        self.redis = RedisServer(self.directory, data / "redis", data / "redis.log")
        url = f"sqlite:///{data / 'erqi.sqlite3'}"
        self.database = Database(url)
        upgrade(self.database)
        self.broker = RedisBroker(self.redis.url)
        self.coordinator = Coordinator(self.database, self.broker)
        self.workers = Workers(Settings(data, url, self.redis.url, self.directory, process_name()), workers)

    def step_until(self, condition) -> None:
        deadline = time.monotonic() + PATIENCE_S
        while not condition():
            assert time.monotonic() < deadline
            self.workers.start()
            self.coordinator.step()
            time.sleep(0.05)

    def is_finished(self, name: str = "t") -> bool:
        with self.database.read() as connection:
            return tournaments.find(connection, name).state is TournamentState.FINISHED

    def outcomes(self) -> list[str]:
        with self.database.read() as connection:
            return sorted(connection.scalars(select(schema.attempts.c.outcome)))

    def close(self) -> None:
        self.workers.stop(PATIENCE_S)
        self.broker.close()
        self.database.close()
        self.redis.stop()
        shutil.rmtree(self.directory)
