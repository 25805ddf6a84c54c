"""`erqi standings`: the leaderboard of a tournament."""

import json
from contextlib import closing
from pathlib import Path

from rich.console import Console

from erqiwang_runner.errors import UsageError
from erqiwang_runner.exit_codes import ExitCode
from erqiwang_runner.results import ResultReader
from erqiwang_runner.settings import Settings
from erqiwang_runner.standings import read_standings
from erqiwang_runner.standings_text import to_object, to_text


def run_standings(
    data: Path | None,
    tournament: str | None,
    *,
    as_json: bool,
    allow_disconnected: bool,
    hidden: bool = False,
) -> ExitCode:
    """Print the standings of a tournament in the store, or of the latest.

    Of a competition that is not revealed only the public part is shown, unless `hidden` says otherwise.
    """
    from erqiwang_runner.store.engine import Database
    from erqiwang_runner.store.hidden import visible_results
    from erqiwang_runner.store.migrate import upgrade

    settings = Settings.from_environment(data)
    settings.find_data()
    with closing(Database(settings.database_url)) as database:
        upgrade(database)
        reader, note = visible_results(database, tournament, everything=hidden)
        if note:
            Console(stderr=True).print(note, highlight=False, soft_wrap=True)
        return show(
            reader,
            tournament,
            Console(),
            as_json=as_json,
            allow_disconnected=allow_disconnected,
        )


def show(
    reader: ResultReader,
    tournament: str | None,
    console: Console,
    *,
    as_json: bool = False,
    allow_disconnected: bool = False,
) -> ExitCode:
    """Print standings; the exit code says whether all their numbers may be compared.

    Raises UsageError for an unknown tournament.
    """
    try:
        found = read_standings(reader, tournament)
    except LookupError as error:
        raise UsageError(str(error.args[0])) from None
    if as_json:
        console.file.write(json.dumps(to_object(found), ensure_ascii=False, indent=2) + "\n")
    else:
        console.print(to_text(found, console.width), highlight=False)
    return ExitCode.YES if found.is_connected or allow_disconnected else ExitCode.INVALID_DATA
