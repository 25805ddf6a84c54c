"""What the commands of `erqi tournament` do."""

import json
import sys
from contextlib import closing
from pathlib import Path

from rich.console import Console

from erqiwang_runner.cli.playing import play_to_the_end
from erqiwang_runner.exit_codes import ExitCode
from erqiwang_runner.secret_file import SecretFile
from erqiwang_runner.settings import Settings
from erqiwang_runner.store import life_cycle, summary
from erqiwang_runner.store import tournaments as rows
from erqiwang_runner.store.engine import Database
from erqiwang_runner.store.migrate import upgrade
from erqiwang_runner.store.states import TournamentState


def run(data: Path | None, name: str, workers: int, *, as_json: bool) -> ExitCode:
    """Play a tournament to its end; with `as_json` progress goes to standard error, and the end is JSON."""
    settings = Settings.from_environment(data)
    database = open_database(settings)
    was_interrupted = not play_to_the_end(settings, database, name, workers, Console(stderr=as_json))
    found = summary.summarise(database, name)
    if as_json:
        print(json.dumps(found.to_object()))
    if was_interrupted:
        return ExitCode.INTERRUPTED
    if found.state != TournamentState.FINISHED.value:
        print(f"{found.line()}: somebody stopped it", file=sys.stderr if as_json else sys.stdout)
        return ExitCode.INCONCLUSIVE
    return ExitCode.YES


def start(data: Path | None, name: str, *, as_json: bool) -> ExitCode:
    """Let a tournament run."""
    with closing(open_database(Settings.from_environment(data))) as database:
        with database.write() as connection:
            rows.start(connection, rows.find(connection, name).id)
        return _tell(database, name, "runs as soon as a coordinator and workers do", as_json=as_json)


def pause(data: Path | None, name: str, *, as_json: bool) -> ExitCode:
    """Let a tournament rest."""
    with closing(open_existing(data)) as database:
        with database.write() as connection:
            life_cycle.pause(connection, name)
        return _tell(database, name, f"is paused; erqi tournament resume {name} goes on", as_json=as_json)


def cancel(data: Path | None, name: str, *, as_json: bool) -> ExitCode:
    """End a tournament before its time."""
    settings = Settings.from_environment(data)
    with closing(open_existing(data)) as database:
        with database.write() as connection:
            life_cycle.cancel(connection, name, SecretFile.of(settings))
        return _tell(database, name, "is cancelled; what was played stays", as_json=as_json)


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


def _tell(database: Database, name: str, what: str, *, as_json: bool) -> ExitCode:
    """Say what became of a tournament; as JSON that is what `status` says."""
    found = summary.summarise(database, name)
    print(json.dumps(found.to_object()) if as_json else f"tournament {name} {what}")
    return ExitCode.YES


def open_database(settings: Settings) -> Database:
    """Open the database, brought to the newest schema."""
    database = Database(settings.database_url)
    upgrade(database)
    return database


def open_existing(data: Path | None) -> Database:
    """Open the database of a platform that was used before; raises UsageError where there is none."""
    settings = Settings.from_environment(data)
    settings.find_data()
    return open_database(settings)
