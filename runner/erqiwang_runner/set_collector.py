"""Putting the tables of a match together to board sets, and judging whether they may be stored."""

from collections import defaultdict
from collections.abc import Callable
from typing import TypeAlias

from erqiwang.rules import RULES_VERSION, Fault, FaultCause, Record
from erqiwang_runner.errors import RunnerError
from erqiwang_runner.match_plan import MatchPlan, PlannedTable, Player
from erqiwang_runner.played import FaultNote, PlayedSet, PlayedTable
from erqiwang_runner.results import Slot, TableResult

LogOf: TypeAlias = Callable[[Player], str | None]
"""Gives the last words of a player's process, if it ended."""

_Place: TypeAlias = tuple[Slot, int]


class MatchVoid(RunnerError):
    """The platform failed: the attempt counts for nothing but what it stored before; the match is retried."""


class SetCollector:
    """Takes what the referee tells of a match; gives out every board set once it is whole.

    Raises MatchVoid where the platform is to blame. Sets are held back while it may still turn out that a bot
    never joined through no fault of its own.
    """

    def __init__(self, plan: MatchPlan, log_of: LogOf) -> None:
        self._plan = plan
        self._log_of = log_of
        self._tables: defaultdict[_Place, dict[int, PlayedTable]] = defaultdict(dict)
        self._faults: defaultdict[_Place | None, list[tuple[Player, Fault, int | None]]] = defaultdict(list)
        self._never_joined: set[str] = set()
        self._held: list[PlayedSet] = []
        self._open_tables = [0] * len(plan.players)
        for table in plan.tables:
            for player in table.players:
                self._open_tables[player.index] += 1

    @property
    def is_complete(self) -> bool:
        """Whether every table of the match is there."""
        return not any(self._open_tables)

    def is_needed(self, player: Player) -> bool:
        """Tell whether a player has tables left to play."""
        return self._open_tables[player.index] > 0

    def table_finished(self, index: int, record: Record, forfeited: tuple[int, ...]) -> tuple[PlayedSet, ...]:
        """Take a table; gives the board sets that can be stored now."""
        table = self._table(index)
        if record.id != self._plan.record_id(table):
            raise MatchVoid(f"the referee sent table {record.id} as {self._plan.record_id(table)}")
        if record.rules_version != RULES_VERSION:
            raise MatchVoid(f"the referee plays rules {record.rules_version}, this worker {RULES_VERSION}")
        if any(fault.cause is FaultCause.PLATFORM for fault in record.faults):
            raise MatchVoid(f"the platform failed at table {record.id}: {_first_platform_detail(record)}")
        for player in table.players:
            self._open_tables[player.index] -= 1
        place = (table.slot, table.generation)
        self._tables[place][table.table] = self._played(table, record, forfeited)
        if len(self._tables[place]) < self._plan.claim.conditions.set_type.tables:
            return ()
        whole = self._whole(place)
        if self._never_joined:
            self._held.append(whole)
            return ()
        return (whole,)

    def player_faulted(self, player_index: int, table_index: int | None, fault: Fault) -> None:
        """Take a fault event."""
        if fault.cause is FaultCause.PLATFORM:
            raise MatchVoid(f"the platform failed: {fault.detail}")
        player = self._player(player_index)
        if fault.cause is FaultCause.NEVER_JOINED:
            self._never_joined.add(str(player.entry.contestant))
            if len(self._never_joined) > 1:
                missing = " and ".join(sorted(self._never_joined))
                raise MatchVoid(f"{missing} never joined: not the fault of either")
        if table_index is None:
            self._faults[None].append((player, fault, None))
        else:
            table = self._table(table_index)
            self._faults[table.slot, table.generation].append((player, fault, table.table))

    def held_sets(self) -> tuple[PlayedSet, ...]:
        """Give, at the end of a match, the board sets that were held back."""
        held, self._held = tuple(self._held), []
        return held

    def other_faults(self) -> tuple[FaultNote, ...]:
        """Give the faults that belong to no board set given out so far."""
        return tuple(self._note(place, *event) for place, events in self._faults.items() for event in events)

    def _whole(self, place: _Place) -> PlayedSet:
        tables = self._tables.pop(place)
        faults = self._faults.pop(place, [])
        return PlayedSet(
            slot=place[0],
            generation=place[1],
            tables=tuple(tables[number] for number in sorted(tables)),
            faults=tuple(self._note(place, *event) for event in faults),
        )

    def _played(self, table: PlannedTable, record: Record, forfeited: tuple[int, ...]) -> PlayedTable:
        slot = table.slot
        return PlayedTable(
            result=TableResult(
                epoch=slot.epoch,
                group=slot.group,
                n=slot.n,
                generation=table.generation,
                table=table.table,
                entries=table.entries,
                columns=table.columns,
                scores=record.scores,
                declarer=record.declarer,
                forfeits=tuple(seat in forfeited for seat in range(len(table.players))),
            ),
            record=record,
            deal_hash=table.deal_hash(self._plan.claim.conditions.profile),
        )

    def _note(self, place: _Place | None, player: Player, fault: Fault, table: int | None) -> FaultNote:
        return FaultNote(
            entry=player.entry.number,
            cause=fault.cause,
            reason=fault.reason,
            detail=fault.detail,
            place=place,
            table=table,
            log=self._log_of(player),
        )

    def _table(self, index: int) -> PlannedTable:
        if index >= len(self._plan.tables):
            raise MatchVoid(f"the referee speaks of a table {index} that it was not given")
        return self._plan.tables[index]

    def _player(self, index: int) -> Player:
        if index >= len(self._plan.players):
            raise MatchVoid(f"the referee speaks of a player {index} that it was not given")
        return self._plan.players[index]


def last_words(argv: tuple[str, ...], ending: str, stderr: str) -> str:
    """Write what is kept of a player that ended: its command, how it ended and what it said."""
    said = stderr.strip()
    return "\n".join(part for part in (" ".join(argv), ending, said) if part)


def exit_text(code: int | None, signal: int | None) -> str:
    """Say how a process ended."""
    return f"exit code {code}" if signal is None else f"killed by signal {signal}"


def _first_platform_detail(record: Record) -> str:
    return next(fault.detail for fault in record.faults if fault.cause is FaultCause.PLATFORM)
