"""Hosts that spoil matches more often than their peers take nothing for a while.

Bad is an attempt that the platform failed or whose worker was lost, and one in which two or more different
bots were late: one bot that is late is to blame itself.
"""

import time
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection, delete, func, insert, select, update

from erqiwang.rules import FaultCause
from erqiwang_runner.errors import UsageError
from erqiwang_runner.quarantine import LOOK_EVERY, WINDOW, Tally, Tried, standing_out, tallies_of
from erqiwang_runner.store import schema
from erqiwang_runner.store.engine import Database
from erqiwang_runner.store.events import EventKind, emit
from erqiwang_runner.store.states import AttemptOutcome

QUARANTINE_S: Final = 900.0
"""How long the first quarantine of a host lasts; each further one twice as long as the one before."""

_LONGEST_S: Final = 24 * 3600.0
_BAD: Final = (AttemptOutcome.VOID.value, AttemptOutcome.LOST.value)
_COUNTED: Final = (*_BAD, AttemptOutcome.COMPLETED.value)
_LATE: Final = tuple(
    cause.name.lower()
    for cause in (FaultCause.TIMED_OUT_MOVE, FaultCause.TIMED_OUT_BANK, FaultCause.NEVER_JOINED)
)


@dataclass(frozen=True, slots=True)
class Quarantine:
    """A host that takes nothing until a time, and why."""

    host: str
    until: float
    reason: str


def look(database: Database, now: float | None = None) -> tuple[Quarantine, ...]:
    """Look at the latest attempts, if enough are new; gives the hosts that are quarantined by it."""
    now = time.time() if now is None else now
    table = schema.looks
    with database.read() as connection:
        if _new_attempts(connection, connection.scalar(select(table.c.attempt_id)) or 0) < LOOK_EVERY:
            return ()
    with database.write() as connection:
        seen = connection.scalar(select(table.c.attempt_id).with_for_update()) or 0
        if _new_attempts(connection, seen) < LOOK_EVERY:
            return ()
        connection.execute(delete(table))
        connection.execute(insert(table).values(attempt_id=_latest(connection)))
        tallies = tallies_of(_tried(connection))
        return tuple(
            _quarantine(connection, host, tallies, chance, now)
            for host, chance in standing_out(tallies).items()
        )


def of(connection: Connection, now: float | None = None) -> tuple[Quarantine, ...]:
    """List the hosts that are quarantined now."""
    table = schema.quarantines
    rows = connection.execute(
        select(table).where(table.c.until > (time.time() if now is None else now)).order_by(table.c.host)
    )
    return tuple(Quarantine(row.host, row.until, row.reason) for row in rows)


def lift(connection: Connection, host: str, now: float | None = None) -> Quarantine:
    """Let a host take matches again: what it spoiled so far is forgiven. Raises UsageError.

    Whoever lifts it says that its cause is gone: the next quarantine is as short as a first one.
    """
    now = time.time() if now is None else now
    found = {each.host: each for each in of(connection, now)}
    if host not in found:
        known = ", ".join(found) or "none"
        raise UsageError(f"host {host!r} is not quarantined; those that are: {known}")
    table = schema.quarantines
    connection.execute(update(table).filter_by(host=host).values(until=now, times=0))
    emit(connection, EventKind.HOST_RELEASED, host=host)
    return found[host]


def refusal(connection: Connection, host: str) -> str | None:
    """Say why a host may take nothing; None if it may."""
    found = next((each for each in of(connection) if each.host == host), None)
    return None if found is None else f"this host is quarantined: {found.reason}"


def _new_attempts(connection: Connection, seen: int) -> int:
    table = schema.attempts
    count = select(func.count()).where(table.c.id > seen, table.c.outcome.in_(_COUNTED))
    return connection.scalar(count) or 0


def _latest(connection: Connection) -> int:
    table = schema.attempts
    return connection.scalar(select(func.max(table.c.id)).where(table.c.outcome.in_(_COUNTED))) or 0


def _tried(connection: Connection) -> list[Tried]:
    """Read the latest attempts; those before the end of a host's last quarantine are forgiven."""
    attempts, quarantines = schema.attempts, schema.quarantines
    rows = connection.execute(
        select(attempts.c.id, attempts.c.host, attempts.c.outcome, attempts.c.ended_at)
        .outerjoin(quarantines, quarantines.c.host == attempts.c.host)
        .where(
            attempts.c.outcome.in_(_COUNTED), attempts.c.started_at > func.coalesce(quarantines.c.until, 0.0)
        )
        .order_by(attempts.c.id.desc())
        .limit(WINDOW)
    ).all()
    late = _late(connection, [row.id for row in rows])
    return [Tried(row.host, row.ended_at, row.outcome in _BAD or row.id in late) for row in rows]


def _late(connection: Connection, attempts: list[int]) -> frozenset[int]:
    """Give the attempts in which different bots were late."""
    faults, entries = schema.faults, schema.entries
    of_bot = (entries.c.tournament_id == faults.c.tournament_id) & (entries.c.number == faults.c.entry)
    rows = connection.scalars(
        select(faults.c.attempt_id)
        .join(entries, of_bot)
        .where(faults.c.attempt_id.in_(attempts), faults.c.cause.in_(_LATE))
        .group_by(faults.c.attempt_id)
        .having(func.count(entries.c.contestant_id.distinct()) > 1)
    )
    return frozenset(rows)


def _quarantine(
    connection: Connection, host: str, tallies: dict[str, Tally], chance: float, now: float
) -> Quarantine:
    table = schema.quarantines
    before = connection.scalar(select(table.c.times).filter_by(host=host))
    times = before or 0
    until = now + min(_LONGEST_S, QUARANTINE_S * 2**times)
    own = tallies[host]
    others = [each for name, each in tallies.items() if name != host]
    bad, tried = sum(each.bad for each in others), sum(each.tried for each in others)
    reason = (
        f"{own.bad} of its {own.tried} attempts were bad, {bad} of the {tried} of other hosts "
        f"(by chance: {chance:.1g})"
    )
    values = {"until": until, "times": times + 1, "reason": reason}
    if before is not None:
        connection.execute(update(table).filter_by(host=host).values(values))
    else:
        connection.execute(insert(table).values(host=host, **values))
    emit(connection, EventKind.HOST_QUARANTINED, host=host, reason=reason)
    return Quarantine(host, until, reason)
