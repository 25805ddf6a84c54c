"""Tying a process to the one that started it."""

import ctypes
import os
import signal

from erqiwang_runner.launcher.process_tree import PR_SET_CHILD_SUBREAPER, PR_SET_PDEATHSIG

_libc = ctypes.CDLL(None, use_errno=True)


def die_with_parent(parent: int, number: int = signal.SIGKILL) -> None:
    """Let the kernel send this process a signal when its parent, the process `parent`, dies."""
    _libc.prctl(PR_SET_PDEATHSIG, number, 0, 0, 0)
    if os.getppid() != parent:
        # It died before we asked.
        os.kill(os.getpid(), number)


def adopt_orphans() -> None:
    """Become the parent of every process below whose own parent dies."""
    _libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
