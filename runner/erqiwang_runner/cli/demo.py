"""`erqi demo`: a tournament of the starter bots, from nothing to a leaderboard."""

import hashlib
from itertools import islice
from pathlib import Path
from typing import Final

from rich.console import Console

from erqiwang_runner.cli.playing import play_to_the_end
from erqiwang_runner.cli.standings import show
from erqiwang_runner.cli.tournaments import open_database
from erqiwang_runner.contestants import STARTERS, starter
from erqiwang_runner.exit_codes import ExitCode
from erqiwang_runner.settings import Settings
from erqiwang_runner.store import tournaments
from erqiwang_runner.store.engine import Database
from erqiwang_runner.store.reader import SqlResults
from erqiwang_runner.store.states import TournamentState
from erqiwang_runner.tournament_spec import EntrySpec, TournamentSpec
from erqiwang_runner.transcript import transcript

BOARDS: Final = 60
SEED: Final = "demo"
_MOST_PER_MATCH: Final = 15
_MATCHES: Final = 4
_TRICKS_SHOWN: Final = 3
_TABLES_SEARCHED: Final = 20


def demo_spec(boards: int, seed: str) -> TournamentSpec:
    """Describe the demo: the same boards and seed give the same tournament, and so the same name."""
    parts = ["demo"]
    if boards != BOARDS:
        parts.append(str(boards))
    if seed != SEED:
        parts.append(hashlib.sha256(seed.encode()).hexdigest()[:8])
    return TournamentSpec(
        name="-".join(parts),
        seed_text=seed,
        entries=tuple(EntrySpec(starter(name)) for name in STARTERS),
        boards=boards,
        boards_per_match=max(1, min(_MOST_PER_MATCH, boards // _MATCHES)),
    )


def run_demo(data: Path | None, *, boards: int, seed: str, workers: int) -> ExitCode:
    """Play the demo, or what is left of it, and show the result."""
    settings = Settings.from_environment(data)
    spec = demo_spec(boards, seed)
    console = Console()
    database = open_database(settings)
    if _is_finished(database, spec):
        console.print(f"tournament {spec.name} is played already; here is its result again")
    else:
        _introduce(spec, workers, console)
        if not play_to_the_end(settings, database, spec.name, workers, console):
            return ExitCode.INTERRUPTED
    return _show(settings, database, spec, console)


def _is_finished(database: Database, spec: TournamentSpec) -> bool:
    """Make the tournament unless it is there, and tell whether there is nothing to do."""
    with database.write() as connection:
        if not tournaments.exists(connection, spec.name):
            tournaments.create(connection, spec)
        return tournaments.find(connection, spec.name).state is TournamentState.FINISHED


def _introduce(spec: TournamentSpec, workers: int, console: Console) -> None:
    sets = spec.plan.board_sets
    console.print(
        f"tournament {spec.name}: {', '.join(STARTERS)}; {sets} board sets of {spec.set.tables} tables, "
        f"{workers} workers",
        highlight=False,
        soft_wrap=True,
    )


def _show(settings: Settings, database: Database, spec: TournamentSpec, console: Console) -> ExitCode:
    reader = SqlResults(database)
    code = show(reader, spec.name, console)
    _show_table(reader, spec, console)
    console.print()
    for line in (
        f"data and logs:          {settings.data}",
        f"records as files:       erqi tournament export {spec.name} --out records --data {settings.data}",
        f"standings again:        erqi standings {spec.name} --data {settings.data}",
        f"metrics for Prometheus: erqi exporter --data {settings.data}",
    ):
        console.print(line, highlight=False, soft_wrap=True)
    return code


def _show_table(reader: SqlResults, spec: TournamentSpec, console: Console) -> None:
    """Print the beginning of the first table that somebody declared."""
    shown = islice(zip(reader.tables(spec.name), reader.records(spec.name), strict=True), _TABLES_SEARCHED)
    for table, record in shown:
        if record.declarer is not None:
            names = [str(spec.entries[entry].contestant) for entry in table.result.entries]
            text = transcript(record, names, tricks=_TRICKS_SHOWN)
            console.print(f"\none table of it:\n{text}", highlight=False, markup=False, soft_wrap=True)
            return
