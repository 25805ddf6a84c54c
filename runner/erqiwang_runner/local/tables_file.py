"""Tables from a file: a games file, or records, one in the file or one a line."""

from __future__ import annotations

import fcntl
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
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


def follow_tables(path: Path, wait: Callable[[], None]) -> Iterator[SeenTable]:
    """Read the tables as `read_tables` does, and those that a play adds, for as long as it writes there.

    `wait` passes the time between two looks. Raises BadInputError.
    """
    file = _file_in(path) if path.is_dir() else path
    seen, size = 0, -1
    while True:
        is_written = _is_written(file)
        if (now := file.stat().st_size) != size:
            size = now
            for each in islice(read_tables(file), seen, None):
                seen += 1
                yield each
        elif not is_written:
            return
        else:
            wait()


def _is_written(file: Path) -> bool:
    """Tell whether a play holds its log."""
    try:
        with file.open("rb") as opened:
            fcntl.flock(opened, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError as error:
        raise BadInputError(f"{file}: {error.strerror}") from None
    return False


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
