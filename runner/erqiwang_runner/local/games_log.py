"""The append-only log of a local play: `games.jsonl`, written and synced to disk a board set at a time."""

from __future__ import annotations

import fcntl
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from erqiwang.rules import Deal, FaultCause, Record
from erqiwang_runner.errors import BadInputError, UnavailableError, UsageError
from erqiwang_runner.local.game_lines import (
    FaultLine,
    Fields,
    fault_fields,
    read_fault,
    read_line,
    read_note,
    read_record_of,
    read_result,
    table_fields,
    text,
    write_line,
)
from erqiwang_runner.local.games_header import GamesHeader
from erqiwang_runner.played import FaultNote, PlayedSet
from erqiwang_runner.results import BoardSet, Entry, Slot, TableResult, Tournament
from erqiwang_runner.seating import get_set_type
from erqiwang_runner.tournament_spec import TournamentSpec

FILE: Final = "games.jsonl"


@dataclass(slots=True)
class _Content:
    """What is in a games file; `good_bytes` is where the last whole board set ends."""

    header: GamesHeader
    tables: int
    good_bytes: int
    boards: dict[tuple[Slot, int], BoardSet] = field(default_factory=dict[tuple[Slot, int], BoardSet])
    faults: list[FaultLine] = field(default_factory=list[FaultLine])
    waiting: list[TableResult] = field(default_factory=list[TableResult])
    waiting_faults: list[FaultLine] = field(default_factory=list[FaultLine])

    def take(self, fields: Fields, end: int) -> None:
        """Take a line that ends at the byte `end`; raises ValueError."""
        match fields.get("kind"):
            case "table":
                self._take_table(read_result(fields), end)
            case "fault":
                fault = read_fault(fields)
                (self.faults if fault.place is None else self.waiting_faults).append(fault)
                if not self.waiting and not self.waiting_faults:
                    self.good_bytes = end
            case "slot":
                self.good_bytes = end if not self.waiting and not self.waiting_faults else self.good_bytes
            case kind:
                raise ValueError(f"no such kind of line: {kind!r}")

    def _take_table(self, table: TableResult, end: int) -> None:
        self.waiting.append(table)
        if len(self.waiting) < self.tables:
            return
        tables = tuple(sorted(self.waiting, key=lambda each: each.table))
        board = BoardSet(table.slot, table.generation, tables)
        if board.key in self.boards:
            raise ValueError(f"{board.slot} is there twice")
        self.boards[board.key] = board
        self.faults += self.waiting_faults
        self.waiting, self.waiting_faults = [], []
        self.good_bytes = end


