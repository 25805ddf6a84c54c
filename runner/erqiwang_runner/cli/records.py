"""`erqi replay` and `erqi verify`: records from files."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypeGuard

from erqiwang.rules import Record, RecordError, record_from_object, verify_record
from erqiwang_runner.colours import coloured, wants_colour
from erqiwang_runner.errors import BadInputError
from erqiwang_runner.exit_codes import ExitCode
from erqiwang_runner.local.games_log import FILE
from erqiwang_runner.transcript import transcript


def run_replay(paths: Iterable[Path], tricks: int | None) -> ExitCode:
    """Print records as transcripts; what does not verify is shown, and said."""
    for number, (place, record) in enumerate(_records(paths)):
        if isinstance(record, RecordError):
            raise BadInputError(str(record))
        text = transcript(record, tricks=tricks)
        print("\n" * bool(number) + (coloured(text) if wants_colour(sys.stdout) else text))
        if (difference := verify_record(record)) is not None:
            print(f"erqi: {place}: this record is not right: {difference}", file=sys.stderr)
    return ExitCode.YES


def run_verify(paths: Iterable[Path], *, as_json: bool) -> ExitCode:
    """Play records again; NO if one of them differs, BAD_INPUT if one cannot be read and no other differs."""
    checked = 0
    differences: list[dict[str, str]] = []
    unreadable: list[dict[str, str]] = []
    for place, record in _records(paths):
        checked += 1
        if isinstance(record, RecordError):
            unreadable.append({"record": place, "error": str(record)})
        elif (difference := verify_record(record)) is not None:
            differences.append({"record": place, "difference": str(difference)})
    if as_json:
        print(json.dumps({"records": checked, "differences": differences, "unreadable": unreadable}))
    else:
        for each in differences:
            print(f"{each['record']}: {each['difference']}")
        for each in unreadable:
            print(f"erqi: {each['record']}: {each['error']}", file=sys.stderr)
        more = f", {len(unreadable)} not readable" if unreadable else ""
        print(f"{checked} records, {len(differences)} differ{more}")
    if differences:
        return ExitCode.NO
    return ExitCode.BAD_INPUT if unreadable else ExitCode.YES


def _records(paths: Iterable[Path]) -> Iterator[tuple[str, Record | RecordError]]:
    """Read records: a file holds one, or one a line; a games file holds one in each line of a table."""
    for path in paths:
        files = _files_of(path) if path.is_dir() else [path]
        if not files:
            raise BadInputError(f"{path}: no records in this directory")
        for file in files:
            yield from _records_of(file)


def _files_of(folder: Path) -> list[Path]:
    """Return the games files of a folder, whose other files are no records; or every JSON file."""
    return sorted(folder.rglob(FILE)) or sorted(folder.rglob("*.json*"))


def _records_of(file: Path) -> Iterator[tuple[str, Record | RecordError]]:
    try:
        if file.suffix != ".jsonl":
            yield from _read(str(file), file.read_text(encoding="utf-8"))
            return
        with file.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    yield from _read(f"{file}:{number}", line)
    except OSError as error:
        raise BadInputError(f"{file}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise BadInputError(f"{file}: not a text in UTF-8") from None


def _read(place: str, text: str) -> Iterator[tuple[str, Record | RecordError]]:
    line = _games_line(text)
    try:
        if line is None:
            yield place, Record.from_json(text)
        elif "record" in line:
            yield place, record_from_object(line["record"])
    except RecordError as error:
        yield place, error


def _games_line(text: str) -> dict[str, object] | None:
    """Return a line of a games file, which says what kind it is; None for anything else."""
    if not text.startswith('{"kind"'):
        return None
    try:
        value: object = json.loads(text)
    except ValueError:
        return None
    return value if _is_object(value) else None


def _is_object(value: object) -> TypeGuard[dict[str, object]]:
    return isinstance(value, dict)
