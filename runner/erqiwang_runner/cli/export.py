"""`erqi tournament export`: a tournament as files."""

import json
from contextlib import closing
from pathlib import Path

from erqiwang_runner.errors import UsageError
from erqiwang_runner.exit_codes import ExitCode
from erqiwang_runner.export.sinks import export_to
from erqiwang_runner.export.source import lines
from erqiwang_runner.settings import Settings
from erqiwang_runner.standings import read_standings
from erqiwang_runner.standings_text import to_object
from erqiwang_runner.store import retention, tournaments
from erqiwang_runner.store.engine import Database
from erqiwang_runner.store.hidden import veil_of
from erqiwang_runner.store.migrate import upgrade
from erqiwang_runner.store.reader import SqlResults


def run_export(
    data: Path | None,
    name: str | None,
    out: Path,
    kind: str,
    *,
    records: bool,
    force: bool,
    hidden: bool = False,
) -> ExitCode:
    """Write a tournament and its standings into a directory.

    One that a competition hides until it is revealed is refused, unless `hidden` says otherwise.
    """
    settings = Settings.from_environment(data)
    settings.find_data()
    with closing(Database(settings.database_url)) as database:
        upgrade(database)
        reader = SqlResults(database)
        try:
            tournament = reader.tournament(name)
        except LookupError as error:
            raise UsageError(str(error.args[0])) from None
        with database.read() as connection:
            veil = veil_of(connection, tournament.id)
            if veil is not None and not hidden:
                raise UsageError(f"{veil}; its host may export it with --hidden")
            row = tournaments.find(connection, tournament.id)
            found = lines(connection, row, tournament, records=records)
            files = export_to(out, kind, found, force=force)
            pruned = retention.prunings(connection, row.id)
        standings = out / "standings.json"
        standings.write_text(standings_text(reader, tournament.id), encoding="utf-8")
    for file in (*files, standings):
        print(file)
    for each in pruned:
        print(
            f"note: {each.records} records and {each.logs} logs of it were thrown away before, by retention"
        )
    return ExitCode.YES


def standings_text(reader: SqlResults, tournament: str) -> str:
    """Give what `erqi standings --json` prints."""
    return json.dumps(to_object(read_standings(reader, tournament)), ensure_ascii=False, indent=2) + "\n"
