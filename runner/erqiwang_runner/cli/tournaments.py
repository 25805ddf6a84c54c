"""What the commands of `erqi tournament` do."""

import json
import shlex
from collections.abc import Iterable
from pathlib import Path

from rich.console import Console

from erqiwang_runner.cli.playing import play_to_the_end
from erqiwang_runner.contestants import STARTERS, foreign, starter
from erqiwang_runner.errors import UsageError
from erqiwang_runner.exit_codes import ExitCode
from erqiwang_runner.results import FaultPolicy
from erqiwang_runner.settings import Settings
from erqiwang_runner.store import summary
from erqiwang_runner.store import tournaments as rows
from erqiwang_runner.store.engine import Database
from erqiwang_runner.store.migrate import upgrade
from erqiwang_runner.tournament_spec import EntrySpec, TournamentSpec


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
    """Play a tournament to its end."""
    settings = Settings.from_environment(data)
    is_through = play_to_the_end(settings, open_database(settings), name, workers, Console())
    return ExitCode.YES if is_through else ExitCode.INTERRUPTED


def start(data: Path | None, name: str) -> ExitCode:
    """Let a tournament run."""
    database = open_database(Settings.from_environment(data))
    with database.write() as connection:
        rows.start(connection, rows.find(connection, name).id)
    print(f"tournament {name} runs as soon as a coordinator and workers do")
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
