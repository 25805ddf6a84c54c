"""The lines of an export, read from the database: in slot order, a few rows at a time.

All of them come from one transaction, so an export of a running tournament is one state of it.
"""

from __future__ import annotations

import heapq
import json
import zlib
from collections.abc import Iterator
from typing import Any, Final

from sqlalchemy import Connection, Row, Select, func, select

from erqiwang_runner.export.header import Described, header_fields
from erqiwang_runner.formats import Format
from erqiwang_runner.local.game_lines import Fields
from erqiwang_runner.results import Tournament
from erqiwang_runner.store import commitments, regressions, retention, schema, tournaments
from erqiwang_runner.store.states import SlotState
from erqiwang_runner.store.tournaments import TournamentRow

_ROWS_AT_ONCE: Final = 200
_PLACE: Final = ("epoch", "group_no", "n", "generation")
_NOT_PLAYED: Final = (SlotState.REPLACED.value, SlotState.VOID.value)

_Key = tuple[int, ...]
_Keyed = tuple[_Key, Fields]


def lines(
    connection: Connection, row: TournamentRow, tournament: Tournament, *, records: bool = True
) -> Iterator[Fields]:
    """Give the first line, then of each board set its faults and its tables, then what has no place."""
    yield header_fields(_describe(connection, row, tournament))
    placed = heapq.merge(
        _faults(connection, row),
        _tables(connection, row, records=records),
        _slots(connection, row),
        key=lambda each: each[0],
    )
    yield from (fields for _, fields in placed)
    yield from _faults_elsewhere(connection, row)


def _describe(connection: Connection, row: TournamentRow, tournament: Tournament) -> Described:
    groups, table = schema.groups, schema.table_results
    listed = connection.execute(
        select(groups.c.entries)
        .where(groups.c.tournament_id == row.id)
        .order_by(groups.c.epoch, groups.c.group_no)
    )
    count = connection.scalar(select(func.count()).select_from(table).where(table.c.tournament_id == row.id))
    is_test = row.format.format is Format.REGRESSION
    test = regressions.get(connection, row.id) if is_test else None
    return Described(
        row=row,
        tournament=tournament,
        entries=tournaments.entries(connection, row.id),
        groups=[each.entries for each in listed],
        commitment=commitments.find(connection, row.id),
        tables=count or 0,
        test=test,
        report=None if test is None else regressions.report_of(connection, test),
        pruned=next(iter(retention.prunings(connection, row.id)), None),
    )


def _tables(connection: Connection, row: TournamentRow, *, records: bool) -> Iterator[_Keyed]:
    table, slots = schema.table_results, schema.slots
    same = [table.c[name] == slots.c[name] for name in schema.SLOT_KEY]
    query = (
        select(table, slots.c.deal_index, schema.records.c.record)
        .join(slots, same[0] & same[1] & same[2] & same[3] & same[4])
        .outerjoin(schema.records, schema.records.c.table_result_id == table.c.id)
        .where(table.c.tournament_id == row.id)
        .order_by(*(table.c[name] for name in _PLACE), table.c.table_no)
    )
    for each in _stream(connection, query):
        yield (*_place(each), 1, each.table_no), _table_fields(each, records=records)


def _table_fields(row: Row[Any], *, records: bool) -> Fields:
    record = None if row.record is None else json.loads(zlib.decompress(row.record))
    fields: dict[str, object] = {
        "kind": "table",
        **_place_fields(row),
        "table": row.table_no,
        "deal_index": row.deal_index,
        "entries": row.entries,
        "columns": row.columns,
        "declarer": row.declarer,
        "scores": row.scores,
        "forfeits": row.forfeits,
        "ms": None if record is None else _ms(record, len(row.entries)),
        "deal_hash": row.deal_hash,
        "moves_hash": row.moves_hash,
    }
    if records:
        fields["record"] = record
    return fields


def _ms(record: dict[str, Any], seats: int) -> list[float]:
    times = [0.0] * seats
    for each in record.get("decisions", ()):
        times[each["seat"]] += each["ms"]
    return [round(each, 3) for each in times]


def _faults(connection: Connection, row: TournamentRow) -> Iterator[_Keyed]:
    table = schema.faults
    query = (
        select(table)
        .where(table.c.tournament_id == row.id, table.c.counted, table.c.epoch.is_not(None))
        .order_by(*(table.c[name] for name in _PLACE), table.c.id)
    )
    for each in _stream(connection, query):
        yield (*_place(each), 0, each.id), {"kind": "fault", **_place_fields(each), **_fault_fields(each)}


def _faults_elsewhere(connection: Connection, row: TournamentRow) -> Iterator[Fields]:
    table = schema.faults
    query = (
        select(table)
        .where(table.c.tournament_id == row.id, table.c.counted, table.c.epoch.is_(None))
        .order_by(table.c.id)
    )
    return ({"kind": "fault", **_fault_fields(each)} for each in _stream(connection, query))


def _fault_fields(row: Row[Any]) -> dict[str, object]:
    return {
        "table": row.table_no,
        "entry": row.entry,
        "cause": row.cause,
        "reason": row.reason,
        "detail": row.detail,
        "log": row.log,
    }


def _slots(connection: Connection, row: TournamentRow) -> Iterator[_Keyed]:
    table = schema.slots
    query = (
        select(table)
        .where(table.c.tournament_id == row.id, table.c.state.in_(_NOT_PLAYED))
        .order_by(*(table.c[name] for name in _PLACE))
    )
    for each in _stream(connection, query):
        said = {"deal_index": each.deal_index, "state": each.state, "reason": each.reason}
        yield (*_place(each), 2), {"kind": "slot", **_place_fields(each), **said}


def _stream(connection: Connection, query: Select[Any]) -> Iterator[Row[Any]]:
    return iter(connection.execute(query, execution_options={"yield_per": _ROWS_AT_ONCE}))


def _place(row: Row[Any]) -> _Key:
    return (row.epoch, row.group_no, row.n, row.generation)


def _place_fields(row: Row[Any]) -> dict[str, object]:
    return {"epoch": row.epoch, "group": row.group_no, "n": row.n, "generation": row.generation}
