"""`erqi replay` and `erqi verify`: records from files."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from erqiwang.rules import Record, RecordError, verify_record
from erqiwang_runner.errors import BadInputError
from erqiwang_runner.exit_codes import ExitCode
from erqiwang_runner.transcript import transcript


def run_replay(paths: Iterable[Path], tricks: int | None) -> ExitCode:
    """Print records as transcripts."""
    for number, (_, record) in enumerate(_records(paths)):
        print("\n" * bool(number) + transcript(record, tricks=tricks))
    return ExitCode.YES


def run_verify(paths: Iterable[Path], *, as_json: bool) -> ExitCode:
    """Play records again; NO if one of them differs."""
    checked = 0
    differences: list[dict[str, str]] = []
    for place, record in _records(paths):
        checked += 1
        difference = verify_record(record)
        if difference is not None:
            differences.append({"record": place, "difference": str(difference)})
    if as_json:
        print(json.dumps({"records": checked, "differences": differences}))
    else:
        for each in differences:
            print(f"{each['record']}: {each['difference']}")
        print(f"{checked} records, {len(differences)} differ")
    return ExitCode.NO if differences else ExitCode.YES


def _records(paths: Iterable[Path]) -> Iterator[tuple[str, Record]]:
    """Read records: a file holds one, or one a line."""
    for path in paths:
        files = sorted(path.rglob("*.json*")) if path.is_dir() else [path]
        if not files:
            raise BadInputError(f"{path}: no records in this directory")
        for file in files:
            yield from _records_of(file)


def _records_of(file: Path) -> Iterator[tuple[str, Record]]:
    try:
        text = file.read_text()
    except (OSError, UnicodeDecodeError) as error:
        raise BadInputError(f"{file}: {error}") from None
    lines = text.splitlines() if file.suffix == ".jsonl" else [text]
    for number, line in enumerate(lines, 1):
        place = f"{file}:{number}" if len(lines) > 1 else str(file)
        try:
            yield place, Record.from_json(line)
        except RecordError as error:
            raise BadInputError(f"{place}: {error}") from None
