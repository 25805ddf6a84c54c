"""One running platform for one data directory, and how others find it."""

import fcntl
import json
import os
import time
from pathlib import Path
from typing import Final

from erqiwang_runner.errors import UnavailableError
from erqiwang_runner.liveness import is_dead, process_name

_LOCK: Final = "run.lock"
_REDIS: Final = "redis.json"
_PATIENCE_S: Final = 0.1


class RunLock:
    """The right to run the platform on a data directory, held until `release` or the end of the process."""

    def __init__(self, data: Path) -> None:
        data.mkdir(parents=True, exist_ok=True)
        self._redis = data / _REDIS
        self._lock = os.open(data / _LOCK, os.O_RDWR | os.O_CREAT, 0o600)
        if not _lock_within(self._lock, _PATIENCE_S):
            holder = os.read(self._lock, 32).decode(errors="replace").strip()
            os.close(self._lock)
            raise AlreadyRunningError(f"process {holder or '?'} runs the platform on {data} already")
        # Left by an owner that was killed.
        self._redis.unlink(missing_ok=True)
        os.truncate(self._lock, 0)
        os.pwrite(self._lock, f"{os.getpid()}\n".encode(), 0)

    def announce_redis(self, url: str) -> None:
        """Tell other commands where the private Redis is."""
        fresh = self._redis.with_suffix(".new")
        fresh.write_text(json.dumps({"url": url, "owner": process_name()}) + "\n")
        fresh.replace(self._redis)

    def release(self) -> None:
        """Give the right up."""
        self._redis.unlink(missing_ok=True)
        os.truncate(self._lock, 0)
        os.close(self._lock)


def _lock_within(descriptor: int, patience_s: float) -> bool:
    """Lock a file, waiting a moment for those who only look whether it is locked."""
    deadline = time.monotonic() + patience_s
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline:
                return False
            time.sleep(0.01)
        else:
            return True


def is_running(data: Path) -> bool:
    """Tell whether a platform runs on a data directory."""
    try:
        lock = os.open(data / _LOCK, os.O_RDWR)
    except OSError:
        return False
    try:
        fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    else:
        return False
    finally:
        os.close(lock)


class AlreadyRunningError(UnavailableError):
    """Another process runs the platform on this data directory."""


def running_redis(data: Path) -> str | None:
    """Find the Redis of the platform that runs on a data directory; None if there is none."""
    try:
        written = json.loads((data / _REDIS).read_text())
        url, owner = str(written["url"]), str(written["owner"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return None if is_dead(owner) else url
