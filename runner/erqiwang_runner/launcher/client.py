"""The worker's end of the launcher."""

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeAlias

from erqiwang_runner.launcher.protocol import Report, Start, StopPlayers, decode, encode


class LauncherLost:
    """Said instead of a report when the launcher is gone; the players went with it."""


Listener: TypeAlias = "Callable[[Report | LauncherLost], None]"


class LauncherClient:
    """A launcher process of our own; `listener` is called, from a thread of ours, with all that it reports.

    It must be started before gRPC is imported. `directory` is private to it: it makes and removes it.
    """

    def __init__(self, directory: Path, listener: Listener) -> None:
        self.directory = directory
        self._listener = listener
        self._process = subprocess.Popen(
            [sys.executable, "-m", "erqiwang_runner.launcher", str(directory), str(os.getpid())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self._reader = threading.Thread(target=self._read, name="launcher", daemon=True)
        self._reader.start()

    @property
    def is_alive(self) -> bool:
        """Whether the launcher runs."""
        return self._process.poll() is None

    @property
    def pid(self) -> int:
        """The process number of the launcher."""
        return self._process.pid

    def start(self, order: Start) -> None:
        """Ask for a process; the answer is a Started or StartFailed report."""
        self._send(encode(order))

    def stop_players(self, grace_s: float = 0.0) -> None:
        """Ask for the end of all players; the answer is a PlayersStopped report."""
        self._send(encode(StopPlayers(grace_s)))

    def close(self) -> None:
        """End the launcher and everything below it, and wait until it is gone."""
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):
            self._process.stdin.close()
        self._process.wait()
        self._reader.join()

    def _send(self, line: bytes) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line)
            self._process.stdin.flush()
        except (BrokenPipeError, ValueError):
            self._listener(LauncherLost())

    def _read(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as lines:
            for line in lines:
                report = decode(line)
                assert not isinstance(report, Start | StopPlayers)
                self._listener(report)
        self._listener(LauncherLost())
