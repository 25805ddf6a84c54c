"""What the commands of `erqi tournament` do."""

import json
import shlex
from collections.abc import Iterable
from pathlib import Path

from rich.console import Console

from erqiwang_runner.cli.platform import log_to
from erqiwang_runner.cli.watching import Ticking, watch
from erqiwang_runner.contestants import STARTERS, foreign, starter
from erqiwang_runner.errors import UsageError
from erqiwang_runner.exit_codes import ExitCode
from erqiwang_runner.results import FaultPolicy
from erqiwang_runner.run_lock import running_redis
from erqiwang_runner.settings import Settings
from erqiwang_runner.store import summary
from erqiwang_runner.store import tournaments as rows
from erqiwang_runner.store.engine import Database
from erqiwang_runner.store.migrate import upgrade
from erqiwang_runner.supervisor import Interrupted, Supervisor, raise_on_signals, wait_a_moment
from erqiwang_runner.tournament_spec import NO_SANDBOX_NOTE, EntrySpec, TournamentSpec


def create(data: Path | None, spec: TournamentSpec) -> ExitCode:
    """Write a tournament into the store."""
    database = open_database(Settings.from_environment(data))
    with database.write() as connection:
        rows.create(connection, spec)
    sets = spec.plan.board_sets
    tables = sets * spec.set.tables
    print(f"tournament {spec.name}: {len(spec.entries)} entries, {sets} board sets, {tables} tables")
    return ExitCode.YES


def run(data: Path | None, name: str, workers: int) -> ExitCode:
    """Play a tournament to its end, or watch the platform that runs already do so."""
    settings = Settings.from_environment(data)
    database = open_database(settings)
    with database.write() as connection:
        rows.start(connection, rows.find(connection, name).id)
    console = Console()
    if running_redis(settings.data) is not None:
        return play_and_watch(database, name, console, _Elsewhere())
    raise_on_signals()
    console.print(NO_SANDBOX_NOTE)
    try:
        with Supervisor(settings, workers) as platform:
            log_to(settings, "coordinator")
            return play_and_watch(database, name, console, platform)
    except Interrupted:
        console.print(interrupted_text(database, name))
        return ExitCode.INTERRUPTED


def play_and_watch(database: Database, name: str, console: Console, platform: Ticking) -> ExitCode:
    """Watch a tournament to its end."""
    watch(database, name, platform, console)
    return ExitCode.YES


def status(data: Path | None, name: str | None, *, as_json: bool) -> ExitCode:
    """Print the state of a tournament."""
    database = open_database(Settings.from_environment(data))
    found = summary.summarise(database, name)
    print(json.dumps(found.to_object()) if as_json else found.text())
    return ExitCode.YES


def list_all(data: Path | None, *, as_json: bool) -> ExitCode:
    """Print every tournament."""
    database = open_database(Settings.from_environment(data))
    with database.read() as connection:
        names = [row.name for row in rows.every(connection)]
    found = [summary.summarise(database, name) for name in names]
    if as_json:
        print(json.dumps([each.to_object() for each in found]))
    else:
        print("\n".join(each.line() for each in found) or "there is no tournament yet")
    return ExitCode.YES


def open_database(settings: Settings) -> Database:
    """Open the database, brought to the newest schema."""
    database = Database(settings.database_url)
    upgrade(database)
    return database


def interrupted_text(database: Database, name: str) -> str:
    """Say what is safe after an interruption."""
    with database.read() as connection:
        progress = rows.progress(connection, rows.find(connection, name))
    safe = f"{progress.played} of {progress.planned} board sets are stored"
    return f"interrupted: {safe}; the same command continues"


def read_entry(text: str) -> EntrySpec:
    """Read an entry: a starter bot's name, or NAME=COMMAND."""
    name, separator, command = text.partition("=")
    if not separator:
        return EntrySpec(starter(name))
    words = tuple(shlex.split(command))
    if not name or not words or name in STARTERS:
        raise UsageError(
            f"--entry {text!r} is neither a starter bot nor NAME=COMMAND with a name of your own"
        )
    return EntrySpec(foreign(name, words))


def read_switches(texts: Iterable[str]) -> dict[str, str]:
    """Read NAME=VALUE pairs."""
    pairs = [text.partition("=") for text in texts]
    for name, separator, _ in pairs:
        if not separator:
            raise UsageError(f"--switch {name!r} is not NAME=VALUE")
    return {name: value for name, _, value in pairs}


def read_policy(text: str) -> FaultPolicy:
    """Read a fault policy."""
    try:
        return FaultPolicy(text)
    except ValueError:
        raise UsageError(f"no fault policy {text!r}; there are forfeit and autoplay") from None


class _Elsewhere:
    """The platform runs in another process: we only wait."""

    def tick(self) -> None:
        wait_a_moment()
