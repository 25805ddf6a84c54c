"""Keeps tournaments going: plans, fills the queue, takes lost matches back, finishes.

It holds nothing in memory that matters, decides from the store alone, and two of them may run at once.
"""

import logging
import time
from collections.abc import Callable
from typing import Final

from erqiwang_runner.broker import Broker, BrokerDown, TimeLimits
from erqiwang_runner.clocks import HARD_MARGIN_S, SOFT_MARGIN_S
from erqiwang_runner.secret_file import SecretFile
from erqiwang_runner.store import planning, quarantine, tournaments, versions
from erqiwang_runner.store.engine import Database
from erqiwang_runner.store.extension import extend
from erqiwang_runner.store.leaderboard import Leaderboards
from erqiwang_runner.store.replacement import replace_disturbed
from erqiwang_runner.store.settlement import settle
from erqiwang_runner.store.states import TournamentState
from erqiwang_runner.store.tournaments import TournamentRow

WINDOW: Final = 32
"""How many matches of a tournament are planned ahead."""

FORGOTTEN_S: Final = 5.0
"""A match that waits longer than this beside an empty queue has lost its message."""

_log = logging.getLogger("erqiwang.coordinator")


class Coordinator:
    """One coordinator; `step` does all that is to do at the moment."""

    def __init__(
        self,
        database: Database,
        broker: Broker,
        *,
        secrets: SecretFile | None = None,
        window: int = WINDOW,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._database = database
        self._broker = broker
        self._leaderboards = Leaderboards(database)
        self._secrets = secrets
        self._window = window
        self._clock = clock
        self._is_new = True

    def step(self) -> None:
        """Look after every running tournament once."""
        if self._is_new:
            self._is_new = False
            if versions.note(self._database):
                _log.warning("a coordinator of another version was here before: workers of it take nothing")
        for found in quarantine.look(self._database, self._clock()):
            _log.warning("host %s takes nothing for a while: %s", found.host, found.reason)
        with self._database.read() as connection:
            running = tournaments.every(connection, TournamentState.RUNNING)
        for tournament in running:
            planning.reclaim(self._database, tournament.id, self._clock())
            planning.reopen(self._database, tournament, self._secrets, self._clock())
            replace_disturbed(self._database, tournament, self._secrets)
            self._settle(tournament)
            extend(self._database, tournament, self._window, self._secrets)
        self._fill_queue(running)
        for tournament in running:
            if not planning.finish_if_complete(self._database, tournament, self._secrets):
                self._leaderboards.refresh(tournament.name)
            else:
                self._leaderboards.close(tournament.name)
                _log.info("tournament %s is finished", tournament.name)

    def _settle(self, tournament: TournamentRow) -> None:
        for entry in settle(self._database, tournament):
            _log.warning("tournament %s: entry %d is suspended for its faults", tournament.name, entry)

    def _fill_queue(self, running: list[TournamentRow]) -> None:
        try:
            # Asked first: a message that is lost later finds its match waiting beside an empty queue.
            emptied = self._broker.was_emptied()
            idle = self._broker.length() == 0
            for tournament in running:
                self._enqueue(tournament, emptied=emptied, idle=idle)
        except BrokerDown as error:
            _log.warning("the broker does not answer: %s", error)

    def _enqueue(self, tournament: TournamentRow, *, emptied: bool, idle: bool) -> None:
        now = self._clock()
        forgotten = now - FORGOTTEN_S
        due = [
            match_id
            for match_id, enqueued_at in planning.waiting(self._database, tournament.id)
            if enqueued_at is None or emptied or (idle and enqueued_at < forgotten)
        ]
        if not due:
            return
        limits = time_limits(tournament)
        for match_id in due:
            self._broker.enqueue(match_id, limits)
        planning.note_enqueued(self._database, due, now)


def time_limits(tournament: TournamentRow) -> TimeLimits:
    """Bound the task of a match of this tournament, by the bound of its longest match."""
    conditions = tournament.conditions
    bound = conditions.clock.match_bound_s(conditions.profile, tournament.plan.lap)
    return TimeLimits(bound + SOFT_MARGIN_S, bound + HARD_MARGIN_S)
