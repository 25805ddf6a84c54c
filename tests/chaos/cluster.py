"""A platform of separate processes, watched and disturbed from outside."""

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

from chaos.precomputed import outcome
from erqiwang_runner.launcher.process_tree import descendants
from erqiwang_runner.store import tournaments
from erqiwang_runner.store.engine import Database
from erqiwang_runner.store.summary import summarise
from process_table import command, parent_of, read

PATIENCE_S = 300.0
NAME = "t"
SHAPE = ("--entry", "lowest", "--entry", "random", "--set-type", "pair22", "--seed", "chaos")


class Cluster:
    """`erqi` commands that share a database and a Redis by address, with temporary files of their own."""

    def __init__(self, place: Path, database_url: str, redis_url: str = "") -> None:
        self.place = place
        self.temporary = Path(tempfile.mkdtemp(prefix="erqi-chaos-"))
        self.database_url = database_url
        self.environment = {
            **os.environ,
            "ERQI_DATABASE_URL": database_url,
            "ERQI_REDIS_URL": redis_url,
            "TMPDIR": str(self.temporary),
            "COLUMNS": "200",
        }
        self.running: dict[str, subprocess.Popen[bytes]] = {}
        self._commands: dict[str, tuple[str, ...]] = {}

    def create(self, boards: int, *shape: str) -> None:
        """Make a tournament, one board a match, and let it run."""
        self.run("db", "upgrade")
        size = ("--boards", str(boards), "--boards-per-match", "1")
        self.run("tournament", "create", NAME, *(shape or SHAPE), *size)
        self.run("tournament", "start", NAME)

    def run(self, *words: str, code: int = 0) -> str:
        """Run a command to its end."""
        done = subprocess.run(
            self._argv(words, "desk"),
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
        )
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout

    def start(self, name: str, *words: str, before: tuple[str, ...] = (), **environment: str) -> None:
        """Start a command that runs until it is stopped, or start it again."""
        self._commands[name] = words or self._commands[name]
        with (self.place / f"{name}.log").open("ab") as log:
            self.running[name] = subprocess.Popen(
                [*before, *self._argv(self._commands[name], name)],
                env={**self.environment, **environment},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

    def _argv(self, words: tuple[str, ...], host: str) -> list[str]:
        return [sys.executable, "-m", "erqiwang_runner.cli", *words, "--data", str(self.place / host)]

    def kill(self, name: str) -> None:
        """Kill a command with SIGKILL."""
        self.running[name].kill()
        self.running[name].wait()

    def find(self, word: str, *, parent: str | None = None) -> list[int]:
        """Find processes by a word of their command line, and of their parent's."""
        roots = [each.pid for each in self.running.values()]
        everything = [pid for root in roots for pid in descendants(root)]
        return [
            pid
            for pid in everything
            if word in command(pid) and (parent is None or parent in command(parent_of(pid)))
        ]

    def signal_one(self, word: str, number: signal.Signals = signal.SIGKILL, *, parent=None) -> int:
        """Send a signal to a process as soon as there is one, and give its number."""
        self.wait_until(lambda: bool(self.find(word, parent=parent)), f"no {word}")
        pid = self.find(word, parent=parent)[0]
        os.kill(pid, number)
        return pid

    def wait_until(self, condition: Callable[[], bool], otherwise: str) -> None:
        deadline = time.monotonic() + PATIENCE_S
        while not condition():
            assert time.monotonic() < deadline, otherwise
            time.sleep(0.05)

    def wait_for_sets(self, count: int) -> None:
        self.wait_until(lambda: self.played() >= count, f"not {count} board sets")

    def wait_until_finished(self) -> None:
        self.wait_until(lambda: self.summary().state == "finished", str(self.place))

    def played(self) -> int:
        with closing(Database(self.database_url)) as database, database.read() as connection:
            return tournaments.progress(connection, tournaments.find(connection, NAME)).played

    def summary(self):
        with closing(Database(self.database_url)) as database:
            return summarise(database, NAME)

    def outcome(self):
        with closing(Database(self.database_url)) as database:
            return outcome(database, NAME)

    def processes(self) -> list[int]:
        """Find every process that belongs to this platform, whoever its parent is by now."""
        mark = str(self.temporary).encode()
        return [
            int(path.name)
            for path in Path("/proc").glob("[0-9]*")
            if int(path.name) != os.getpid() and mark in read(path / "environ")
        ]

    def stop(self) -> None:
        """Stop every command as a user does; each ends well."""
        for process in self.running.values():
            process.send_signal(signal.SIGTERM)
        codes = {name: process.wait(PATIENCE_S) for name, process in self.running.items()}
        self.running.clear()
        assert set(codes.values()) <= {0}, codes

    def assert_gone(self) -> None:
        """Nothing is left: no process, no file in the temporary directory."""
        self.wait_until(lambda: not self.processes(), "orphans")
        assert [path.name for path in self.temporary.iterdir()] == []

    def close(self) -> None:
        for process in self.running.values():
            process.kill()
            process.wait()
        self.running.clear()
        for pid in self.processes():
            os.kill(pid, signal.SIGKILL)
        shutil.rmtree(self.temporary, ignore_errors=True)


def play_calmly(make_cluster, boards: int, *shape: str) -> Cluster:
    """Play the same tournament, undisturbed."""
    cluster = make_cluster("calm")
    cluster.create(boards, *shape)
    cluster.run("tournament", "run", NAME)
    cluster.assert_gone()
    return cluster


def assert_same(cluster: Cluster, calm: Cluster, boards: int) -> None:
    """Counts are exact, tables and ratings those of the undisturbed run, and nothing is left."""
    found = cluster.summary()
    assert (found.planned, found.played, found.explained) == (boards, boards, 0)
    assert cluster.outcome() == calm.outcome()
    cluster.stop()
    cluster.assert_gone()
