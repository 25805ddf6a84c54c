"""What would become of a bot on a ladder, by the ladder's own rules, if it went on as it began."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from erqiwang_runner.ladders.membership import MemberState, Validation, judge
from erqiwang_runner.local.findings import BOT, Played
from erqiwang_runner.played import PlayedSet, PlayedTable
from erqiwang_runner.suspension import suspended_after


@dataclass(frozen=True, slots=True)
class Forecast:
    """Whether a validation over these boards would admit the bot; after how many its faults suspend it."""

    is_admitted: bool
    reason: str
    suspended_after: int | None

    def line(self) -> str:
        """Say it."""
        admitted = "be admitted" if self.is_admitted else "not be admitted"
        after = self.suspended_after
        suspended = "" if after is None else f"; once in, it would be suspended after {_boards(after)}"
        return f"On a ladder it would {admitted}: {self.reason}{suspended}."

    def to_object(self) -> dict[str, object]:
        """Give the JSON form."""
        return {
            "admitted": self.is_admitted,
            "reason": self.reason,
            "suspended_after": self.suspended_after,
        }


def forecast_of(played: Played) -> Forecast:
    """Judge the boards of a check as a ladder judges those of a newcomer."""
    boards = sorted(played.sets, key=lambda each: each.slot)
    events = [frozenset(_events(each)) for each in boards]
    fault = next((note for note in played.faults if note.entry == BOT), None)
    found = Validation(
        is_finished=True,
        played=len(boards),
        explained=0,
        lost=sum(map(bool, events)),
        fault="" if fault is None else f"{fault.cause.name.lower()}: {fault.detail}",
    )
    judged = judge(found, deadline=0.0, now=-1.0)
    assert judged is not None
    is_admitted = judged.state is MemberState.ADMITTED
    return Forecast(is_admitted, judged.reason, suspended_after(events))


def _boards(number: int) -> str:
    return f"{number} board{'s' * (number != 1)}"


def _events(played: PlayedSet) -> Iterator[str]:
    """Name the events that lost tables of a board: at the table, or else the end of the process there."""
    at_table = {note.table for note in played.faults if note.entry == BOT}
    for number, table in enumerate(played.tables):
        for column in _forfeited(table):
            where = f"board {played.slot.n}" if number in at_table else "process"
            yield f"{where}, table {number}, column {column}"


def _forfeited(table: PlayedTable) -> Iterator[int]:
    result = table.result
    seats = zip(result.entries, result.columns, result.forfeits, strict=True)
    return (column for entry, column, is_lost in seats if entry == BOT and is_lost)
