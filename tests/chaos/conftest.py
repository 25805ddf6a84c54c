"""Servers that may be killed, and platforms that are watched from outside."""

from __future__ import annotations

import shutil
import tempfile
from contextlib import closing
from pathlib import Path

import pytest

from chaos.cluster import Cluster
from chaos.lossy_line import LossyLine
from chaos.postgres_server import PostgresServer
from chaos.precomputed import Outcome, outcome, play_through, spec_of
from chaos.season import NAME, RedisQueue, Season
from erqiwang_runner.broker import RedisBroker
from erqiwang_runner.redis_server import RedisServer
from erqiwang_runner.store.engine import Database
from erqiwang_runner.store.migrate import upgrade


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory):
    """A database file with the schema, to copy."""
    path = tmp_path_factory.mktemp("sqlite") / "erqi.sqlite3"
    opened = Database(f"sqlite:///{path}")
    upgrade(opened)
    opened.close()
    return path


@pytest.fixture
def open_sqlite(sqlite_template, tmp_path):
    """Open databases of their own by a name."""
    opened: list[Database] = []

    def open_one(name: str) -> Database:
        path = tmp_path / f"{name}.sqlite3"
        if not path.exists():
            shutil.copy(sqlite_template, path)
        opened.append(Database(f"sqlite:///{path}"))
        return opened[-1]

    yield open_one
    for each in opened:
        each.close()


@pytest.fixture(scope="session")
def postgres_process(require):
    """A server of these tests' own."""
    server = PostgresServer(Path(require("postgres")).resolve().parent)
    yield server
    server.close()


@pytest.fixture
def postgres_server(postgres_process):
    """That server, without the schema."""
    with closing(Database(postgres_process.url)) as database, database.write() as connection:
        connection.exec_driver_sql("DROP SCHEMA public CASCADE")
        connection.exec_driver_sql("CREATE SCHEMA public")
    return postgres_process


@pytest.fixture
def lossy_line(postgres_server):
    """A line to that server that can lose answers."""
    line = LossyLine(postgres_server.socket)
    yield line
    line.close()


@pytest.fixture
def redis_server(require, tmp_path):
    """A private Redis, as the platform starts it."""
    require("redis-server")
    directory = Path(tempfile.mkdtemp(prefix="erqi-test-"))
    server = RedisServer(directory, tmp_path / "redis", tmp_path / "redis.log")
    yield server
    server.stop()
    shutil.rmtree(directory)


@pytest.fixture
def make_season(redis_server):
    """Begin a season on a database; the queue is begun anew with each."""
    ends = []

    def make(database, *, redis_url="") -> Season:
        queue = RedisQueue(str(redis_server.socket))
        queue.client.flushall()
        broker = RedisBroker(redis_url or redis_server.url)
        ends.extend([broker.close, queue.client.close])
        return Season(database, queue, broker)

    yield make
    for end in ends:
        end()


@pytest.fixture(scope="session")
def calm(sqlite_template, tmp_path_factory):
    """Tables and ratings of a season that nothing disturbed, by its number of boards."""
    known: dict[int, Outcome] = {}

    def give(boards: int) -> Outcome:
        if boards not in known:
            path = tmp_path_factory.mktemp("calm") / "erqi.sqlite3"
            shutil.copy(sqlite_template, path)
            with closing(Database(f"sqlite:///{path}")) as database:
                play_through(database, spec_of(NAME, boards))
                known[boards] = outcome(database, NAME)
        return known[boards]

    return give


@pytest.fixture
def make_cluster(tmp_path, require):
    """Begin a platform of processes on a database and a queue."""
    require("redis-server")
    clusters: list[Cluster] = []

    def make(name: str, database_url: str = "", redis_url: str = "") -> Cluster:
        place = tmp_path / name
        place.mkdir()
        cluster = Cluster(place, database_url or f"sqlite:///{place / 'erqi.sqlite3'}", redis_url)
        clusters.append(cluster)
        return cluster

    yield make
    for each in clusters:
        each.close()
