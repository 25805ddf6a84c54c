"""Where the lines of an export go: JSON lines, CSV or Parquet.

JSON lines are the whole thing, one file. CSV and Parquet hold the same in several tables, one row a table of
the tournament; the lists by seat become columns `entry_0`, `score_0`, … and the record is its JSON text.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final, Protocol, TextIO

from erqiwang_runner.errors import UsageError
from erqiwang_runner.export.flat import FLAT_KINDS, columns_of, flat_rows
from erqiwang_runner.local.game_lines import Fields, write_line
from erqiwang_runner.local.games_log import FILE

FORMATS: Final = ("jsonl", "csv", "parquet")


class Sink(Protocol):
    """Takes the lines in their order; nothing is at its place before `close`."""

    def write(self, fields: Fields) -> None:
        """Take a line."""
        ...

    def close(self) -> tuple[Path, ...]:
        """Finish; gives the files that were written."""
        ...


def export_to(directory: Path, kind: str, lines: Iterable[Fields], *, force: bool) -> tuple[Path, ...]:
    """Write all lines; raises UsageError if something is there already, or for an unknown format."""
    sink = _open_sink(directory, kind, force=force)
    for fields in lines:
        sink.write(fields)
    return sink.close()


def _open_sink(directory: Path, kind: str, *, force: bool) -> Sink:
    if kind not in FORMATS:
        raise UsageError(f"no format {kind!r}; there are {', '.join(FORMATS)}")
    if kind == "parquet":
        from erqiwang_runner.export.parquet import ParquetSink

        return ParquetSink(_checked(directory, "tables.parquet", force=force))
    if kind == "csv":
        return CsvSink(_checked(directory, "tables.csv", force=force))
    return JsonLinesSink(_checked(directory, FILE, force=force))


def _checked(directory: Path, name: str, *, force: bool) -> Path:
    if (directory / name).exists() and not force:
        raise UsageError(f"{directory / name} is there already; name another --out, or --force")
    directory.mkdir(parents=True, exist_ok=True)
    return directory


class JsonLinesSink:
    """`games.jsonl`."""

    def __init__(self, directory: Path) -> None:
        self._path = directory / FILE
        self._part = part_of(self._path)
        self._file = self._part.open("wb")

    def write(self, fields: Fields) -> None:
        """Take a line."""
        self._file.write(write_line(fields))

    def close(self) -> tuple[Path, ...]:
        """Finish."""
        self._file.close()
        self._part.replace(self._path)
        return (self._path,)


class CsvSink:
    """`tournament.json` and, for each kind of line, a CSV file: tables, faults, slots; and the entries."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._seats = 0
        self._files: dict[str, TextIO] = {}
        self._rows: dict[str, csv.DictWriter[str]] = {}

    def write(self, fields: Fields) -> None:
        """Take a line."""
        if fields["kind"] == "tournament":
            header, self._seats = describe(fields)
            part_of(self._directory / "tournament.json").write_text(header)
            for name in FLAT_KINDS:
                self._open(name)
        for name, row in flat_rows(fields):
            self._rows[name].writerow(_cells(row))

    def close(self) -> tuple[Path, ...]:
        """Finish."""
        for file in self._files.values():
            file.close()
        names = ["tournament.json", *(f"{name}.csv" for name in self._files)]
        return put_in_place(self._directory, names)

    def _open(self, name: str) -> None:
        file = part_of(self._directory / f"{name}.csv").open("w", newline="", encoding="utf-8")
        self._files[name] = file
        self._rows[name] = csv.DictWriter(file, columns_of(name, self._seats), lineterminator="\n")
        self._rows[name].writeheader()


def describe(header: Fields) -> tuple[str, int]:
    """Give the text of `tournament.json` and the number of seats."""
    from erqiwang_runner.seating import get_set_type

    text = json.dumps(header, indent=2, ensure_ascii=False) + "\n"
    return text, get_set_type(str(header["set_type"])).seats


def put_in_place(directory: Path, names: Iterable[str]) -> tuple[Path, ...]:
    """Give the finished files their names."""
    paths = tuple(directory / name for name in names)
    for path in paths:
        part_of(path).replace(path)
    return paths


def part_of(path: Path) -> Path:
    """Say what a file is called while it is being written."""
    return path.with_name(path.name + ".part")


def _cells(row: Mapping[str, object]) -> dict[str, object]:
    """Write truth values as 0 and 1 and nothing as an empty cell."""
    return {name: int(value) if isinstance(value, bool) else value for name, value in row.items()}
