"""Where an export lies: people name the file or the directory around it."""

from pathlib import Path

from erqiwang_runner.errors import BadInputError
from erqiwang_runner.local.game_lines import integer
from erqiwang_runner.local.games_log import FILE, GamesLog


def games_file(path: Path) -> Path:
    """Give the file of an export; raises BadInputError if there is none."""
    file = path / FILE if path.is_dir() else path
    if not file.exists():
        raise BadInputError(f"{file}: there is no such export")
    return file


def read_games(path: Path) -> GamesLog:
    """Read the results of an export; raises BadInputError also if lines are missing at its end."""
    file = games_file(path)
    log = GamesLog.read(file)
    fields = log.header.fields
    tables = sum(len(board.tables) for board in log.board_sets())
    if "tables" in fields and integer(fields, "tables") != tables:
        raise BadInputError(
            f"{file}: its first line promises {fields['tables']} tables, but {tables} are there"
        )
    return log
