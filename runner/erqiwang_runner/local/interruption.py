"""Ctrl-C and SIGTERM: both end a play in order, and a second one does not disturb the cleaning up."""

from __future__ import annotations

import signal
import threading
from collections.abc import Generator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

_NUMBERS = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def interruptible() -> Generator[None]:
    """Let SIGTERM raise KeyboardInterrupt in a block, as SIGINT does."""
    before = signal.signal(signal.SIGTERM, _interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def uninterrupted() -> Generator[None]:
    """Ignore SIGINT and SIGTERM in a block; in other threads than the main one nothing needs to be done."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, _ignore) for number in _NUMBERS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _interrupt(_number: int, _frame: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt


def _ignore(_number: int, _frame: FrameType | None) -> None:
    """Do nothing. SIG_IGN would make Python complain of a signal that is on its way already."""
