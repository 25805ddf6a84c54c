"""Throwing away what results do not rest on: records of tables and logs of players, of ended tournaments.

Results, scores, faults, ratings and standings stay. A tournament is pruned a few rows at a time, each batch
in a transaction of its own, so that nothing that is played waits for it.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    and_,
    delete,
    exists,
    func,
    insert,
    or_,
    select,
    update,
)

from erqiwang_runner.errors import UsageError
from erqiwang_runner.store import schema, usage, webhooks
from erqiwang_runner.store.engine import Database
from erqiwang_runner.store.states import TournamentState

EVERY_S: Final = 3600.0
"""How often the coordinator looks for what is to be thrown away."""

_DAY_S: Final = 86_400.0
_ROWS_AT_ONCE: Final = 200
_ROW: Final = 1
_ENDED: Final = (TournamentState.FINISHED.value, TournamentState.CANCELLED.value)


@dataclass(frozen=True, slots=True)
class Policy:
    """What is kept of ended tournaments; None keeps everything.

    Logs are kept for `log_days` after the end, records for `record_days`; beyond `max_bytes` of both together
    those of the tournaments that ended first go, however young they are.
    """

    log_days: float | None = None
    record_days: float | None = None
    max_bytes: int | None = None

    def __post_init__(self) -> None:
        if any(days is not None and days < 0 for days in (self.log_days, self.record_days)):
            raise UsageError("days are 0 or more")
        if self.max_bytes is not None and self.max_bytes < 0:
            raise UsageError("bytes are 0 or more")

    @property
    def is_bounded(self) -> bool:
        """Whether anything is ever thrown away."""
        return self != Policy()


DEFAULT: Final = Policy(log_days=90.0)
"""Until something else is said: what bots wrote goes after a season, records stay."""


@dataclass(frozen=True, slots=True)
class Retention:
    """The policy, when it was last carried out to its end (None: never), and what went wrong since."""

    policy: Policy
    ran_at: float | None
    error: str


@dataclass(frozen=True, slots=True)
class Pruned:
    """What was thrown away of a tournament: so many records and logs, so many bytes, and when last."""

    tournament: str
    records: int
    logs: int
    bytes: int
    pruned_at: float


def current(connection: Connection) -> Retention:
    """Read the policy."""
    row = connection.execute(select(schema.retention)).one_or_none()
    if row is None:
        return Retention(DEFAULT, None, "")
    return Retention(Policy(row.log_days, row.record_days, row.max_bytes), row.ran_at, row.error)


def set_policy(connection: Connection, policy: Policy) -> None:
    """Say what is kept from now on."""
    _row(connection)
    connection.execute(
        update(schema.retention).values(
            log_days=policy.log_days, record_days=policy.record_days, max_bytes=policy.max_bytes
        )
    )


def run(database: Database, now: float | None = None) -> tuple[Pruned, ...]:
    """Throw away what the policy does not keep, measure what is left; gives what went."""
    now = time.time() if now is None else now
    with database.read() as connection:
        policy = current(connection).policy
        before = {each.tournament: each for each in prunings(connection)}
    try:
        _carry_out(database, policy, now)
        with database.write() as connection:
            webhooks.forget(connection, now)
    except Exception as error:
        _note(database, error=f"{type(error).__name__}: {error}"[:200])
        raise
    with database.read() as connection:
        found = usage.measure(connection)
        after = prunings(connection)
    with database.write() as connection:
        usage.keep(connection, found, now)
    _note(database, ran_at=now, error="")
    return tuple(each for each in after if before.get(each.tournament) != each)


def is_due(connection: Connection, now: float) -> bool:
    """Tell whether it is time to run."""
    ran_at = current(connection).ran_at
    return ran_at is None or now >= ran_at + EVERY_S or now < ran_at


def prunings(connection: Connection, tournament_id: int | None = None) -> tuple[Pruned, ...]:
    """List what was thrown away, by tournament."""
    table, of_it = schema.prunings, schema.tournaments
    query = select(table, of_it.c.name).join(of_it, of_it.c.id == table.c.tournament_id).order_by(of_it.c.id)
    if tournament_id is not None:
        query = query.where(table.c.tournament_id == tournament_id)
    rows = connection.execute(query)
    return tuple(Pruned(row.name, row.records, row.logs, row.bytes, row.pruned_at) for row in rows)


def _carry_out(database: Database, policy: Policy, now: float) -> None:
    limits = {
        usage.RECORDS: policy.record_days,
        usage.PLAYER_LOGS: policy.log_days,
        usage.FAULT_LOGS: policy.log_days,
    }
    for kind, days in limits.items():
        if days is not None:
            with database.read() as connection:
                old = connection.scalars(_ended(kind, now - days * _DAY_S)).all()
            for tournament in old:
                _prune_all(database, tournament, (kind,), now)
    if policy.max_bytes is None:
        return
    with database.read() as connection:
        excess = usage.prunable_bytes(connection) - policy.max_bytes
    for tournament in _oldest(database, now):
        if excess <= 0:
            return
        excess -= _prune_all(database, tournament, usage.PRUNABLE, now)


def _oldest(database: Database, now: float) -> Iterable[int]:
    table = schema.tournaments
    with database.read() as connection:
        return connection.scalars(
            select(table.c.id)
            .where(table.c.state.in_(_ENDED), or_(*[_has(kind) for kind in usage.PRUNABLE]))
            .where(table.c.finished_at <= now)
            .order_by(table.c.finished_at, table.c.id)
        ).all()


def _ended(kind: str, before: float) -> Select[Any]:
    table = schema.tournaments
    return (
        select(table.c.id)
        .where(table.c.state.in_(_ENDED), table.c.finished_at <= before, _has(kind))
        .order_by(table.c.finished_at, table.c.id)
    )


def _has(kind: str) -> ColumnElement[bool]:
    """Ask whether there may be rows of a kind in a tournament."""
    tournament, results, pruned = schema.tournaments.c.id, schema.table_results, schema.prunings
    if kind == usage.RECORDS:
        # Whoever has ended and has none left gets none any more: they are not looked for again.
        gone = select(pruned.c.tournament_id).where(
            pruned.c.tournament_id == tournament, pruned.c.has_records.is_(False)
        )
        played = select(results.c.id).where(results.c.tournament_id == tournament)
        return and_(exists(played), ~exists(gone))
    return exists(_logs(kind, tournament))


def _logs(kind: str, tournament: int | ColumnElement[int]) -> Select[Any, Any]:
    """Ask for the logs of a kind in a tournament: their keys and how long they are."""
    logs, attempts, matches, faults = schema.player_logs, schema.attempts, schema.matches, schema.faults
    if kind == usage.PLAYER_LOGS:
        return (
            select(logs.c.id.label("id"), func.length(logs.c.text).label("size"))
            .join(attempts, attempts.c.id == logs.c.attempt_id)
            .join(matches, matches.c.id == attempts.c.match_id)
            .where(matches.c.tournament_id == tournament)
        )
    return select(faults.c.id.label("id"), func.length(faults.c.log).label("size")).where(
        faults.c.tournament_id == tournament, faults.c.log.is_not(None)
    )


def _records(tournament: int, first: int) -> Select[Any, Any]:
    """Ask for the records of a tournament among the next few results."""
    records, results = schema.records, schema.table_results
    return (
        select(records.c.table_result_id.label("id"), func.length(records.c.record).label("size"))
        .join(results, results.c.id == records.c.table_result_id)
        .where(
            results.c.id.between(first, first + _ROWS_AT_ONCE - 1),
            # The sum keeps the database from going through all results of the tournament each time.
            results.c.tournament_id + 0 == tournament,
        )
    )


def _prune_all(database: Database, tournament: int, kinds: Iterable[str], now: float) -> int:
    """Throw all of some kinds away; gives how many bytes that were."""
    freed = 0
    for kind in kinds:
        if kind == usage.RECORDS:
            freed += _prune_records(database, tournament, now)
        else:
            query = _logs(kind, tournament).limit(_ROWS_AT_ONCE)
            while batch := _prune(database, tournament, kind, query, now):
                freed += sum(batch)
    return freed


def _prune_records(database: Database, tournament: int, now: float) -> int:
    results, pruned = schema.table_results, schema.prunings
    with database.read() as connection:
        ends = select(func.min(results.c.id), func.max(results.c.id)).filter_by(tournament_id=tournament)
        first, last = connection.execute(ends).one()
    freed = sum(
        sum(_prune(database, tournament, usage.RECORDS, _records(tournament, place), now))
        for place in range(first, last + 1, _ROWS_AT_ONCE)
    )
    with database.write() as connection:
        connection.execute(update(pruned).filter_by(tournament_id=tournament).values(has_records=False))
    return freed


def _prune(database: Database, tournament: int, kind: str, query: Select[Any, Any], now: float) -> list[int]:
    """Throw a batch away; gives the bytes of each row."""
    with database.write() as connection:
        # Its lock keeps another coordinator from counting the same rows.
        _row(connection)
        rows = connection.execute(query).all()
        sizes = [int(row.size) for row in rows]
        if rows:
            _drop(connection, kind, [row.id for row in rows])
            _count(connection, tournament, kind, len(rows), sum(sizes), now)
        return sizes


def _drop(connection: Connection, kind: str, ids: list[int]) -> None:
    if kind == usage.RECORDS:
        connection.execute(delete(schema.records).where(schema.records.c.table_result_id.in_(ids)))
    elif kind == usage.PLAYER_LOGS:
        connection.execute(delete(schema.player_logs).where(schema.player_logs.c.id.in_(ids)))
    else:
        # The fault itself counts in the standings.
        connection.execute(update(schema.faults).where(schema.faults.c.id.in_(ids)).values(log=None))


def _count(connection: Connection, tournament: int, kind: str, items: int, size: int, now: float) -> None:
    table = schema.prunings
    if connection.scalar(select(table.c.tournament_id).filter_by(tournament_id=tournament)) is None:
        connection.execute(
            insert(table).values(tournament_id=tournament, records=0, logs=0, bytes=0, pruned_at=now)
        )
    column = table.c.records if kind == usage.RECORDS else table.c.logs
    connection.execute(
        update(table)
        .filter_by(tournament_id=tournament)
        .values({column: column + items, table.c.bytes: table.c.bytes + size, table.c.pruned_at: now})
    )


def _row(connection: Connection) -> None:
    """Lock the one row of the policy, which is made where it is missing."""
    table = schema.retention
    if connection.execute(select(table.c.id).with_for_update()).one_or_none() is None:
        connection.execute(insert(table).values(id=_ROW, error="", log_days=DEFAULT.log_days))


def _note(database: Database, **values: float | str) -> None:
    with database.write() as connection:
        _row(connection)
        connection.execute(update(schema.retention).values(values))
