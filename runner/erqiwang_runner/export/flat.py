"""The lines of an export as rows of flat tables."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

from erqiwang_runner.local.game_lines import Fields, inside, items, objects

FLAT_KINDS: Final = ("entries", "tables", "faults", "slots")
"""The flat tables."""

_PLACE: Final = ("epoch", "group", "n", "generation")
_BY_SEAT: Final = (
    ("entry", "entries"),
    ("column", "columns"),
    ("score", "scores"),
    ("forfeit", "forfeits"),
    ("ms", "ms"),
)
_AFTER: Final = (
    *("declarer", "bid", "trump", "defender_points", "kitty_multiplier"),
    *("deal_hash", "moves_hash", "record"),
)
_ENTRY: Final = (
    *("entry", "name", "version", "role", "suspended", "bundled", "remote"),
    *("artefact_hash", "command", "options"),
)
_FAULT: Final = (*_PLACE, "table", "entry", "cause", "reason", "detail", "log")
_SLOT: Final = (*_PLACE, "deal_index", "state", "reason")


def columns_of(name: str, seats: int) -> tuple[str, ...]:
    """Give the columns of a flat table for tables of so many seats."""
    if name == "tables":
        by_seat = (f"{column}_{seat}" for column, _ in _BY_SEAT for seat in range(seats))
        return (*_PLACE, "table", "deal_index", *by_seat, *_AFTER)
    return {"entries": _ENTRY, "faults": _FAULT, "slots": _SLOT}[name]


def flat_rows(fields: Fields) -> Iterator[tuple[str, dict[str, object]]]:
    """Give the rows that a line becomes, each with the name of its flat table."""
    match fields.get("kind"):
        case "tournament":
            for number, entry in enumerate(objects(fields, "entries")):
                yield "entries", _entry_row(number, entry)
        case "table":
            yield "tables", _table_row(fields)
        case "fault":
            yield "faults", {name: fields.get(name) for name in _FAULT}
        case "slot":
            yield "slots", {name: fields.get(name) for name in _SLOT}
        case kind:
            raise AssertionError(f"no such kind of line: {kind!r}")


def _entry_row(number: int, entry: Fields) -> dict[str, object]:
    row: dict[str, object] = {name: entry.get(name) for name in _ENTRY}
    remote = entry.get("remote") is True
    return {
        **row,
        "entry": number,
        "remote": remote,
        "command": _text(entry["command"]),
        "options": _text(entry["options"]),
    }


def _table_row(fields: Fields) -> dict[str, object]:
    row = {name: fields[name] for name in (*_PLACE, "table", "deal_index")}
    for column, source in _BY_SEAT:
        if fields[source] is not None:
            values = items(fields, source)
            row.update({f"{column}_{seat}": value for seat, value in enumerate(values)})
    record = None if fields.get("record") is None else inside(fields, "record")
    row.update({name: record.get(name) if record else None for name in _AFTER})
    row.update({name: fields[name] for name in ("declarer", "deal_hash", "moves_hash")})
    row["record"] = None if record is None else _text(record)
    return row


def _text(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
