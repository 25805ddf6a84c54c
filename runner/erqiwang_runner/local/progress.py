"""How far a play is: a bar on a terminal, plain lines elsewhere."""

from __future__ import annotations

import time
from types import TracebackType
from typing import Final, Protocol

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

_LINE_EVERY_S: Final = 5.0


class Display(Protocol):
    """Shows how many board sets are finished, for a `with` block."""

    def __enter__(self) -> Display: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def show(self, finished: int) -> None:
        """Hear how many are finished."""
        ...


def display_on(console: Console, total: int) -> Display:
    """Choose the display that suits the console."""
    return _Bar(console, total) if console.is_terminal else _Lines(console, total)


class _Bar:
    def __init__(self, console: Console, total: int) -> None:
        # Without a thread of its own: this process starts others.
        self._progress = Progress(
            TextColumn("board sets"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=console,
            auto_refresh=False,
        )
        self._task = self._progress.add_task("", total=total)

    def __enter__(self) -> _Bar:
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()

    def show(self, finished: int) -> None:
        self._progress.update(self._task, completed=finished, refresh=True)


class _Lines:
    def __init__(self, console: Console, total: int) -> None:
        self._console = console
        self._total = total
        self._last_at = time.monotonic()

    def __enter__(self) -> _Lines:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        pass

    def show(self, finished: int) -> None:
        now = time.monotonic()
        if now - self._last_at < _LINE_EVERY_S and finished < self._total:
            return
        self._last_at = now
        self._console.print(f"{finished} of {self._total} board sets", highlight=False)
