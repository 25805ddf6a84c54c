"""The worker processes of this machine: started, watched, ended."""

import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

from erqiwang_runner.errors import UnavailableError
from erqiwang_runner.launcher.process_tree import descendants, kill_all
from erqiwang_runner.sealed import VARIABLE
from erqiwang_runner.settings import Settings

LOG_BYTES: Final = 4 << 20
"""A worker's log is begun anew at the start of a worker when it is longer than this."""

_EARLY_S: Final = 10.0
_EARLY_DEATHS: Final = 5
"""So many deaths within so short a time mean that workers cannot live here."""

_KILL_PATIENCE_S: Final = 10.0


@dataclass(slots=True)
class _Slot:
    number: int
    log: Path
    process: subprocess.Popen[bytes] | None = None
    started_at: float = 0.0
    early_deaths: int = 0


class Workers:
    """A number of worker processes with one child each, every one in a session of its own.

    A worker that dies is replaced. If this process dies, the kernel kills them.
    """

    def __init__(self, settings: Settings, count: int) -> None:
        self._settings = settings
        assert settings.run_directory is not None
        # What a killed worker leaves in its temporary directory goes with the run directory.
        self._directory = settings.run_directory
        logs = settings.data / "logs"
        logs.mkdir(parents=True, exist_ok=True)
        self._slots = [_Slot(number, logs / f"worker-{number}.log") for number in range(1, count + 1)]

    @property
    def pids(self) -> tuple[int, ...]:
        """The numbers of the worker processes."""
        return tuple(slot.process.pid for slot in self._slots if slot.process is not None)

    def start(self) -> None:
        """Start those that do not run; raises UnavailableError if they keep dying at once."""
        for slot in self._slots:
            if slot.process is None or slot.process.poll() is not None:
                self._start(slot)

    def stop(self, patience_s: float) -> None:
        """Ask them to finish what they play, then kill what is left, down to the last descendant."""
        running = [slot.process for slot in self._slots if slot.process is not None]
        for process in running:
            process.send_signal(signal.SIGTERM)
        deadline = time.monotonic() + patience_s
        for process in running:
            try:
                process.wait(max(0.0, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        for slot in self._slots:
            slot.process = None

    def _start(self, slot: _Slot) -> None:
        now = time.monotonic()
        if slot.process is not None:
            slot.early_deaths = slot.early_deaths + 1 if now - slot.started_at < _EARLY_S else 0
        if slot.early_deaths >= _EARLY_DEATHS:
            raise UnavailableError(f"worker {slot.number} dies again and again; see {slot.log}")
        slot.started_at = now
        with _open_log(slot.log) as log:
            slot.process = subprocess.Popen(
                [sys.executable, "-m", "erqiwang_runner.worker", str(os.getpid()), str(slot.number)],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env={
                    # The key of the secrets is the coordinator's alone.
                    **{name: value for name, value in os.environ.items() if name != VARIABLE},
                    **self._settings.to_environment(),
                    "TMPDIR": str(self._directory),
                },
                start_new_session=True,
            )


def end_descendants() -> None:
    """End every process below this one, adopted orphans included, and wait until they are gone."""
    deadline = time.monotonic() + _KILL_PATIENCE_S
    # Launchers clean up by themselves once their workers are gone: give them a moment.
    kill_at = time.monotonic() + 2.0
    while (left := descendants(os.getpid())) and time.monotonic() < deadline:
        if time.monotonic() > kill_at:
            kill_all(left)
        _reap()
        time.sleep(0.01)


def _reap() -> None:
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


def _open_log(path: Path) -> IO[bytes]:
    is_long = path.exists() and path.stat().st_size > LOG_BYTES
    return path.open("wb" if is_long else "ab")
