"""The short-lived directory of a running platform: sockets and the homes of players.

It is private (0700) and has a short path, because the path of a Unix socket may have about 100 characters.
Its owner holds a lock in it; a directory without a living owner is removed by whoever starts next.
"""

import fcntl
import os
import shutil
import tempfile
import time
from pathlib import Path
from typing import Final

_PREFIX: Final = "erqi-run-"
_LOCK: Final = ".owner"
_LONGEST_PARENT: Final = 40
_YOUNG_S: Final = 60.0


class RunDirectory:
    """A new run directory; it is there until `close`, or until its owner dies and another starts."""

    def __init__(self) -> None:
        remove_stale()
        self.path = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=_parent()))
        # The lock is held before it has its name, so that nobody can find it free.
        nameless = self.path / f"{_LOCK}.new"
        self._lock = os.open(nameless, os.O_RDWR | os.O_CREAT, 0o600)
        fcntl.flock(self._lock, fcntl.LOCK_EX)
        nameless.rename(self.path / _LOCK)

    def close(self) -> None:
        """Remove it."""
        shutil.rmtree(self.path, ignore_errors=True)
        os.close(self._lock)


def remove_stale() -> None:
    """Remove the run directories of this user whose owners are dead."""
    for path in _parent().glob(f"{_PREFIX}*"):
        if path.is_dir() and not path.is_symlink() and path.stat().st_uid == os.getuid() and _is_stale(path):
            shutil.rmtree(path, ignore_errors=True)


def _is_stale(path: Path) -> bool:
    try:
        lock = os.open(path / _LOCK, os.O_RDWR | os.O_NOFOLLOW)
    except OSError:
        # Not locked yet, or its owner died before it could.
        return (path / f"{_LOCK}.new").exists() and time.time() - path.stat().st_mtime > _YOUNG_S
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    else:
        return True
    finally:
        os.close(lock)


def _parent() -> Path:
    wanted = Path(tempfile.gettempdir())
    return wanted if len(str(wanted)) <= _LONGEST_PARENT else Path("/tmp")
