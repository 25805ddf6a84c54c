"""Reading results: what the statistics, the exporter and the commands ask of the store."""

import zlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, and_, func, select

from erqiwang.rules import FaultCause, Record
from erqiwang_runner.entry_names import entry_names
from erqiwang_runner.errors import UsageError
from erqiwang_runner.formats import Format
from erqiwang_runner.pool_key import UNRATED, isolation_of, pool_key_of
from erqiwang_runner.results import BoardSet, Entry, Isolation, TableResult, Tournament, board_sets
from erqiwang_runner.store import commitments, schema, tournaments
from erqiwang_runner.store.engine import Database
from erqiwang_runner.store.tournaments import TournamentRow


@dataclass(frozen=True, slots=True)
class StoredTable:
    """A table with what tells whether two plays of it were the same."""

    result: TableResult
    moves_hash: str
    deal_hash: str


class SqlResults:
    """The results in a database, as `results.ResultReader` wants them.

    An entry's id is its number in the tournament.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def tournament(self, tournament: str | None) -> Tournament:
        """Look a tournament up, or the latest for None; raises LookupError."""
        with self._database.read() as connection:
            try:
                row = tournaments.find(connection, tournament)
            except UsageError as error:
                raise LookupError(str(error)) from None
            entered = tournaments.entries(connection, row.id)
            commitment = commitments.find(connection, row.id)
        is_verifiable = commitment is not None and commitment.entropy_source is not None
        isolation = isolation_of(entry.contestant for entry in entered)
        conditions = row.conditions
        return Tournament(
            id=row.name,
            profile=conditions.profile.slug,
            set_type=conditions.set_type.name,
            pool=pool_key(row, isolation),
            policy=row.fault_policy,
            forfeit_points=conditions.profile.forfeit_points,
            verifiable=is_verifiable,
            isolation=isolation,
        )

    def entries(self, tournament: str) -> Sequence[Entry]:
        """List the entries of a tournament."""
        with self._database.read() as connection:
            row = tournaments.find(connection, tournament)
            entered = tournaments.entries(connection, row.id)
        names = entry_names([str(entry.contestant) for entry in entered])
        return [
            Entry(entry.number, name, entry.role, entry.suspended, entry.contestant.is_remote)
            for entry, name in zip(entered, names, strict=True)
        ]

    def board_sets(self, tournament: str) -> Iterable[BoardSet]:
        """Read every finished board set of a tournament, in slot order."""
        return board_sets(table.result for table in self.tables(tournament))

    def tables(self, tournament: str) -> Sequence[StoredTable]:
        """Read every table of a tournament, in the order of the table keys."""
        table = schema.table_results
        with self._database.read() as connection:
            row = tournaments.find(connection, tournament)
            rows = connection.execute(
                select(table)
                .where(table.c.tournament_id == row.id)
                .order_by(table.c.epoch, table.c.group_no, table.c.n, table.c.generation, table.c.table_no)
            )
            return [_stored_table(each) for each in rows]

    def faults(self, tournament: str) -> Mapping[int, Mapping[FaultCause, int]]:
        """Count the fault events by entry id and cause."""
        table = schema.faults
        counts: defaultdict[int, dict[FaultCause, int]] = defaultdict(dict)
        with self._database.read() as connection:
            row = tournaments.find(connection, tournament)
            for entry, cause, count in connection.execute(
                select(table.c.entry, table.c.cause, func.count())
                .where(table.c.tournament_id == row.id, table.c.counted)
                .group_by(table.c.entry, table.c.cause)
            ):
                counts[entry][FaultCause[cause.upper()]] = count
        return counts

    def records(self, tournament: str, limit: int | None = None) -> Iterable[Record]:
        """Read the records of a tournament in the order of the table keys."""
        table = schema.table_results
        with self._database.read() as connection:
            row = tournaments.find(connection, tournament)
            for (blob,) in connection.execute(
                select(schema.records.c.record)
                .join(table)
                .where(table.c.tournament_id == row.id)
                .order_by(table.c.epoch, table.c.group_no, table.c.n, table.c.generation, table.c.table_no)
                .limit(limit)
            ):
                yield Record.from_json(zlib.decompress(blob).decode())


def board_sets_before(connection: Connection, tournament_id: int, position: int) -> tuple[BoardSet, ...]:
    """Read the board sets of the slots before a position of the plan, in slot order."""
    table, slots = schema.table_results, schema.slots
    same = [table.c[name] == slots.c[name] for name in schema.SLOT_KEY]
    rows = connection.execute(
        select(table)
        .join(slots, and_(*same))
        .where(table.c.tournament_id == tournament_id, slots.c.position < position)
    )
    return board_sets(_stored_table(row).result for row in rows)


def pool_key(row: TournamentRow, isolation: Isolation) -> str:
    """Hash what must agree for ratings to be comparable; what is not rated is in a pool of its own."""
    if row.format.format is Format.REGRESSION or not row.is_rated:
        return UNRATED + row.name
    return pool_key_of(row.conditions, row.rules_version, row.fault_policy, isolation)


def _stored_table(row: Row[Any]) -> StoredTable:
    return StoredTable(
        result=TableResult(
            epoch=row.epoch,
            group=row.group_no,
            n=row.n,
            generation=row.generation,
            table=row.table_no,
            entries=tuple(row.entries),
            columns=tuple(row.columns),
            scores=tuple(row.scores),
            declarer=row.declarer,
            forfeits=tuple(row.forfeits),
        ),
        moves_hash=row.moves_hash,
        deal_hash=row.deal_hash,
    )
