"""Several hosts, as far as one machine can show: they share a database and a queue, and nothing else."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from erqiwang_runner.redis_server import RedisServer
from erqiwang_runner.store.summary import summarise

PATIENCE_S = 240.0


class Hosts:
    """Commands that share PostgreSQL and Redis and nothing else."""

    def __init__(self, place: Path, database_url: str) -> None:
        self.directory = Path(tempfile.mkdtemp(prefix="erqi-test-"))
        self.redis = RedisServer(self.directory, place / "redis", place / "redis.log")
        self._place = place
        self._environment = {
            **os.environ,
            "ERQI_DATABASE_URL": database_url,
            "ERQI_REDIS_URL": self.redis.url,
            "TMPDIR": str(self.directory),
        }
        self._running: list[subprocess.Popen[str]] = []

    def start(self, host: str, *words: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-m", "erqiwang_runner.cli", *words, "--data", str(self._place / host)],
            env=self._environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self._running.append(process)
        return process

    def run(self, *words: str) -> str:
        process = self.start("desk", *words)
        out, _ = process.communicate(timeout=PATIENCE_S)
        assert process.returncode == 0, out
        return out

    def close(self) -> None:
        for process in self._running:
            process.send_signal(signal.SIGTERM)
        for process in self._running:
            out, _ = process.communicate(timeout=PATIENCE_S)
            assert process.returncode == 0, out
        self.redis.stop()
        self.redis.socket.unlink(missing_ok=True)
        assert list(self.directory.iterdir()) == []
        shutil.rmtree(self.directory)


@pytest.fixture
def hosts(tmp_path, require, postgres, empty_postgres):
    require("redis-server")
    hosts = Hosts(tmp_path, postgres.format(name="postgres"))
    yield hosts
    hosts.close()


def test_workers_and_two_coordinators_on_postgresql(hosts, empty_postgres):
    hosts.run("db", "upgrade")
    entries = ["--entry", "lowest", "--entry", "random"]
    shape = ["--set-type", "pair22", "--boards", "4", "--boards-per-match", "2"]
    hosts.run("tournament", "create", "far", *entries, *shape)
    hosts.run("tournament", "start", "far")
    for host in ("first", "second"):
        hosts.start(host, "coordinator")
        hosts.start(host, "worker")
    deadline = time.monotonic() + PATIENCE_S
    while (found := summarise(empty_postgres, "far")).state != "finished":
        assert time.monotonic() < deadline, found
        time.sleep(0.1)
    assert (found.played, found.explained) == (4, 0)
    assert found.attempts == {"completed": 2}
    assert "lowest@" in hosts.run("standings", "far")
