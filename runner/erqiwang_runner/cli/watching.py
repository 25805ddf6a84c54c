"""Watching a tournament go: a progress bar on a terminal, plain lines elsewhere."""

import time
from types import TracebackType
from typing import Final, Protocol

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from erqiwang_runner.store import tournaments
from erqiwang_runner.store.engine import Database
from erqiwang_runner.store.states import TournamentState

_LINE_EVERY_S: Final = 5.0


class Ticking(Protocol):
    """What goes on while we watch."""

    def tick(self) -> None:
        """Do what is due and wait a moment."""
        ...


def watch(database: Database, name: str, platform: Ticking, console: Console) -> None:
    """Show the progress of a tournament until it is finished, or somebody pauses or cancels it."""
    trouble: str | None = None
    with _display(console) as display:
        while True:
            with database.read() as connection:
                tournament = tournaments.find(connection, name)
                progress = tournaments.progress(connection, tournament)
            display.show(progress.played, progress.explained, progress.planned)
            if tournament.trouble != trouble:
                trouble = tournament.trouble
                console.print(trouble_line(trouble), highlight=False, soft_wrap=True, markup=False)
            if tournament.state is not TournamentState.RUNNING:
                return
            platform.tick()


def trouble_line(trouble: str | None) -> str:
    """Say why nothing is played at a public referee, or that it is again."""
    return "the referee is there again" if trouble is None else f"waits for its referee: {trouble}"


def _display(console: Console) -> "_Bar | _Lines":
    return _Bar(console) if console.is_terminal else _Lines(console)


class _Bar:
    def __init__(self, console: Console) -> None:
        # Without a thread of its own: this process starts others.
        self._progress = Progress(
            TextColumn("board sets"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=console,
            auto_refresh=False,
        )
        self._task = self._progress.add_task("", total=None)

    def __enter__(self) -> "_Bar":
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()

    def show(self, played: int, explained: int, planned: int) -> None:
        self._progress.update(self._task, completed=played + explained, total=planned, refresh=True)


class _Lines:
    def __init__(self, console: Console) -> None:
        self._console = console
        self._last: tuple[int, int] = (-1, -1)
        self._last_at = float("-inf")

    def __enter__(self) -> "_Lines":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        pass

    def show(self, played: int, explained: int, planned: int) -> None:
        now = time.monotonic()
        done = played + explained == planned
        if (played, explained) == self._last or (now - self._last_at < _LINE_EVERY_S and not done):
            return
        self._last, self._last_at = (played, explained), now
        lost = f", {explained} not to be played" if explained else ""
        self._console.print(f"{played} of {planned} board sets played{lost}", highlight=False)
