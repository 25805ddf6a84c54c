"""Demos as a user runs them: real processes, observed from outside."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from erqiwang_runner.launcher.process_tree import descendants
from erqiwang_runner.store import tournaments
from erqiwang_runner.store.engine import Database
from erqiwang_runner.store.reader import SqlResults, StoredTable
from erqiwang_runner.store.tournaments import Progress
from process_table import command, parent_of, read

PATIENCE_S = 240.0


class Demo:
    """One data directory and the demos that are run on it; its temporary directory is its own."""

    def __init__(self, data: Path, boards: int) -> None:
        self.data = data
        self.boards = boards
        self.temporary = Path(tempfile.mkdtemp(prefix="erqi-e2e-"))
        self.output = ""
        self._process: subprocess.Popen[str] | None = None

    def start(self, *more: str) -> subprocess.Popen[str]:
        words = ["demo", "--boards", str(self.boards), "--data", str(self.data), *more]
        self._process = subprocess.Popen(
            [sys.executable, "-m", "erqiwang_runner.cli", *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, "TMPDIR": str(self.temporary), "COLUMNS": "200"},
        )
        return self._process

    def finish(self) -> int:
        assert self._process is not None
        self.output, _ = self._process.communicate(timeout=PATIENCE_S)
        return self._process.returncode

    def run(self, *more: str) -> int:
        self.start(*more)
        return self.finish()

    def kill(self) -> None:
        assert self._process is not None
        self._process.kill()
        self.finish()

    def wait_for_sets(self, count: int) -> None:
        """Wait until so many board sets are stored."""
        self.wait_until(lambda: self.progress().played >= count)

    def wait_until(self, condition: Callable[[], bool]) -> None:
        deadline = time.monotonic() + PATIENCE_S
        while not condition():
            assert time.monotonic() < deadline, "it did not happen"
            assert self._process is None or self._process.poll() is None, self.finish() or self.output
            time.sleep(0.02)

    def progress(self) -> Progress:
        if not (self.data / "erqi.sqlite3").exists():
            return Progress(self.boards, 0, 0)
        with closing(Database(f"sqlite:///{self.data / 'erqi.sqlite3'}")) as database, database.read() as tx:
            try:
                return tournaments.progress(tx, tournaments.find(tx, None))
            except Exception:
                # The schema is not there yet.
                return Progress(self.boards, 0, 0)

    def tables(self) -> list[StoredTable]:
        with closing(Database(f"sqlite:///{self.data / 'erqi.sqlite3'}")) as database:
            reader = SqlResults(database)
            return list(reader.tables(reader.tournament(None).id))

    def find(self, word: str, *, parent: str | None = None) -> list[int]:
        """Find processes of the running demo by a word of their command line, and of their parent's."""
        assert self._process is not None
        return [
            pid
            for pid in descendants(self._process.pid)
            if word in command(pid) and (parent is None or parent in command(parent_of(pid)))
        ]

    def processes(self) -> list[int]:
        """Find every process that belongs to this demo, whoever its parent is by now."""
        mark = str(self.temporary).encode()
        return [
            int(path.name)
            for path in Path("/proc").glob("[0-9]*")
            if int(path.name) != os.getpid() and mark in read(path / "environ")
        ]

    def wait_until_gone(self) -> None:
        """Wait until no process of a killed demo is left."""
        self._process = None
        self.wait_until(lambda: not self.processes())

    def leftovers(self) -> list[Path]:
        return list(self.temporary.iterdir())

    def close(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
            self.finish()
        shutil.rmtree(self.temporary, ignore_errors=True)


@pytest.fixture
def make_demo(tmp_path, require):
    require("redis-server")
    demos: list[Demo] = []

    def make(name: str, boards: int) -> Demo:
        demo = Demo(tmp_path / name, boards)
        demos.append(demo)
        return demo

    yield make
    for demo in demos:
        demo.close()


class Erqi:
    """Commands on one data directory."""

    def __init__(self, home) -> None:
        self.home = home
        self._started: list[subprocess.Popen[str]] = []

    def start(self, *words: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-m", "erqiwang_runner.cli", "--data", str(self.home.data), *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "TMPDIR": str(self.home.temporary)},
        )
        self._started.append(process)
        return process

    def run(self, *words: str) -> tuple[int, str, str]:
        process = self.start(*words)
        out, err = process.communicate(timeout=PATIENCE_S)
        return process.returncode, out, err

    def stop(self) -> None:
        """Stop what is still running."""
        for process in self._started:
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
                process.communicate(timeout=PATIENCE_S)


@pytest.fixture
def erqi(make_demo):
    found = Erqi(make_demo("data", 1))
    yield found
    found.stop()
