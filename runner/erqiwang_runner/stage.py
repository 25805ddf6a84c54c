"""What a worker child keeps between its matches: a launcher, a referee and a channel to it.

One inbox takes everything that happens, from the launcher and from the referee. gRPC is imported, and the
channel made, only when the first match is played: never before a fork.
"""

from __future__ import annotations

import os
import queue
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from erqiwang_runner.errors import RunnerError
from erqiwang_runner.launcher.client import LauncherClient, LauncherLost
from erqiwang_runner.launcher.protocol import Announced, Exited, Report, Start, StartFailed

if TYPE_CHECKING:
    import grpc

    from erqiwang.v1 import match_service_pb2

REFEREE_START_S: Final = 30.0
_READY: Final = "ready "


class CallEnded:
    """The call to the referee ended; `reason` is None where it was a proper end."""

    def __init__(self, reason: str | None) -> None:
        self.reason = reason


Message: TypeAlias = "Report | LauncherLost | CallEnded | match_service_pb2.RunMatchResponse"


class StageFailed(RunnerError):
    """Launcher or referee cannot be brought up."""


class Stage:
    """Launcher, referee and channels, started when they are needed and again when they died."""

    def __init__(self, directory: Path) -> None:
        self.inbox: queue.SimpleQueue[Message] = queue.SimpleQueue()
        self._directory = directory
        self._count = 0
        self._referee = ""
        self._channels: dict[str, grpc.Channel] = {}
        self._launcher = self._new_launcher()

    @property
    def launcher(self) -> LauncherClient:
        """The launcher."""
        return self._launcher

    @property
    def referee(self) -> str:
        """How the launcher knows the referee."""
        return self._referee

    def channel(self, referee: str = "") -> grpc.Channel:
        """Give the channel to a public referee, or for "" to one of our own, which is started if need be.

        Raises StageFailed if it cannot be started, UsageError if there is no credential for a public one.
        """
        if not self._launcher.is_alive:
            self.reset()
        if referee not in self._channels:
            # It imports gRPC.
            from erqiwang_runner.referee_address import open_channel

            self._channels[referee] = open_channel(referee or self._start_referee())
        return self._channels[referee]

    def reset(self) -> None:
        """Throw everything away and begin with a new launcher."""
        self.close()
        self.inbox = queue.SimpleQueue()
        self._launcher = self._new_launcher()

    def close(self) -> None:
        """End the launcher and all that it started."""
        while self._channels:
            self._channels.popitem()[1].close()
        self._launcher.close()

    def _new_launcher(self) -> LauncherClient:
        self._count += 1
        return LauncherClient(self._directory / f"w{os.getpid()}.{self._count}", self.inbox.put)

    def _start_referee(self) -> str:
        self._count += 1
        self._referee = f"r{self._count}"
        home = self._launcher.directory / self._referee
        argv = (sys.executable, "-m", "erqiwang_referee", "--socket-dir", str(home))
        self._launcher.start(Start(self._referee, argv, clean_environment(), announces=True))
        deadline = time.monotonic() + REFEREE_START_S
        while True:
            try:
                message = self.inbox.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                raise StageFailed(f"the referee is not ready after {REFEREE_START_S:g} s") from None
            match message:
                case Announced(id=self._referee, line=line) if line.startswith(_READY):
                    return line.removeprefix(_READY).strip()
                case Exited(id=self._referee, stderr=stderr):
                    raise StageFailed(f"the referee did not start: {_last_line(stderr)}")
                case StartFailed(id=self._referee, reason=reason):
                    raise StageFailed(f"the referee did not start: {reason}")
                case LauncherLost():
                    raise StageFailed("the launcher is gone")
                case _:
                    pass


def clean_environment(more: Mapping[str, str] | None = None) -> dict[str, str]:
    """Give the environment of a child: what every program needs, and nothing of ours."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "PYTHONPATH") if name in os.environ}
    # The order of sets of strings would make a deterministic bot depend on chance.
    # What a player printed before it was killed is what its author needs.
    return {"LANG": "C.UTF-8", "PYTHONHASHSEED": "0", "PYTHONUNBUFFERED": "1", **kept, **(more or {})}


def _last_line(text: str) -> str:
    lines = text.strip().splitlines()
    return lines[-1] if lines else "it said nothing"
