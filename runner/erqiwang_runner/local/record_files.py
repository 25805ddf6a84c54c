"""Records as they lie in files, each with the rules and, in a session, the deal that it has to follow."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeGuard

from erqiwang.rules import Profile, Record, RecordError, Session, record_from_object, verify_record
from erqiwang_runner.errors import BadInputError
from erqiwang_runner.local import games_log, session_log
from erqiwang_runner.local.game_lines import Fields
from erqiwang_runner.local.games_header import house_of
from erqiwang_runner.local.session_log import SessionHeader, read_deal


@dataclass(frozen=True, slots=True)
class FoundRecord:
    """A record, where it stands, and the rules where they are a house's; or what was wrong with reading it.

    `departure` says how a deal of a session does not follow from the one before.
    """

    place: str
    record: Record | RecordError
    profile: Profile | None = None
    departure: str | None = None

    def first_difference(self) -> str | None:
        """Play it again and say where it is not right; None if it is, or could not be read."""
        if isinstance(self.record, RecordError):
            return None
        difference = verify_record(self.record, self.profile)
        return self.departure if difference is None else str(difference)


def find_records(paths: Iterable[Path], houses: Iterable[Profile] = ()) -> Iterator[FoundRecord]:
    """Read the records of files and directories, in order; what cannot be read is one of them.

    A file holds one record, or one a line; a games file or a session holds one in each line of a table.
    `houses` are the house profiles that are known; the first line of a games file may bring another. Raises
    BadInputError for a directory without records.
    """
    known = {profile.slug: profile for profile in houses}
    for path in paths:
        files = _files_of(path) if path.is_dir() else [path]
        if not files:
            raise BadInputError(f"{path}: no records in this directory")
        for file in files:
            yield from _records_of(file, known)


def _files_of(folder: Path) -> list[Path]:
    """Return the logs of play in a folder, whose other files are no records; or every JSON file."""
    logs = [*folder.rglob(games_log.FILE), *folder.rglob(session_log.FILE)]
    return sorted(logs) or sorted(folder.rglob("*.json*"))


def _records_of(file: Path, known: Mapping[str, Profile]) -> Iterator[FoundRecord]:
    reader = _Reader(known)
    try:
        if file.suffix != ".jsonl":
            yield from reader.read(str(file), file.read_text(encoding="utf-8"))
            return
        with file.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    yield from reader.read(f"{file}:{number}", line)
    except OSError as error:
        yield FoundRecord(str(file), RecordError("", error.strerror or "cannot be read"))
    except UnicodeDecodeError:
        yield FoundRecord(str(file), RecordError("", "not a text in UTF-8"))


class _Reader:
    """Reads the texts of one file in order, and keeps what its first line said."""

    def __init__(self, known: Mapping[str, Profile]) -> None:
        self._known = dict(known)
        self._header: SessionHeader | None = None
        self._session: Session | None = None

    def read(self, place: str, text: str) -> Iterator[FoundRecord]:
        """Give the record of a line, if it has one."""
        line = _line_with_kind(text)
        try:
            if line is None:
                yield self._found(place, Record.from_json(text))
            elif "record" in line:
                yield self._of_line(place, line)
            else:
                self._take_header(line)
        except RecordError as error:
            yield FoundRecord(place, error)
        except ValueError as error:
            yield FoundRecord(place, RecordError("", str(error)))

    def _take_header(self, line: Fields) -> None:
        if line.get("kind") == session_log.KIND:
            self._header = SessionHeader(line)
            self._session = self._header.opened()
        house = house_of(line)
        if house is not None:
            self._known.setdefault(house.slug, house)

    def _of_line(self, place: str, line: Fields) -> FoundRecord:
        if self._header is None or self._session is None:
            return self._found(place, record_from_object(line["record"]))
        session, number = self._session, self._session.tables
        self._session = None  # what follows an unreadable deal cannot be told
        number, record = read_deal(line)
        departure = self._header.first_departure(session, number, record)
        found = self._found(place, record, departure)
        if len(record.scores) == len(session.scores):
            self._session = Session(session.profile, record.next_opener, session.scores, number + 1)
        return found

    def _found(self, place: str, record: Record, departure: str | None = None) -> FoundRecord:
        return FoundRecord(place, record, self._known.get(record.profile), departure)


def _line_with_kind(text: str) -> Fields | None:
    """Return a line of a games file or session, which says what kind it is; None for anything else."""
    if not text.startswith('{"kind"'):
        return None
    try:
        value: object = json.loads(text)
    except ValueError:
        return None
    return value if _is_object(value) else None


def _is_object(value: object) -> TypeGuard[dict[str, object]]:
    return isinstance(value, dict)
