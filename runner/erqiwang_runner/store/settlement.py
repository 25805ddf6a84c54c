"""What is finished in the order of the plan, and who is suspended by it.

A slot is finished when its last generation is finished or explained. The number of slots finished in order
grows, and with each the boards of its entries are counted: so a suspension comes at the same slot however
many workers there are, and in whatever order they are done.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from itertools import groupby
from typing import Any, Final

from sqlalchemy import Connection, Row, and_, select, update

from erqiwang_runner.formats import Format
from erqiwang_runner.results import EntryRole
from erqiwang_runner.store import schema, tournaments
from erqiwang_runner.store.engine import Database
from erqiwang_runner.store.events import EventKind, emit
from erqiwang_runner.store.states import SlotState
from erqiwang_runner.store.tournaments import TournamentRow
from erqiwang_runner.suspension import FaultCount

_SLOTS_AT_ONCE: Final = 256
_ENDED: Final = (SlotState.FINISHED.value, SlotState.VOID.value)

_Events = Mapping[int, frozenset[str]]
"""For each entry of a board set the events that lost it boards; empty for most."""


def settle(database: Database, tournament: TournamentRow) -> tuple[int, ...]:
    """Go on to what is finished in order; gives the entries that this suspends."""
    suspended: list[int] = []
    while True:
        with database.read() as connection:
            settled = tournaments.get(connection, tournament.id).settled
            if not _ended(connection, tournament.id, settled, 1):
                return tuple(suspended)
        with database.write() as connection:
            lock = select(schema.tournaments.c.settled).where(schema.tournaments.c.id == tournament.id)
            settled = connection.execute(lock.with_for_update()).scalar_one()
            suspended += _settle(connection, tournament, settled)


def _settle(connection: Connection, tournament: TournamentRow, settled: int) -> list[int]:
    end = settled + _ended(connection, tournament.id, settled, _SLOTS_AT_ONCE)
    counts = _Counts(connection, tournament)
    for position, events in _board_sets(connection, tournament, settled, end):
        counts.take(position, events)
    counts.store()
    for entry in counts.suspended:
        bot = str(tournaments.entries(connection, tournament.id)[entry].contestant)
        emit(connection, EventKind.BOT_SUSPENDED, tournament=tournament.name, bot=bot)
    connection.execute(
        update(schema.tournaments).where(schema.tournaments.c.id == tournament.id).values(settled=end)
    )
    return counts.suspended


def _ended(connection: Connection, tournament_id: int, first: int, limit: int) -> int:
    """Count the slots from `first` on that are ended, without a gap and up to a limit."""
    table = schema.slots
    rows = connection.execute(
        select(table.c.position, table.c.generation, table.c.state)
        .where(
            table.c.tournament_id == tournament_id,
            table.c.position >= first,
            table.c.position < first + limit,
        )
        .order_by(table.c.position, table.c.generation)
    )
    count = 0
    for position, generations in groupby(rows, key=lambda row: row.position):
        *_, last = generations
        if position != first + count or last.state not in _ENDED:
            break
        count += 1
    return count


def _board_sets(
    connection: Connection, tournament: TournamentRow, first: int, end: int
) -> Iterator[tuple[int, _Events]]:
    """Give every board set of these slots: its position, and what events touched its entries."""
    table, slots = schema.table_results, schema.slots
    same = [table.c[name] == slots.c[name] for name in schema.SLOT_KEY]
    rows = connection.execute(
        select(table, slots.c.position)
        .join(slots, and_(*same))
        .where(slots.c.tournament_id == tournament.id, slots.c.position >= first, slots.c.position < end)
        .order_by(slots.c.position, table.c.generation, table.c.table_no)
    )
    by_set = groupby(rows, key=lambda row: (row.position, row.generation))
    for (position, _), tables in by_set:
        yield position, _events(connection, tuple(tables), tournament.plan.lap)


def _events(connection: Connection, tables: Iterable[Row[Any]], lap: int) -> _Events:
    found: defaultdict[int, set[str]] = defaultdict(set)
    for table in tables:
        for seat, entry in enumerate(table.entries):
            found[entry] |= {_event(connection, table, seat, lap)} if table.forfeits[seat] else set()
    return {entry: frozenset(events) for entry, events in found.items()}


def _event(connection: Connection, table: Row[Any], seat: int, lap: int) -> str:
    """Name the event that lost a table: one of that table, or else the end of the process that played it.

    Processes of one stint are taken for one, so that the count does not depend on how the stint was claimed.
    """
    faults, key = schema.faults, {name: getattr(table, name) for name in schema.SLOT_KEY}
    own = connection.scalar(
        select(faults.c.id)
        .filter_by(**key, table_no=table.table_no, entry=table.entries[seat], counted=True)
        .limit(1)
    )
    if own is not None:
        return f"{table.group_no}/{table.n}/{table.generation}/{table.table_no}"
    return f"process {table.group_no}/{table.n // lap}/{table.table_no}/{table.columns[seat]}"


class _Counts:
    """The fault counts of the entries of a tournament, read once and written once."""

    def __init__(self, connection: Connection, tournament: TournamentRow) -> None:
        self._connection = connection
        self._of = {name: schema.entries.c[name] for name in ("number", "fault_count", "suspended")}
        rows = connection.execute(
            select(*self._of.values())
            .where(
                schema.entries.c.tournament_id == tournament.id,
                schema.entries.c.role != EntryRole.FILLER.value,
            )
            .order_by(schema.entries.c.number)
        ).all()
        self._tournament = tournament
        # A regression test has a rule of its own for boards that were spoiled.
        self._may_suspend = tournament.format.format is not Format.REGRESSION
        self._counts = {row.number: _count(row.fault_count) for row in rows}
        self._out = {row.number for row in rows if row.suspended}
        self._changed: dict[int, dict[str, object]] = {}
        self.suspended: list[int] = []

    def take(self, position: int, events: _Events) -> None:
        """Count a board set."""
        for entry in sorted(events.keys() & self._counts.keys()):
            count = self._counts[entry] = self._counts[entry].after(events[entry])
            self._changed.setdefault(entry, {})["fault_count"] = {
                **asdict(count),
                "events": list(count.events),
            }
            if count.suspends and self._may_suspend and entry not in self._out:
                self._out.add(entry)
                self.suspended.append(entry)
                self._changed[entry] |= {"suspended": True, "suspended_at": position + 1}

    def store(self) -> None:
        """Write what changed."""
        for entry, values in self._changed.items():
            self._connection.execute(
                update(schema.entries)
                .filter_by(tournament_id=self._tournament.id, number=entry)
                .values(values)
            )


def _count(stored: dict[str, Any] | None) -> FaultCount:
    if stored is None:
        return FaultCount()
    return FaultCount(stored["boards"], stored["touched"], stored["streak"], tuple(stored["events"]))
