"""Rows of contestants and of the artefacts that they are made of."""

from __future__ import annotations

import time
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, Select, func, insert, select, update

from erqiwang_runner.artefact import Artefact
from erqiwang_runner.contestants import HOUSE_BOTS, Contestant
from erqiwang_runner.errors import UsageError
from erqiwang_runner.likeness import likeness
from erqiwang_runner.store import schema
from erqiwang_runner.store.engine import one_at_a_time


@dataclass(frozen=True, slots=True)
class ContestantRow:
    """A contestant as stored; `traits` are what its `bot.toml` says beside name, version and command.

    `size` is that of its archive in bytes, 0 without one; `tournaments` counts those that it is entered in,
    `faults` those that count against it.
    """

    contestant: Contestant
    traits: Mapping[str, Any]
    size: int
    added_at: float
    retired_at: float | None
    tournaments: int
    faults: int


def find_or_add(
    connection: Connection, contestant: Contestant, traits: Mapping[str, object] | None = None
) -> int:
    """Give the number of a contestant, which is written if it is new.

    Raises UsageError if its version is known with other files, or its name looks like another's. The bots of
    the platform keep their versions for ever, whatever files a newer platform makes them of.
    """
    table = schema.contestants
    one_at_a_time(connection, table)
    known = connection.execute(
        select(table.c.id, table.c.artefact_hash, table.c.bundled).filter_by(
            name=contestant.name, version=contestant.version
        )
    ).one_or_none()
    if known is not None:
        is_own = known.bundled and contestant.bundled
        if known.artefact_hash != contestant.artefact_hash and not is_own:
            raise UsageError(
                f"{contestant} is known with other files (hash {known.artefact_hash[:12]}, now "
                f"{contestant.artefact_hash[:12]}): a changed bot needs a new version"
            )
        return int(known.id)
    _refuse_twins(connection, contestant.name)
    key = connection.execute(
        insert(table).values(
            name=contestant.name,
            version=contestant.version,
            artefact_hash=contestant.artefact_hash,
            command=list(contestant.command),
            bundled=contestant.bundled,
            traits=dict(traits or {}),
            created_at=time.time(),
        )
    ).inserted_primary_key
    assert key is not None
    return int(key[0])


def keep_artefact(connection: Connection, artefact: Artefact) -> None:
    """Store an artefact under its hash; harmless if it is there."""
    table, digest = schema.artefacts, artefact.digest
    if connection.scalar(select(table.c.digest).filter_by(digest=digest)) is None:
        connection.execute(
            insert(table).values(
                digest=digest,
                size=len(artefact.archive),
                archive=zlib.compress(artefact.archive),
                created_at=time.time(),
            )
        )


def archive_of(connection: Connection, digest: str) -> bytes | None:
    """Give the archive of a hash, or None where there is none."""
    packed = connection.scalar(select(schema.artefacts.c.archive).filter_by(digest=digest))
    return None if packed is None else zlib.decompress(packed)


def every(connection: Connection, *, with_retired: bool) -> list[ContestantRow]:
    """List the contestants by name, each name's versions in the order in which they came."""
    query = _rows()
    if not with_retired:
        query = query.where(schema.contestants.c.retired_at.is_(None))
    return [_row(row) for row in connection.execute(query)]


def find(connection: Connection, text: str) -> ContestantRow:
    """Look up NAME@VERSION, or the newest version of NAME that is not retired; raises UsageError."""
    name, _, version = text.partition("@")
    rows = [row for row in every(connection, with_retired=True) if row.contestant.name == name]
    if not rows:
        raise UsageError(f"there is no bot {name!r}; `erqi bot list` shows those that were added")
    if not version:
        return next((row for row in reversed(rows) if row.retired_at is None), rows[-1])
    for row in rows:
        if row.contestant.version == version:
            return row
    known = ", ".join(row.contestant.version for row in rows)
    raise UsageError(f"there is no version {version!r} of {name}; there are: {known}")


def retire(connection: Connection, contestant: Contestant) -> None:
    """Take a contestant out of what may be entered; its results stay."""
    table = schema.contestants
    connection.execute(
        update(table)
        .filter_by(name=contestant.name, version=contestant.version)
        .where(table.c.retired_at.is_(None))
        .values(retired_at=time.time())
    )


def _refuse_twins(connection: Connection, name: str) -> None:
    names = {*HOUSE_BOTS, *connection.scalars(select(schema.contestants.c.name).distinct())}
    for other in sorted(names - {name}):
        if likeness(other) == likeness(name):
            raise UsageError(f"the name {name!r} looks like {other!r}, which is taken; choose another")


def _rows() -> Select[Any]:
    contestants, entries, faults = schema.contestants, schema.entries, schema.faults
    of_entry = (entries.c.tournament_id == faults.c.tournament_id) & (entries.c.number == faults.c.entry)
    entered = select(func.count(entries.c.tournament_id.distinct())).where(
        entries.c.contestant_id == contestants.c.id
    )
    counted = (
        select(func.count())
        .select_from(faults.join(entries, of_entry))
        .where(entries.c.contestant_id == contestants.c.id, faults.c.counted)
    )
    return (
        select(
            contestants,
            func.coalesce(schema.artefacts.c.size, 0).label("size"),
            entered.scalar_subquery().label("tournaments"),
            counted.scalar_subquery().label("faults"),
        )
        .outerjoin(schema.artefacts, schema.artefacts.c.digest == contestants.c.artefact_hash)
        .order_by(contestants.c.name, contestants.c.id)
    )


def _row(row: Row[Any]) -> ContestantRow:
    return ContestantRow(
        contestant=Contestant(row.name, row.version, tuple(row.command), row.artefact_hash, row.bundled),
        traits=row.traits,
        size=row.size,
        added_at=row.created_at,
        retired_at=row.retired_at,
        tournaments=row.tournaments,
        faults=row.faults,
    )
