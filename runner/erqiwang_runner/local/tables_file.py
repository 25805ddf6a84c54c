"""Tables from a file: a games file, or records, one in the file or one a line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeGuard

from erqiwang.rules import Record, RecordError
from erqiwang_runner.errors import BadInputError
from erqiwang_runner.local.games_log import FILE, GamesLog


@dataclass(frozen=True, slots=True)
class SeenTable:
    """One table with the bots by seat, where they are known; `board` and `table` count from 0."""

    board: int
    table: int
    record: Record
    names: tuple[str, ...] = ()


def read_tables(path: Path) -> Iterator[SeenTable]:
    """Read the tables of a file, or of the games file in a folder; raises BadInputError."""
    file = path / FILE if path.is_dir() else path
    try:
        with file.open(encoding="utf-8") as lines:
            first = lines.readline()
    except OSError as error:
        raise BadInputError(f"{file}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise BadInputError(f"{file}: not a text") from None
    return _from_games(file) if _is_games(first) else _from_records(file)


def _is_games(line: str) -> bool:
    try:
        value: object = json.loads(line)
    except ValueError:
        return False
    return _is_object(value) and value.get("kind") == "tournament"


def _from_games(file: Path) -> Iterator[SeenTable]:
    log = GamesLog.read(file)
    names = {entry.id: entry.bot for entry in log.entries()}
    for result, record in log.records():
        yield SeenTable(result.n, result.table, record, tuple(names[entry] for entry in result.entries))


def _from_records(file: Path) -> Iterator[SeenTable]:
    text = file.read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line.strip()] if file.suffix == ".jsonl" else [text]
    for number, line in enumerate(lines):
        try:
            yield SeenTable(number, 0, Record.from_json(line))
        except RecordError as error:
            raise BadInputError(f"{file}:{number + 1}: {error}") from None


def _is_object(value: object) -> TypeGuard[dict[str, object]]:
    return isinstance(value, dict)
