"""Boards for those who did nothing wrong: a set that a bot forfeited says nothing about the others.

Its slot gets a next generation with a new deal, where a house bot sits in place of whoever forfeited. What a
replacement needs is known from the set itself, so the moment and the order of arrival mean nothing.
"""

from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import Connection, Row, select, update

from erqiwang_runner.plan import Claim
from erqiwang_runner.results import EntryRole, FaultPolicy
from erqiwang_runner.secret_file import SecretFile
from erqiwang_runner.store import commitments, schema, slots, tournaments
from erqiwang_runner.store.engine import Database
from erqiwang_runner.store.extension import stand_in
from erqiwang_runner.store.states import SlotState
from erqiwang_runner.store.tournaments import TournamentRow

LAST_GENERATION: Final = 15
"""A slot that was disturbed so often stays as it is."""


def replace_disturbed(
    database: Database, tournament: TournamentRow, secrets: SecretFile | None = None
) -> int:
    """Settle what becomes of disturbed sets; gives how many there were."""
    table = schema.slots
    disturbed = select(table).filter_by(tournament_id=tournament.id, state=SlotState.DISTURBED.value)
    with database.read() as connection:
        if connection.execute(disturbed.limit(1)).one_or_none() is None:
            return 0
    with database.write() as connection:
        rows = list(connection.execute(disturbed.with_for_update()))
        planner = slots.Planner(connection, tournament, commitments.key_of(connection, tournament, secrets))
        for row in rows:
            _settle(planner, row)
        return len(rows)


def _settle(planner: slots.Planner, row: Row[Any]) -> None:
    seated = _seated(planner, row)
    state = SlotState.FINISHED if seated is None else SlotState.FORFEITED
    key = {name: getattr(row, name) for name in schema.SLOT_KEY}
    planner.connection.execute(update(schema.slots).filter_by(**key).values(state=state.value))
    if seated is not None:
        claim = Claim(row.group_no, row.n, row.n + 1)
        planner.add_match(claim, seated, row.generation + 1)


def _seated(planner: slots.Planner, row: Row[Any]) -> tuple[int, ...] | None:
    """Give who plays the replacement; None if nobody is owed one."""
    connection, tournament = planner.connection, planner.tournament
    if tournament.fault_policy is not FaultPolicy.FORFEIT or row.generation >= LAST_GENERATION:
        return None
    entries = tournaments.entries(connection, tournament.id)
    fillers = [entry.number for entry in entries if entry.role is EntryRole.FILLER]
    group: Sequence[int] = connection.scalars(
        select(schema.matches.c.entries).where(schema.matches.c.id == row.match_id)
    ).one()
    out = _offenders(connection, row)
    innocent = [entry for entry in group if entry not in out and entry not in fillers]
    if len(innocent) < 2:
        return None
    return stand_in(group, [entry for entry in group if entry in out], fillers)


def _offenders(connection: Connection, row: Row[Any]) -> frozenset[int]:
    table = schema.table_results
    rows = connection.execute(
        select(table.c.entries, table.c.forfeits).filter_by(
            **{name: getattr(row, name) for name in schema.SLOT_KEY}
        )
    )
    return frozenset(
        entry
        for played in rows
        for entry, forfeit in zip(played.entries, played.forfeits, strict=True)
        if forfeit
    )
