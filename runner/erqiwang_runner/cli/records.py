"""`erqi replay` and `erqi verify`: records from files."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path

from erqiwang.rules import RecordError
from erqiwang_runner.colours import coloured, wants_colour
from erqiwang_runner.errors import BadInputError
from erqiwang_runner.exit_codes import ExitCode
from erqiwang_runner.local.profile_choice import read_house
from erqiwang_runner.local.record_files import find_records
from erqiwang_runner.narrow import columns_of, narrowed
from erqiwang_runner.plain_text import plain
from erqiwang_runner.transcript import transcript


def run_replay(paths: Iterable[Path], tricks: int | None, houses: Iterable[Path] = ()) -> ExitCode:
    """Print records as transcripts; what does not verify is shown, and said."""
    for number, found in enumerate(find_records(paths, [read_house(path) for path in houses])):
        if isinstance(found.record, RecordError):
            raise BadInputError(plain(f"{found.place}: {found.record}"))
        difference = found.first_difference()
        profile = found.profile
        if profile is not None and dict(profile.switches) != dict(found.record.switches):
            profile = None  # another game's arithmetic explains nothing
        text = narrowed(transcript(found.record, tricks=tricks, profile=profile), columns_of(sys.stdout))
        print("\n" * bool(number) + (coloured(text) if wants_colour(sys.stdout) else text))
        if difference is not None:
            print(plain(f"erqi: {found.place}: this record is not right: {difference}"), file=sys.stderr)
    return ExitCode.YES


def run_verify(paths: Iterable[Path], *, as_json: bool, houses: Iterable[Path] = ()) -> ExitCode:
    """Play records again; NO if one of them differs, BAD_INPUT if one cannot be read and no other differs."""
    checked = 0
    differences: list[dict[str, str]] = []
    unreadable: list[dict[str, str]] = []
    for found in find_records(paths, [read_house(path) for path in houses]):
        checked += 1
        if isinstance(found.record, RecordError):
            unreadable.append({"record": found.place, "error": str(found.record)})
        elif (difference := found.first_difference()) is not None:
            differences.append({"record": found.place, "difference": difference})
    if as_json:
        print(json.dumps({"records": checked, "differences": differences, "unreadable": unreadable}))
    else:
        for each in differences:
            print(plain(f"{each['record']}: {each['difference']}"))
        for each in unreadable:
            print(plain(f"erqi: {each['record']}: {each['error']}"), file=sys.stderr)
        more = f", {len(unreadable)} not readable" if unreadable else ""
        print(f"{checked} records, {len(differences)} differ{more}")
    if differences:
        return ExitCode.NO
    return ExitCode.BAD_INPUT if unreadable else ExitCode.YES
