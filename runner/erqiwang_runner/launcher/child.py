"""One process that the launcher started."""

import os
import resource
import shutil
import signal
import subprocess
from contextlib import suppress
from pathlib import Path

from erqiwang_runner.launcher.capped import HeadAndTail
from erqiwang_runner.launcher.death_signal import die_with_parent
from erqiwang_runner.launcher.protocol import Exited, Start


class Child:
    """A running process with its private directory, its process group and its captured output."""

    def __init__(self, order: Start, directory: Path) -> None:
        self.id = order.id
        self.announces = order.announces
        self.stopping = False
        self.stderr = HeadAndTail()
        self.stdout_rest = b""
        self._home = directory / order.id
        self._home.mkdir(mode=0o700)
        try:
            self._process = _spawn(order, self._home)
        except BaseException:
            shutil.rmtree(self._home, ignore_errors=True)
            raise
        assert self._process.stderr is not None
        self.stderr_fd = self._process.stderr.fileno()
        self.stdout_fd = None if self._process.stdout is None else self._process.stdout.fileno()

    @property
    def pid(self) -> int:
        """Its process number."""
        return self._process.pid

    def kill(self) -> None:
        """Kill its process group."""
        self.stopping = True
        with suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)

    def bury(self, status: int, *, out_of_memory: bool) -> Exited:
        """Settle what is left of the process, which was reaped with this wait status."""
        exit_code = os.waitstatus_to_exitcode(status)
        # We reap in one place for all children, so the object cannot learn of its end by itself.
        self._process.returncode = exit_code
        with suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                pipe.close()
        shutil.rmtree(self._home, ignore_errors=True)
        killed = exit_code < 0
        return Exited(
            id=self.id,
            code=None if killed else exit_code,
            signal=-exit_code if killed else None,
            by_us=self.stopping,
            out_of_memory=out_of_memory and exit_code == -signal.SIGKILL and not self.stopping,
            stderr=self.stderr.text(),
        )


def _spawn(order: Start, home: Path) -> subprocess.Popen[bytes]:
    launcher = os.getpid()
    limits = [
        (resource.RLIMIT_CORE, 0),
        *((kind, limit) for kind, limit in _limits(order) if limit is not None),
    ]

    def prepare() -> None:
        die_with_parent(launcher)
        if not order.announces:
            os.dup2(2, 1)  # an author finds what was printed beside what was logged
        for kind, limit in limits:
            resource.setrlimit(kind, (limit, limit))

    process = subprocess.Popen(
        order.argv,
        stdin=subprocess.PIPE if order.announces else subprocess.DEVNULL,
        stdout=subprocess.PIPE if order.announces else subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        cwd=home,
        env={**order.environment, "HOME": str(home), "TMPDIR": str(home)},
        start_new_session=True,
        preexec_fn=prepare,
    )
    for pipe in (process.stdout, process.stderr):
        if pipe is not None:
            os.set_blocking(pipe.fileno(), False)
    return process


def _limits(order: Start) -> tuple[tuple[int, int | None], ...]:
    return (
        (resource.RLIMIT_NOFILE, order.open_files),
        (resource.RLIMIT_FSIZE, order.file_bytes),
        (resource.RLIMIT_AS, order.address_space_bytes),
    )
