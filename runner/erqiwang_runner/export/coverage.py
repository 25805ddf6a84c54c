"""Whether an export is whole: every board of the plan once, every board set with all its tables."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from erqiwang_runner.local.game_lines import Fields, integer, read_place, text
from erqiwang_runner.plan import Plan
from erqiwang_runner.results import Slot

_Place = tuple[Slot, int]


@dataclass(slots=True)
class Coverage:
    """Takes all tables and given-up slots of an export."""

    tables_of_a_set: int
    tables: defaultdict[_Place, set[int]] = field(default_factory=lambda: defaultdict[_Place, set[int]](set))
    deals: dict[tuple[int, int], _Place] = field(default_factory=dict[tuple[int, int], _Place])
    given_up: dict[_Place, str] = field(default_factory=dict[_Place, str])

    def take_table(self, fields: Fields) -> Iterator[str]:
        """Take the line of a table; says what is wrong with its place."""
        place, table = read_place(fields), integer(fields, "table")
        if table in self.tables[place]:
            yield "this table is there twice"
        self.tables[place].add(table)
        deal = (place[0].epoch, integer(fields, "deal_index"))
        if self.deals.setdefault(deal, place) != place:
            yield f"deal {deal[1]} was played on another board, too"

    def take_slot(self, fields: Fields) -> Iterator[str]:
        """Take the line of a slot that was given up."""
        place = read_place(fields)
        if place in self.tables:
            yield "this board is both played and given up"
        self.given_up[place] = text(fields, "state")

    @property
    def played(self) -> int:
        """Board sets that were played."""
        return len(self.tables)

    @property
    def again(self) -> int:
        """Board sets that were played in place of others."""
        return len(self.tables) - len({slot for slot, _ in self.tables})

    @property
    def void(self) -> int:
        """Boards that were given up for good."""
        return sum(state == "void" for state in self.given_up.values())

    def differences(self, plan: Plan | None, *, is_finished: bool) -> Iterator[str]:
        """Say what is missing, once all lines are taken."""
        for (slot, generation), tables in sorted(self.tables.items()):
            if len(tables) != self.tables_of_a_set:
                where = f"board {slot.n} of group {slot.group}, generation {generation}"
                yield f"{where}: {len(tables)} tables instead of {self.tables_of_a_set}"
        if plan is None or not is_finished:
            return
        ended = {slot for slot, _ in self.tables}
        ended |= {slot for (slot, _), state in self.given_up.items() if state == "void"}
        for group in range(plan.groups):
            missing = [n for n in range(plan.boards) if Slot(0, group, n) not in ended]
            if missing:
                how_many = f"{len(missing)} boards are neither played nor given up"
                yield f"group {group}: {how_many}, the first is {missing[0]}"
