"""A PostgreSQL server of our own that can be killed and started again."""

from __future__ import annotations

import getpass
import os
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

from erqiwang_runner.launcher.process_tree import descendants

PATIENCE_S = 60.0


class PostgresServer:
    """One server on a Unix socket, and on an address if one is given; `close` removes all of it.

    `before` are words in front of the command that starts it, which then are to choose its user, too.
    """

    def __init__(self, programs: Path, address: str = "", before: tuple[str, ...] = ()) -> None:
        self._programs = programs
        self._before = before
        self.directory = Path(tempfile.mkdtemp(prefix="erqi-pg-"))
        # The server refuses to run as root.
        self._user = "postgres" if os.getuid() == 0 else getpass.getuser()
        if os.getuid() == 0:
            shutil.chown(self.directory, self._user)
        self._data = self.directory / "data"
        self._run("initdb", "-D", str(self._data), "-A", "trust", "-U", "erqi", "-N", "-E", "UTF8")
        if address:
            with (self._data / "pg_hba.conf").open("a") as rules:
                rules.write("host all all 0.0.0.0/0 trust\n")
        self._options = f"-c listen_addresses={address} -c fsync=off -k {self.directory}"
        self.start()

    @property
    def url(self) -> str:
        """Where the database is, by the socket."""
        return f"postgresql://erqi@/postgres?host={self.directory}"

    @property
    def socket(self) -> Path:
        """The socket itself."""
        return self.directory / ".s.PGSQL.5432"

    @property
    def pid(self) -> int:
        """The number of its main process."""
        return int((self._data / "postmaster.pid").read_text().split()[0])

    def start(self) -> None:
        """Start it, and wait until it serves."""
        log, data = str(self.directory / "log"), str(self._data)
        self._run("pg_ctl", "-D", data, "-w", "-l", log, "-o", self._options, "start", before=self._before)

    def kill(self) -> None:
        """Kill the whole server with SIGKILL, and wait until nothing of it is left."""
        everything = [self.pid, *descendants(self.pid)]
        for pid in everything:
            os.kill(pid, signal.SIGKILL)
        deadline = time.monotonic() + PATIENCE_S
        while any(Path(f"/proc/{pid}").exists() for pid in everything):
            assert time.monotonic() < deadline, "PostgreSQL does not die"
            time.sleep(0.01)

    def fail_over(self) -> None:
        """Cut every connection in the middle of whatever it does, and serve again."""
        self._run("pg_ctl", "-D", str(self._data), "-m", "immediate", "-w", "stop")
        self.start()

    def close(self) -> None:
        """Stop it and remove its files."""
        self._run("pg_ctl", "-D", str(self._data), "-m", "immediate", "-w", "stop")
        shutil.rmtree(self.directory)

    def _run(self, program: str, *words: str, before: tuple[str, ...] = ()) -> None:
        subprocess.run(
            [*before, self._programs / program, *words],
            check=True,
            user=self._user if os.getuid() == 0 and not before else None,
            cwd=self.directory,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