class GamesLog:
    """The results of a local play, as they stand in its file.

    Read with `GamesLog.read(path)`; `GamesLog.open(path, spec)` begins or continues a play and holds a lock,
    and only then may it be written to, until `close`. What a crash left of an unfinished board set is cut off
    when the play is continued.
    """

    def __init__(self, path: Path, content: _Content, spec: TournamentSpec | None, descriptor: int) -> None:
        self.path = path
        self._content = content
        self._spec = spec
        self._descriptor = descriptor

    @classmethod
    def read(cls, path: Path) -> GamesLog:
        """Read a games file; raises BadInputError."""
        try:
            with path.open("rb") as lines:
                return cls(path, _read_content(path, lines), None, -1)
        except OSError as error:
            raise BadInputError(f"{path}: {error.strerror}") from None

    @classmethod
    def open(cls, path: Path, spec: TournamentSpec, deals: Sequence[Deal] = ()) -> GamesLog:
        """Begin a play, or continue it if it has the same conditions; raises UsageError if it has not."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        except OSError as error:
            raise UsageError(f"{path} cannot be written: {error.strerror}") from None
        try:
            return cls(
                path, _begin_or_continue(path, descriptor, GamesHeader.of(spec, deals)), spec, descriptor
            )
        except BaseException:
            os.close(descriptor)
            raise

    @property
    def header(self) -> GamesHeader:
        """Its first line."""
        return self._content.header

    def close(self) -> None:
        """Stop writing."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def store_set(self, played: PlayedSet) -> None:
        """Keep all tables of a board set; they are on disk when it returns."""
        assert self._spec is not None, "a log that is only read cannot be written to"
        deal_index = self._spec.plan.deal_index(played.slot.group, played.slot.n, played.generation)
        objects = [fault_fields(fault) for fault in played.faults]
        objects += [table_fields(table, deal_index) for table in played.tables]
        self._append(objects)

    def store_faults(self, faults: tuple[FaultNote, ...]) -> None:
        """Keep faults that belong to no board set."""
        self._append([{**fault_fields(fault)} for fault in faults if fault.place is None])

    def finished_slots(self) -> frozenset[Slot]:
        """Give the slots whose board sets are there."""
        return frozenset(slot for slot, _ in self._content.boards)

    def tournament(self, tournament: str | None = None) -> Tournament:
        """Give what the standings need to know; raises LookupError for another name than its own."""
        if tournament not in (None, self.header.name):
            raise LookupError(f"{self.path} holds {self.header.name}, not {tournament}")
        return self.header.tournament()

    def entries(self, tournament: str | None = None) -> Sequence[Entry]:
        """List the entries."""
        return self.header.entries()

    def board_sets(self, tournament: str | None = None) -> Iterable[BoardSet]:
        """Give every finished board set, in slot order."""
        return [board for _, board in sorted(self._content.boards.items())]

    def faults(self, tournament: str | None = None) -> Mapping[int, Mapping[FaultCause, int]]:
        """Count the fault events by entry and cause."""
        counted: dict[int, Counter[FaultCause]] = {}
        for fault in self._content.faults:
            counted.setdefault(fault.entry, Counter())[fault.cause] += 1
        return counted

    def fault_notes(self) -> Iterator[FaultNote]:
        """Read the faults again, with all that is known of them."""
        return (read_note(fields) for fields in self._every("fault"))

    def records(self) -> Iterator[tuple[TableResult, Record]]:
        """Read the tables again, with their records, in the order in which they were stored."""
        return ((read_result(fields), read_record_of(fields)) for fields in self._every("table"))

    def _every(self, kind: str) -> Iterator[Fields]:
        read = 0
        with self.path.open("rb") as file:
            for line in file:
                read += len(line)
                if read > self._content.good_bytes:
                    return
                fields = read_line(line)
                if fields["kind"] == kind:
                    yield fields

    def _append(self, objects: Sequence[Fields]) -> None:
        if not objects:
            return
        lines = [write_line(fields) for fields in objects]
        try:
            _write_all(self._descriptor, b"".join(lines))
            os.fsync(self._descriptor)
        except OSError as error:
            raise UnavailableError(f"{self.path} cannot be written: {error.strerror}") from None
        end = self._content.good_bytes
        for line in lines:
            end += len(line)
            self._content.take(read_line(line), end)


def _begin_or_continue(path: Path, descriptor: int, wanted: GamesHeader) -> _Content:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise UsageError(f"{path} is being written by another play") from None
    lines = _lines_of(path)
    if not lines or not lines[0].endswith(b"\n"):
        os.ftruncate(descriptor, 0)
        return _begin(path, descriptor, wanted)
    content = _read_content(path, lines)
    if difference := content.header.first_difference(wanted):
        raise UsageError(f"{path} is a play with other settings: {difference}; name another --out")
    os.ftruncate(descriptor, content.good_bytes)
    content.waiting, content.waiting_faults = [], []
    return content


def _begin(path: Path, descriptor: int, header: GamesHeader) -> _Content:
    line = write_line(header.fields)
    _write_all(descriptor, line)
    os.fsync(descriptor)
    directory = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)
    return _Content(header, _tables_of(header), len(line))


def _read_content(path: Path, lines: Iterable[bytes]) -> _Content:
    content: _Content | None = None
    end = 0
    for number, line in enumerate(lines, 1):
        if not line.endswith(b"\n") and content is not None:
            break  # cut off in the middle of writing
        end += len(line)
        try:
            if content is None:
                header = GamesHeader.read(read_line(line))
                content = _Content(header, _tables_of(header), end)
            else:
                content.take(read_line(line), end)
        except (ValueError, KeyError, LookupError) as error:
            raise BadInputError(f"{path}:{number}: {error}") from None
    if content is None:
        raise BadInputError(f"{path}: empty")
    return content


def _tables_of(header: GamesHeader) -> int:
    return get_set_type(text(header.fields, "set_type")).tables


def _lines_of(path: Path) -> list[bytes]:
    try:
        return path.read_bytes().splitlines(keepends=True)
    except OSError as error:
        raise BadInputError(f"{path}: {error.strerror}") from None


def _write_all(descriptor: int, data: bytes) -> None:
    while data:
        data = data[os.write(descriptor, data) :]
