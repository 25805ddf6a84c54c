"""The append-only log of a session, `session.jsonl`: deals one after another at one table.

The format is `erqiwang.session/1`, a JSON object a line, told apart by their `kind`:

`session`
    The first line: the conditions of play, who sits on which seat, and the seed of the deals.
`fault`
    One fault event of an entry, before the line of its deal.
`table`
    A deal as it was played: its number `deal` from 0, its hashes and its `record` (`erqiwang.record/1`).

Who opens a deal follows from the one before (R-05), so the order of the lines is part of the content.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from erqiwang.deals import board_seed, deals_of_board, master_key
from erqiwang.rules import (
    DEFINITION,
    RULES_VERSION,
    PassOut,
    Record,
    RecordError,
    Session,
    definition_of,
    get_profile,
    open_session,
    record_from_object,
    record_to_object,
)
from erqiwang_runner.errors import BadInputError, UnavailableError, UsageError
from erqiwang_runner.local.game_lines import Fields, fault_fields, integer, read_line, text, texts, write_line
from erqiwang_runner.local.games_header import entry_fields, house_of
from erqiwang_runner.played import PlayedSet
from erqiwang_runner.tournament_spec import TournamentSpec

FILE: Final = "session.jsonl"
KIND: Final = "session"
FORMAT: Final = "erqiwang.session/1"
_MAY_DIFFER: Final = ("name", "rules_version")


class SessionHeader:
    """The first line of a session's log."""

    def __init__(self, fields: Fields) -> None:
        """Take a line that was read; raises ValueError if it is no first line of a session."""
        if fields.get("kind") != KIND or fields.get("format") != FORMAT:
            raise ValueError(f"not the first line of a session ({FORMAT})")
        self.fields = fields
        self.name, self.seed = text(fields, "name"), text(fields, "seed")
        self.profile = house_of(fields) or get_profile(text(fields, "profile"), texts(fields, "switches"))
        try:
            self._pass_out = PassOut[text(fields, "pass_out").upper()]
        except KeyError:
            raise ValueError("pass_out: zero or redeal") from None

    @classmethod
    def of(cls, spec: TournamentSpec) -> SessionHeader:
        """Describe a session that begins."""
        return cls(
            {
                "kind": KIND,
                "format": FORMAT,
                "name": spec.name,
                "rules_version": RULES_VERSION,
                "seed": spec.seed_text,
                "verifiable": False,
                "profile": spec.profile,
                "switches": dict(spec.switches),
                **({} if spec.definition is None else {DEFINITION: definition_of(spec.definition)}),
                "room": spec.room,
                "pass_out": spec.pass_out.name.lower(),
                "clock": spec.clock_class,
                "sandbox_level": spec.sandbox_level,
                "entries": [entry_fields(entry) for entry in spec.entries],
            }
        )

    def opened(self) -> Session:
        """Give the session before its first deal: the seed decides who opens that (R-04)."""
        seed = board_seed(master_key(self.seed), 0)
        return open_session(self.profile, deals_of_board(self.profile, seed, PassOut.ZERO)[0].opener)

    def first_departure(self, session: Session, number: int, record: Record) -> str | None:
        """Say how a deal does not follow from the session before it; its own rules are not looked at."""
        if number != session.tables:
            return f"deal: {number} stands where deal {session.tables} belongs"
        opener = record.redeals[0].opener if record.redeals else record.opener
        if opener != session.opener:
            return (
                f"opener: recorded {opener}, but seat {session.opener} opens this deal of the session (R-05)"
            )
        seed = board_seed(master_key(self.seed), number)
        dealt = deals_of_board(self.profile, seed, self._pass_out)
        played = [(each.hands, each.kitty) for each in record.redeals]
        played.append((record.hands, record.kitty))
        for (hands, kitty), deal in zip(played, dealt, strict=False):
            wanted = [sorted(cards) for cards in (*deal.hands, deal.kitty)]
            if [sorted(cards) for cards in (*hands, kitty)] != wanted:
                return f"hands: these are not the cards of deal {number} of the seed {self.seed!r}"
        conditions = (record.room, record.pass_out)
        if conditions != (self.fields.get("room"), self._pass_out):
            return "room or pass_out: not those of the session"
        return None

    def first_difference(self, other: SessionHeader) -> str | None:
        """Say in what another session has other conditions."""
        for name in dict.fromkeys((*self.fields, *other.fields)):
            mine, theirs = self.fields.get(name), other.fields.get(name)
            if name not in _MAY_DIFFER and mine != theirs:
                return f"{name} is {_short(mine)} there and {_short(theirs)} here"
        return None


