"""`erqi rate`: standings from an export alone."""

from pathlib import Path

from rich.console import Console

from erqiwang_runner.cli.standings import show
from erqiwang_runner.exit_codes import ExitCode
from erqiwang_runner.export.place import read_games


def run_rate(path: Path, *, as_json: bool, allow_disconnected: bool) -> ExitCode:
    """Print the standings of an export: the same as those of the database that it came from."""
    return show(read_games(path), None, Console(), as_json=as_json, allow_disconnected=allow_disconnected)
