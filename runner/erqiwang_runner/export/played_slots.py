"""What was played of a plan, in the order of its slots: all that pairings and suspensions are decided by."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

from erqiwang_runner.local.game_lines import Fields, integer, read_place, read_result, text
from erqiwang_runner.plan import Plan
from erqiwang_runner.results import BoardSet, Slot, TableResult
from erqiwang_runner.suspension import FaultCount

Place = tuple[Slot, int]
"""A slot and a generation of it."""


@dataclass(slots=True)
class PlayedSlots:
    """Takes the tables, faults and given-up slots of an export in any order."""

    tables: defaultdict[Place, dict[int, TableResult]] = field(
        default_factory=lambda: defaultdict[Place, dict[int, TableResult]](dict)
    )
    states: dict[Place, str] = field(default_factory=dict[Place, str])
    faults: set[tuple[Place, int, int]] = field(default_factory=set[tuple[Place, int, int]])

    def take(self, fields: Fields) -> None:
        """Take a line; raises ValueError."""
        match fields.get("kind"):
            case "table":
                result = read_result(fields)
                self.tables[result.slot, result.generation][result.table] = result
            case "slot":
                self.states[read_place(fields)] = text(fields, "state")
            case "fault" if "epoch" in fields and fields.get("table") is not None:
                self.faults.add((read_place(fields), integer(fields, "table"), integer(fields, "entry")))
            case _:
                pass

    def sets(self, plan: Plan) -> Iterator[tuple[int, BoardSet]]:
        """Give every board set with the position of its slot, in the order of the plan."""
        places = (
            (plan.position(slot.group, slot.n), generation, slot)
            for slot, generation in self.tables
            if 0 <= slot.group < plan.groups and 0 <= slot.n < plan.boards
        )
        for position, generation, slot in sorted(places):
            tables = self.tables[slot, generation]
            yield position, BoardSet(slot, generation, tuple(tables[number] for number in sorted(tables)))

    def suspensions(self, plan: Plan, entries: Collection[int]) -> Mapping[int, int]:
        """Give after how many slots in order each of some entries was suspended, if it was."""
        counts = dict.fromkeys(entries, FaultCount())
        found: dict[int, int] = {}
        for position, board in self.sets(plan):
            events = self._events(board, plan.lap)
            for entry in sorted(events.keys() & counts.keys()):
                counts[entry] = counts[entry].after(events[entry])
                if counts[entry].suspends:
                    found.setdefault(entry, position + 1)
        return found

    def _events(self, board: BoardSet, lap: int) -> Mapping[int, frozenset[str]]:
        events: defaultdict[int, set[str]] = defaultdict(set)
        for table in board.tables:
            for seat, entry in enumerate(table.entries):
                events[entry] |= {self._event(table, seat, lap)} if table.forfeits[seat] else set()
        return {entry: frozenset(each) for entry, each in events.items()}

    def _event(self, table: TableResult, seat: int, lap: int) -> str:
        """Name what lost a table: a fault at it, or the end of the process that played it in its stint."""
        place = (table.slot, table.generation)
        if (place, table.table, table.entries[seat]) in self.faults:
            return f"{table.group}/{table.n}/{table.generation}/{table.table}"
        return f"process {table.group}/{table.n // lap}/{table.table}/{table.columns[seat]}"
