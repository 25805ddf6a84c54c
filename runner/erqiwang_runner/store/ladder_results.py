"""The results of a ladder: its epochs put together, the newest first, as far as ratings look back.

An entry's id is the number of its member; the house bots that sat in for somebody have ids of their own, far
above.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from erqiwang.rules import FaultCause
from erqiwang_runner.errors import UsageError
from erqiwang_runner.ladders.membership import MemberState
from erqiwang_runner.pool_key import isolation_of
from erqiwang_runner.results import BoardSet, Entry, EntryRole, TableResult, Tournament, board_sets
from erqiwang_runner.store import ladders, tournaments
from erqiwang_runner.store.engine import Database
from erqiwang_runner.store.ladders import LadderRow
from erqiwang_runner.store.reader import SqlResults, pool_key
from erqiwang_runner.store.tournaments import TournamentRow
from erqiwang_runner.tournament_spec import DealsMode

RATED_SETS: Final = 50_000
"""About so many of the latest board sets decide the ratings; older epochs stay in the history."""

_HOUSE: Final = 1_000_000_000


class LadderResults:
    """The results of ladders, as `results.ResultReader` wants them."""

    def __init__(self, database: Database, limit: int = RATED_SETS) -> None:
        self._database = database
        self._results = SqlResults(database)
        self._limit = limit

    def tournament(self, tournament: str | None) -> Tournament:
        """Look a ladder up, or the latest for None; raises LookupError."""
        with self._database.read() as connection:
            try:
                ladder = ladders.find(connection, tournament)
            except UsageError as error:
                raise LookupError(str(error)) from None
            isolation = isolation_of(each.contestant for each in ladders.members(connection, ladder))
            settings, first = ladder.settings, next(iter(self._epochs(ladder)), None)
        if first is None:
            raise LookupError(f"the ladder {ladder.name} has no epoch yet: no board was played")
        return Tournament(
            id=ladder.name,
            profile=settings.profile,
            set_type=settings.set_type,
            pool=pool_key(first[1], isolation),
            isolation=isolation,
            policy=settings.fault_policy,
            forfeit_points=first[1].conditions.profile.forfeit_points,
            verifiable=settings.mode is DealsMode.COMMITTED and bool(settings.entropy_source),
        )

    def entries(self, tournament: str) -> Sequence[Entry]:
        """List the members of a ladder, and the house bots."""
        with self._database.read() as connection:
            ladder = ladders.find(connection, tournament)
            members = [
                Entry(each.id, str(each.contestant), each.role, each.state is MemberState.SUSPENDED)
                for each in ladders.members(connection, ladder)
            ]
            numbers = {
                each.number
                for epoch in ladders.epochs(connection, ladder)
                for each in tournaments.entries(connection, epoch.tournament_id)
                if each.role is EntryRole.FILLER
            }
        return [*members, *(Entry(_HOUSE + each, "house", EntryRole.FILLER) for each in sorted(numbers))]

    def board_sets(self, tournament: str) -> Iterable[BoardSet]:
        """Read the board sets of the latest epochs, in slot order."""
        with self._database.read() as connection:
            ladder = ladders.find(connection, tournament)
        tables: list[TableResult] = []
        left = self._limit
        for number, row in self._epochs(ladder):
            ids = self._ids(ladder, row)
            of_epoch = [_moved(each.result, number, ids) for each in self._results.tables(row.name)]
            tables += of_epoch
            left -= len({(each.slot, each.generation) for each in of_epoch})
            if left <= 0:
                break
        return board_sets(tables)

    def faults(self, tournament: str) -> Mapping[int, Mapping[FaultCause, int]]:
        """Count the fault events of all epochs by member and cause."""
        with self._database.read() as connection:
            ladder = ladders.find(connection, tournament)
        counts: defaultdict[int, Counter[FaultCause]] = defaultdict(Counter)
        for _, row in self._epochs(ladder):
            ids = self._ids(ladder, row)
            for entry, causes in self._results.faults(row.name).items():
                counts[ids.get(entry, _HOUSE + entry)].update(causes)
        return counts

    def _epochs(self, ladder: LadderRow) -> Iterator[tuple[int, TournamentRow]]:
        """Give the epochs, the newest first, as far as they were played by the rules of the newest."""
        with self._database.read() as connection:
            found = ladders.epochs(connection, ladder)
        newest = ""
        for each in reversed(found):
            with self._database.read() as connection:
                row = tournaments.get(connection, each.tournament_id)
            newest = newest or _major(row)
            if _major(row) == newest:
                yield each.number, row

    def _ids(self, ladder: LadderRow, row: TournamentRow) -> Mapping[int, int]:
        """Give the member of each entry of an epoch."""
        with self._database.read() as connection:
            members = {str(each.contestant): each.id for each in ladders.members(connection, ladder)}
            entered = tournaments.entries(connection, row.id)
        return {
            each.number: members[str(each.contestant)]
            for each in entered
            if each.role is not EntryRole.FILLER
        }


def _major(row: TournamentRow) -> str:
    return row.rules_version.partition(".")[0]


def _moved(table: TableResult, epoch: int, ids: Mapping[int, int]) -> TableResult:
    entries = tuple(ids.get(entry, _HOUSE + entry) for entry in table.entries)
    return replace(table, epoch=epoch, entries=entries)
