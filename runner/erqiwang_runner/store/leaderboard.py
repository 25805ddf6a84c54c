"""The ratings that are shown while a tournament runs: computed from all its results, now and then.

They are for display (exporter, pages); whatever decides anything computes from the results in slot order
itself.
"""

import logging
import time
from collections.abc import Callable
from math import isfinite
from typing import Final

from sqlalchemy import delete, func, insert, select, update

from erqiwang_runner.standings import Standing, Standings, read_standings
from erqiwang_runner.store import schema, tournaments
from erqiwang_runner.store.engine import Database
from erqiwang_runner.store.reader import SqlResults

_log = logging.getLogger("erqiwang.leaderboard")

_SHORTEST_PAUSE_S: Final = 10.0
_SHARE: Final = 0.02
"""Part of a core that the refreshing of one tournament may take."""


class Leaderboards:
    """The leaderboards of the running tournaments. A failure is noted and never stops the play."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._boards: dict[str, Leaderboard] = {}

    def look_at(self, tournament: str, *, is_finished: bool) -> None:
        """Refresh the ratings of a tournament: now and then while it runs, and at its end."""
        (self.close if is_finished else self.refresh)(tournament)

    def refresh(self, tournament: str) -> None:
        """Refresh the ratings of a running tournament if that is due."""
        self._try(tournament, lambda board: board.refresh_if_due())

    def close(self, tournament: str) -> None:
        """Refresh the ratings of a finished tournament a last time."""
        self._try(tournament, lambda board: board.refresh())
        self._boards.pop(tournament, None)

    def _try(self, tournament: str, act: Callable[["Leaderboard"], object]) -> None:
        board = self._boards.setdefault(tournament, Leaderboard(self._database, tournament))
        try:
            act(board)
        except Exception:
            _log.exception("the ratings of tournament %s cannot be computed", tournament)


class Leaderboard:
    """Refreshes the ratings of one tournament, the less often the longer it takes."""

    def __init__(
        self, database: Database, tournament: str, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._database = database
        self._tournament = tournament
        self._clock = clock
        self._due = float("-inf")
        self._seen = -1

    def refresh_if_due(self) -> bool:
        """Refresh unless that was tried a short while ago; tells whether it was done now."""
        started = self._clock()
        if started < self._due:
            return False
        try:
            self.refresh()
        finally:
            ended = self._clock()
            self._due = ended + max(_SHORTEST_PAUSE_S, (ended - started) / _SHARE)
        return True

    def refresh(self) -> None:
        """Compute and store the ratings; without new results only note that they are still right."""
        with self._database.read() as connection:
            key = tournaments.find(connection, self._tournament).id
            table = schema.table_results
            seen = connection.scalar(select(func.count()).where(table.c.tournament_id == key)) or 0
        if seen == self._seen:
            _touch(self._database, key)
            return
        _store(self._database, key, read_standings(SqlResults(self._database), self._tournament))
        self._seen = seen


def _touch(database: Database, key: int) -> None:
    table = schema.ratings
    with database.write() as connection:
        connection.execute(update(table).where(table.c.tournament_id == key).values(computed_at=time.time()))


def _store(database: Database, key: int, found: Standings) -> None:
    now = time.time()
    rows = [_row(key, found, standing, now) for table in found.tables for standing in table.rows]
    with database.write() as connection:
        connection.execute(delete(schema.ratings).where(schema.ratings.c.tournament_id == key))
        if rows:
            connection.execute(insert(schema.ratings), rows)


def _row(key: int, found: Standings, standing: Standing, now: float) -> dict[str, object]:
    return {
        "tournament_id": key,
        "entry": standing.entry.id,
        "pool": found.tournament.pool,
        "rating": standing.elo.value,
        "standard_error": standing.elo.error if isfinite(standing.elo.error) else None,
        "boards": standing.record.boards,
        "computed_at": now,
    }
