"""How much of what is kept: measured now and then, because it means looking at everything."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection, Table, delete, func, insert, select, text

from erqiwang_runner.store import schema

RECORDS: Final = "records"
PLAYER_LOGS: Final = "player_logs"
FAULT_LOGS: Final = "fault_logs"
PRUNABLE: Final = (RECORDS, PLAYER_LOGS, FAULT_LOGS)
"""The kinds that retention is about."""

_COLUMNS: Final[dict[str, tuple[Table, str]]] = {
    RECORDS: (schema.records, "record"),
    PLAYER_LOGS: (schema.player_logs, "text"),
    FAULT_LOGS: (schema.faults, "log"),
    "artefacts": (schema.artefacts, "archive"),
    "events": (schema.deliveries, "body"),
}
_DATABASE: Final = "database"
_FREE: Final = "free"
"""Room within the file of SQLite that what was thrown away left: it is used before the file grows."""


@dataclass(frozen=True, slots=True)
class Usage:
    """What one kind takes: so many items and, without indices and overhead, so many bytes of contents.

    Texts are counted by characters. `database` is the size of all of it on the disk.
    """

    kind: str
    items: int
    bytes: int


def measure(connection: Connection) -> tuple[Usage, ...]:
    """Measure everything, which takes a look at every row."""
    return (*(_of(connection, kind) for kind in _COLUMNS), *_whole(connection))


def prunable_bytes(connection: Connection) -> int:
    """Measure what retention is about."""
    return sum(_of(connection, kind).bytes for kind in PRUNABLE)


def keep(connection: Connection, found: tuple[Usage, ...], now: float) -> None:
    """Keep what was measured, for whoever asks often."""
    connection.execute(delete(schema.usages))
    connection.execute(
        insert(schema.usages),
        [{"kind": each.kind, "items": each.items, "bytes": each.bytes, "measured_at": now} for each in found],
    )


def kept(connection: Connection) -> tuple[Usage, ...]:
    """Give what was measured last."""
    rows = connection.execute(select(schema.usages).order_by(schema.usages.c.kind))
    return tuple(Usage(row.kind, row.items, row.bytes) for row in rows)


def _of(connection: Connection, kind: str) -> Usage:
    table, name = _COLUMNS[kind]
    column = table.c[name]
    size = func.coalesce(func.sum(func.length(column)), 0)
    found = connection.execute(select(func.count(), size).select_from(table).where(column.is_not(None)))
    items, taken = found.one()
    return Usage(kind, int(items), int(taken))


def _whole(connection: Connection) -> Iterator[Usage]:
    if connection.dialect.name == "postgresql":
        size = connection.scalar(text("SELECT pg_database_size(current_database())"))
        yield Usage(_DATABASE, 1, int(size or 0))
        return
    page, pages, free = (
        int(connection.scalar(text(f"PRAGMA {name}")) or 0)
        for name in ("page_size", "page_count", "freelist_count")
    )
    yield Usage(_DATABASE, 1, page * pages)
    yield Usage(_FREE, free, page * free)