class SessionLog:
    """A session as it stands in its file; it is locked until `close`.

    `open` begins or continues one; what a crash left of an unfinished deal is cut off.
    """

    def __init__(
        self, path: Path, header: SessionHeader, descriptor: int, played: Iterable[tuple[int, Record]]
    ) -> None:
        self.path = path
        self.header = header
        self.session = header.opened()
        self.records: list[Record] = []
        self._descriptor = descriptor
        for number, record in played:
            if departure := header.first_departure(self.session, number, record):
                raise BadInputError(f"{path}: deal {number}: {departure}")
            self._take(record)

    @classmethod
    def open(cls, path: Path, spec: TournamentSpec) -> SessionLog:
        """Begin a session, or continue it; raises UsageError if it has other conditions, or BadInputError."""
        wanted = SessionHeader.of(spec)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        except OSError as error:
            raise UsageError(f"{path} cannot be written: {error.strerror}") from None
        try:
            return cls._continue(path, wanted, descriptor)
        except BaseException:
            os.close(descriptor)
            raise

    @classmethod
    def _continue(cls, path: Path, wanted: SessionHeader, descriptor: int) -> SessionLog:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UsageError(f"{path} is being written by another play") from None
        header = read_session_header(path)
        if header is None:
            os.ftruncate(descriptor, 0)
            log = cls(path, wanted, descriptor, ())
            log._append([wanted.fields])
            return log
        if difference := header.first_difference(wanted):
            raise UsageError(f"{path} is a session with other settings: {difference}; name another --out")
        deals = list(_deals(path))
        log = cls(path, header, descriptor, [(number, record) for number, record, _ in deals])
        os.ftruncate(descriptor, deals[-1][2] if deals else len(write_line(header.fields)))
        return log

    def close(self) -> None:
        """Stop writing."""
        os.close(self._descriptor)

    def store(self, played: PlayedSet) -> None:
        """Keep a deal; it is on disk when it returns."""
        (table,) = played.tables
        lines: list[Fields] = [fault_fields(fault) for fault in played.faults]
        lines.append(
            {
                "kind": "table",
                "deal": self.session.tables,
                "deal_hash": table.deal_hash,
                "moves_hash": table.moves_hash,
                "record": record_to_object(table.record),
            }
        )
        self._append(lines)
        self._take(table.record)

    def _take(self, record: Record) -> None:
        self.session = self.session.after(record)
        self.records.append(record)

    def _append(self, lines: Iterable[Fields]) -> None:
        data = b"".join(write_line(fields) for fields in lines)
        try:
            while data:
                data = data[os.write(self._descriptor, data) :]
            os.fsync(self._descriptor)
        except OSError as error:
            raise UnavailableError(f"{self.path} cannot be written: {error.strerror}") from None


def read_session_header(path: Path) -> SessionHeader | None:
    """Read the first line of a session; None if there is no whole line. Raises BadInputError."""
    try:
        with path.open("rb") as lines:
            first = lines.readline()
        return SessionHeader(read_line(first)) if first.endswith(b"\n") else None
    except FileNotFoundError:
        return None
    except OSError as error:
        raise BadInputError(f"{path}: {error.strerror}") from None
    except ValueError as error:
        raise BadInputError(f"{path}:1: {error}") from None


def read_deal(fields: Fields) -> tuple[int, Record]:
    """Read the number and the record of a deal; raises RecordError."""
    try:
        number = integer(fields, "deal")
    except ValueError as error:
        raise RecordError("deal", str(error)) from None
    return number, record_from_object(fields.get("record"))


def _deals(path: Path) -> Iterator[tuple[int, Record, int]]:
    """Give number and record of each whole deal, and where its line ends."""
    end = 0
    with path.open("rb") as lines:
        for place, line in enumerate(lines, 1):
            end += len(line)
            if not line.endswith(b"\n"):
                return  # cut off in the middle of writing
            try:
                fields = read_line(line)
                if fields.get("kind") == "table":
                    yield (*read_deal(fields), end)
            except ValueError as error:
                raise BadInputError(f"{path}:{place}: {error}") from None


def _short(value: object) -> str:
    return "something else" if isinstance(value, list | dict) else repr(value)
