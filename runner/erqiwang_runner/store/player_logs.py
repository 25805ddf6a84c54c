"""What players wrote, kept for their authors: the newest few of each contestant."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection, delete, insert, select

from erqiwang_runner.contestants import Contestant
from erqiwang_runner.match_claim import MatchClaim
from erqiwang_runner.store import schema
from erqiwang_runner.store.engine import Database

KEPT: Final = 200
"""Logs of one contestant that are kept."""


@dataclass(frozen=True, slots=True)
class PlayerLog:
    """What the players of one column at one table wrote in an attempt, the middle left out where it is long.

    `fault` is the cause that was noted with it, or None where nothing went wrong.
    """

    tournament: str
    attempt_id: int
    text: str
    stored_at: float
    fault: str | None = None
    detail: str = ""


def keep(database: Database, claim: MatchClaim, said: Mapping[tuple[int, int, int], str]) -> None:
    """Keep what the players of an attempt wrote, by (entry, table, column), and drop what is old."""
    if not said:
        return
    logs = schema.player_logs
    with database.write() as connection:
        owners = _owners(connection, claim.tournament_id)
        now = time.time()
        connection.execute(
            insert(logs),
            [
                {
                    "contestant_id": owners[entry],
                    "attempt_id": claim.attempt_id,
                    "entry": entry,
                    "table_no": table,
                    "column_no": column,
                    "text": text,
                    "stored_at": now,
                }
                for (entry, table, column), text in said.items()
            ],
        )
        _drop_old(connection, {owners[entry] for entry, _, _ in said})


def of(connection: Connection, contestant: Contestant, limit: int) -> list[PlayerLog]:
    """List what the players of a contestant wrote and what went wrong with them, the newest first."""
    found = [*_written(connection, contestant, limit), *_faulty(connection, contestant, limit)]
    return sorted(found, key=lambda log: -log.stored_at)[:limit]


def _owners(connection: Connection, tournament_id: int) -> dict[int, int]:
    entries = schema.entries
    rows = connection.execute(
        select(entries.c.number, entries.c.contestant_id).filter_by(tournament_id=tournament_id)
    )
    return {row.number: row.contestant_id for row in rows}


def _drop_old(connection: Connection, contestants: Iterable[int]) -> None:
    logs = schema.player_logs
    for contestant in contestants:
        newest = select(logs.c.id).filter_by(contestant_id=contestant).order_by(logs.c.id.desc())
        oldest_kept = connection.scalar(newest.offset(KEPT - 1).limit(1))
        if oldest_kept is not None:
            connection.execute(
                delete(logs).where(logs.c.contestant_id == contestant, logs.c.id < oldest_kept)
            )


def _written(connection: Connection, contestant: Contestant, limit: int) -> list[PlayerLog]:
    logs, contestants = schema.player_logs, schema.contestants
    attempts, matches, tournaments = schema.attempts, schema.matches, schema.tournaments
    rows = connection.execute(
        select(logs.c.attempt_id, logs.c.text, logs.c.stored_at, tournaments.c.name)
        .join(contestants, contestants.c.id == logs.c.contestant_id)
        .join(attempts, attempts.c.id == logs.c.attempt_id)
        .join(matches, matches.c.id == attempts.c.match_id)
        .join(tournaments, tournaments.c.id == matches.c.tournament_id)
        .where(contestants.c.name == contestant.name, contestants.c.version == contestant.version)
        .order_by(logs.c.id.desc())
        .limit(limit)
    )
    return [PlayerLog(row.name, row.attempt_id, row.text, row.stored_at) for row in rows]


def _faulty(connection: Connection, contestant: Contestant, limit: int) -> list[PlayerLog]:
    faults, entries = schema.faults, schema.entries
    contestants, tournaments = schema.contestants, schema.tournaments
    of_entry = (entries.c.tournament_id == faults.c.tournament_id) & (entries.c.number == faults.c.entry)
    rows = connection.execute(
        select(faults, tournaments.c.name)
        .join(entries, of_entry)
        .join(contestants, contestants.c.id == entries.c.contestant_id)
        .join(tournaments, tournaments.c.id == faults.c.tournament_id)
        .where(contestants.c.name == contestant.name, contestants.c.version == contestant.version)
        .order_by(faults.c.id.desc())
        .limit(limit)
    )
    return [
        PlayerLog(row.name, row.attempt_id, row.log or "", row.happened_at, row.cause, row.detail)
        for row in rows
    ]
