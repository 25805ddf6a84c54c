"""`erqi standings`: the leaderboard of a tournament."""

import json
from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from erqiwang_runner.errors import UsageError
from erqiwang_runner.exit_codes import ExitCode
from erqiwang_runner.results import ResultReader
from erqiwang_runner.settings import Settings
from erqiwang_runner.standings import read_standings
from erqiwang_runner.standings_text import to_object, to_text


def standings(
    tournament: Annotated[
        str | None, typer.Argument(help="Name of the tournament; the latest by default.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    allow_disconnected: Annotated[
        bool, typer.Option(help="End with 0 even if some bots share no scale with the others.")
    ] = False,
    data: Annotated[Path | None, typer.Option(help="Data directory.")] = None,
) -> None:
    """Show ranks, ratings and points with their error bars.

    Ends with 3 if the results do not connect all bots: their numbers are then on different scales.
    """
    from erqiwang_runner.store.engine import Database
    from erqiwang_runner.store.reader import SqlResults

    with closing(Database(Settings.from_environment(data).database_url)) as database:
        reader = SqlResults(database)
        code = show(reader, tournament, Console(), as_json=as_json, allow_disconnected=allow_disconnected)
    raise typer.Exit(code)


def show(
    reader: ResultReader,
    tournament: str | None,
    console: Console,
    *,
    as_json: bool = False,
    allow_disconnected: bool = False,
) -> ExitCode:
    """Print the standings; the exit code says whether all numbers may be compared."""
    try:
        found = read_standings(reader, tournament)
    except LookupError as error:
        raise UsageError(str(error.args[0])) from None
    if as_json:
        console.file.write(json.dumps(to_object(found), ensure_ascii=False, indent=2) + "\n")
    else:
        console.print(to_text(found, console.width))
    return ExitCode.YES if found.is_connected or allow_disconnected else ExitCode.INVALID_DATA
