"""What the platform tells the author of a bot: admitted, refused, suspended, replaced by a newer version."""

import time
from dataclasses import dataclass

from sqlalchemy import Connection, insert, select

from erqiwang_runner.contestants import Contestant
from erqiwang_runner.store import schema


@dataclass(frozen=True, slots=True)
class Notice:
    """A notice; `written_at` in seconds since 1970."""

    text: str
    written_at: float


def add(connection: Connection, contestant_id: int, text: str) -> None:
    """Write a notice."""
    row = {"contestant_id": contestant_id, "text": text, "written_at": time.time()}
    connection.execute(insert(schema.notices).values(row))


def of(connection: Connection, contestant: Contestant, limit: int) -> list[Notice]:
    """Read the notices to a bot, the newest first."""
    table, bots = schema.notices, schema.contestants
    rows = connection.execute(
        select(table.c.text, table.c.written_at)
        .join(bots)
        .where(bots.c.name == contestant.name, bots.c.version == contestant.version)
        .order_by(table.c.id.desc())
        .limit(limit)
    )
    return [Notice(row.text, row.written_at) for row in rows]
