"""The lines of a games file, `erqiwang.games/1`: JSON objects, told apart by their `kind`.

`tournament`
    The first line: the conditions of play and the entries. An entry's id is its place in the list.
`fault`
    One fault event of an entry. If it belongs to a board set, its line stands before the tables of that set.
`table`
    One table: where it belongs (`epoch`, `group`, `n`, `generation`, `table`; `deal_index`), by seat the
    `entries`, the `columns` of the set type, the `scores`, the `forfeits` and the milliseconds `ms` that the
    decisions took, the `declarer`, the hashes of deal and moves, and the `record` (`erqiwang.record/1`).

`slot`
    Only in the export of a tournament: a board, or a generation of it, that was given up; its `state` is
    `replaced` (there is another generation) or `void`, and the `reason` says why.

The lines of a board set stand together, and it counts only if all of its tables are there.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TypeGuard

from erqiwang.rules import FaultCause, Reason, Record, RecordError, record_from_object, record_to_object
from erqiwang_runner.errors import BadInputError
from erqiwang_runner.played import FaultNote, PlayedTable
from erqiwang_runner.results import Slot, TableResult

FORMAT: Final = "erqiwang.games/1"

Fields = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class FaultLine:
    """A fault as read: whose it was and what it was."""

    place: tuple[Slot, int] | None
    entry: int
    cause: FaultCause


def write_line(fields: Fields) -> bytes:
    """Write an object as a line."""
    return json.dumps(fields, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"


def read_line(line: bytes) -> Fields:
    """Read an object; raises ValueError for anything else."""
    value: object = json.loads(line)
    if not _is_object(value):
        raise ValueError("not a JSON object")
    return value


def table_fields(played: PlayedTable, deal_index: int) -> dict[str, object]:
    """Give the line of a table."""
    result, record = played.result, played.record
    return {
        "kind": "table",
        **_place_fields(result.slot, result.generation),
        "table": result.table,
        "deal_index": deal_index,
        "entries": result.entries,
        "columns": result.columns,
        "declarer": result.declarer,
        "scores": result.scores,
        "forfeits": result.forfeits,
        "ms": [
            round(sum(each.ms for each in record.decisions if each.seat == seat), 3)
            for seat in range(len(result.entries))
        ],
        "deal_hash": played.deal_hash,
        "moves_hash": played.moves_hash,
        "record": record_to_object(record),
    }


def fault_fields(fault: FaultNote) -> dict[str, object]:
    """Give the line of a fault."""
    place = {} if fault.place is None else _place_fields(*fault.place)
    return {
        "kind": "fault",
        **place,
        "table": fault.table,
        "entry": fault.entry,
        "cause": fault.cause.name.lower(),
        "reason": None if fault.reason is None else fault.reason.name.lower(),
        "detail": fault.detail,
        "log": fault.log,
    }


def read_result(fields: Fields) -> TableResult:
    """Read what the statistics need of a table; raises ValueError."""
    slot, generation = read_place(fields)
    declarer = fields.get("declarer")
    return TableResult(
        epoch=slot.epoch,
        group=slot.group,
        n=slot.n,
        generation=generation,
        table=integer(fields, "table"),
        entries=integers(fields, "entries"),
        columns=integers(fields, "columns"),
        scores=integers(fields, "scores"),
        declarer=None if declarer is None else integer(fields, "declarer"),
        forfeits=tuple(each is True for each in items(fields, "forfeits")),
    )


def read_record_of(fields: Fields) -> Record:
    """Read the record of a table; raises BadInputError."""
    try:
        return record_from_object(fields.get("record"))
    except RecordError as error:
        raise BadInputError(f"record: {error}") from None


def read_fault(fields: Fields) -> FaultLine:
    """Read whose fault it was; raises ValueError."""
    place = read_place(fields) if "epoch" in fields else None
    return FaultLine(place, integer(fields, "entry"), FaultCause[text(fields, "cause").upper()])


def read_note(fields: Fields) -> FaultNote:
    """Read all of a fault; raises ValueError."""
    line = read_fault(fields)
    reason, log = fields.get("reason"), fields.get("log")
    return FaultNote(
        entry=line.entry,
        cause=line.cause,
        reason=None if reason is None else Reason[text(fields, "reason").upper()],
        detail=text(fields, "detail"),
        place=line.place,
        table=None if fields.get("table") is None else integer(fields, "table"),
        log=None if log is None else text(fields, "log"),
    )


def read_place(fields: Fields) -> tuple[Slot, int]:
    """Read slot and generation; raises ValueError."""
    slot = Slot(integer(fields, "epoch"), integer(fields, "group"), integer(fields, "n"))
    return slot, integer(fields, "generation")


def integer(fields: Fields, name: str) -> int:
    """Read a whole number; raises ValueError."""
    value = fields.get(name)
    if not isinstance(value, int) or isinstance(value, bool):
        raise ValueError(f"{name}: expected a whole number")
    return value


def integers(fields: Fields, name: str) -> tuple[int, ...]:
    """Read a list of whole numbers; raises ValueError."""
    return tuple(integer({name: each}, name) for each in items(fields, name))


def text(fields: Fields, name: str) -> str:
    """Read a text; raises ValueError."""
    value = fields.get(name)
    if not isinstance(value, str):
        raise ValueError(f"{name}: expected a text")
    return value


def texts(fields: Fields, name: str) -> dict[str, str]:
    """Read an object whose values are texts; raises ValueError."""
    value = fields.get(name)
    if not _is_object(value):
        raise ValueError(f"{name}: expected an object")
    return {key: text(value, key) for key in value}


def inside(fields: Fields, name: str) -> Fields:
    """Read an object; raises ValueError."""
    value = fields.get(name)
    if not _is_object(value):
        raise ValueError(f"{name}: expected an object")
    return value


def objects(fields: Fields, name: str) -> tuple[Fields, ...]:
    """Read a list of objects; raises ValueError."""
    found = items(fields, name)
    if not all(_is_object(each) for each in found):
        raise ValueError(f"{name}: expected a list of objects")
    return tuple(each for each in found if _is_object(each))


def items(fields: Fields, name: str) -> list[object]:
    """Read a list of anything; raises ValueError."""
    value = fields.get(name)
    if not _is_list(value):
        raise ValueError(f"{name}: expected a list")
    return value


def _place_fields(slot: Slot, generation: int) -> dict[str, object]:
    return {"epoch": slot.epoch, "group": slot.group, "n": slot.n, "generation": generation}


def _is_object(value: object) -> TypeGuard[dict[str, object]]:
    return isinstance(value, dict)


def _is_list(value: object) -> TypeGuard[list[object]]:
    return isinstance(value, list)
