"""Tables from a file: a games file, or records, one in the file or one a line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeGuard

from erqiwang.rules import Profile, Record, RecordError
from erqiwang_runner.errors import BadInputError
from erqiwang_runner.local import session_log
from erqiwang_runner.local.games_log import FILE, GamesLog
from erqiwang_runner.local.record_files import find_records


@dataclass(frozen=True, slots=True)
class SeenTable:
    """One table with the bots by seat, where they are known; `board` and `table` count from 0."""

    board: int
    table: int
    record: Record
    names: tuple[str, ...] = ()
    profile: Profile | None = None
    """The rules where they are a house's."""


def read_tables(path: Path) -> Iterator[SeenTable]:
    """Read the tables of a file, or of the games file or session in a folder; raises BadInputError."""
    file = _file_in(path) if path.is_dir() else path
    try:
        with file.open(encoding="utf-8") as lines:
            first = lines.readline()
    except OSError as error:
        raise BadInputError(f"{file}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise BadInputError(f"{file}: not a text") from None
    return _from_games(file) if _is_games(first) else _from_records(file)


def _file_in(folder: Path) -> Path:
    session = folder / session_log.FILE
    return session if session.exists() else folder / FILE


def _is_games(line: str) -> bool:
    try:
        value: object = json.loads(line)
    except ValueError:
        return False
    return _is_object(value) and value.get("kind") == "tournament"


def _from_games(file: Path) -> Iterator[SeenTable]:
    log = GamesLog.read(file)
    names = {entry.id: entry.bot for entry in log.entries()}
    house = log.header.house()
    for result, record in log.records():
        seated = tuple(names[entry] for entry in result.entries)
        yield SeenTable(result.n, result.table, record, seated, house)


def _from_records(file: Path) -> Iterator[SeenTable]:
    for number, found in enumerate(find_records([file])):
        if isinstance(found.record, RecordError):
            raise BadInputError(f"{found.place}: {found.record}")
        yield SeenTable(number, 0, found.record, (), found.profile)


def _is_object(value: object) -> TypeGuard[dict[str, object]]:
    return isinstance(value, dict)
