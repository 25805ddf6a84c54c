"""The platform on one machine: Redis, workers and the coordinator, started and ended as one."""

from __future__ import annotations

import shutil
import signal
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import FrameType, TracebackType
from typing import Final

from erqiwang_runner.broker import BrokerDown, RedisBroker
from erqiwang_runner.coordinator import MATCHES_AHEAD, WINDOW, Coordinator
from erqiwang_runner.errors import UnavailableError
from erqiwang_runner.launcher.death_signal import adopt_orphans
from erqiwang_runner.liveness import process_name
from erqiwang_runner.redis_server import RedisServer
from erqiwang_runner.run_directory import RunDirectory
from erqiwang_runner.run_lock import RunLock
from erqiwang_runner.secret_file import SecretFile
from erqiwang_runner.settings import Settings
from erqiwang_runner.store.engine import Database
from erqiwang_runner.store.migrate import upgrade
from erqiwang_runner.workers import Workers, end_descendants

TICK_S: Final = 0.4
PATIENCE_S: Final = 2.0
"""How long a stopped worker may go on with its match."""
ROOM_BYTES: Final = 4 << 20
"""With less room than this on the disk of the data directory nothing more is played."""


class Interrupted(BaseException):
    """SIGINT or SIGTERM came."""


class Supervisor:
    """A running platform, for a `with` block: at its end nothing of it is left.

    If this process is killed, everything below it dies, and the next start removes what lies about.
    """

    def __init__(self, settings: Settings, workers: int) -> None:
        self._lock = RunLock(settings.data)
        self._data = settings.data
        self._ends: list[Callable[[], None]] = [self._lock.release]
        try:
            self._open(settings, workers)
        except BaseException:
            self._close()
            raise

    def _open(self, settings: Settings, workers: int) -> None:
        adopt_orphans()
        directory = RunDirectory()
        self._ends += [directory.close, end_descendants]
        self._database = Database(settings.database_url)
        self._ends.append(self._database.close)
        upgrade(self._database)
        self._redis = None if settings.redis_url else self._start_redis(settings, directory)
        url = settings.redis_url or self._redis_url()
        self._settings = replace(settings, redis_url=url, run_directory=directory.path, run_id=process_name())
        broker = RedisBroker(url)
        self._ends.append(broker.close)
        if settings.redis_url:
            _check_broker(broker)
        self._coordinator = Coordinator(
            self._database,
            broker,
            secrets=SecretFile.of(settings),
            window=max(WINDOW, MATCHES_AHEAD * workers),
        )
        self._workers = Workers(self._settings, workers)
        self._ends.append(lambda: self._workers.stop(PATIENCE_S))

    @property
    def database(self) -> Database:
        """The store."""
        return self._database

    def tick(self) -> None:
        """Do what is due: let the coordinator decide, replace what died, wait a moment.

        Raises UnavailableError when the disk is full: what is stored is safe, and nothing more could be.
        """
        _check_room(self._data)
        if self._redis is not None:
            self._redis.revive()
        self._workers.start()
        self._coordinator.step()
        wait_a_moment()

    def __enter__(self) -> Supervisor:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._close()

    def _start_redis(self, settings: Settings, directory: RunDirectory) -> RedisServer:
        server = RedisServer(directory.path, settings.data / "redis", settings.data / "logs" / "redis.log")
        self._ends.append(server.stop)
        self._lock.announce_redis(server.url)
        return server

    def _redis_url(self) -> str:
        assert self._redis is not None
        return self._redis.url

    def _close(self) -> None:
        """Undo what was done, the last first; a second interruption does not stop it."""
        with uninterrupted():
            while self._ends:
                self._ends.pop()()


def _check_broker(broker: RedisBroker) -> None:
    """Refuse to start without the user's own Redis; later it may fail and come back."""
    try:
        broker.check()
    except BrokerDown as error:
        raise UnavailableError(f"ERQI_REDIS_URL: no Redis answers there: {error}") from error


def _check_room(place: Path) -> None:
    room = shutil.disk_usage(place).free
    if room < ROOM_BYTES:
        raise UnavailableError(
            f"{place}: the disk is full ({room >> 10} KiB left); make room, the same command continues"
        )


@contextmanager
def uninterrupted() -> Generator[None]:
    """Ignore SIGINT and SIGTERM for a block."""
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = {number: signal.signal(number, signal.SIG_IGN) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def wait_a_moment() -> None:
    """Wait for the length of a tick."""
    time.sleep(TICK_S)


def raise_on_signals() -> None:
    """Let SIGINT and SIGTERM raise Interrupted in the main thread."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _interrupt)


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    raise Interrupted
