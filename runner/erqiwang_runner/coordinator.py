"""Keeps tournaments going: plans, fills the queue, takes lost matches back, finishes.

It holds nothing in memory that matters, decides from the store alone, and two of them may run at once.
"""

import logging
import time
from collections.abc import Callable
from typing import Final

from erqiwang_runner.broker import Broker, BrokerDown, TimeLimits
from erqiwang_runner.clocks import HARD_MARGIN_S, SOFT_MARGIN_S
from erqiwang_runner.formats import Format
from erqiwang_runner.janitor import Janitor
from erqiwang_runner.ladder_keeper import LadderKeeper
from erqiwang_runner.secret_file import SecretFile
from erqiwang_runner.shares import Claimant, alternating, shares
from erqiwang_runner.store import competition_steps, planning, quarantine, tournaments, verdicts, versions
from erqiwang_runner.store.engine import Database
from erqiwang_runner.store.extension import extend, wanted
from erqiwang_runner.store.leaderboard import Leaderboards
from erqiwang_runner.store.replacement import replace_disturbed
from erqiwang_runner.store.settlement import settle
from erqiwang_runner.store.states import TournamentState
from erqiwang_runner.store.tournaments import TournamentRow
from erqiwang_runner.webhook.courier import Courier

MATCHES_AHEAD: Final = 3
"""A window of so many matches a worker keeps all of them busy between two steps."""

WINDOW: Final = 32
"""How many matches are planned ahead, all running tournaments together (`shares`)."""

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
        self._ladders = LadderKeeper(database, secrets)
        self._courier = Courier(database, secrets, clock=clock)
        self._janitor = Janitor(database, clock=clock)
        self._secrets = secrets
        self._window = window
        self._clock = clock
        self._is_new = True

    def join(self) -> None:
        """Wait for what is being done beside the steps: events that are sent, retention."""
        self._courier.join()
        self._janitor.join()

    def step(self) -> None:
        """Look after every running tournament once."""
        if self._is_new:
            self._is_new = False
            if versions.note(self._database):
                _log.warning("a coordinator of another version was here before: workers of it take nothing")
        for found in quarantine.look(self._database, self._clock()):
            _log.warning("host %s takes nothing for a while: %s", found.host, found.reason)
        competition_steps.step(self._database, self._clock(), self._secrets)
        self._ladders.step(self._clock())
        self._courier.look()
        self._janitor.look()
        with self._database.read() as connection:
            running = tournaments.every(connection, TournamentState.RUNNING)
        for tournament in running:
            planning.reclaim(self._database, tournament.id, self._clock())
            planning.reopen(self._database, tournament, self._secrets, self._clock())
            replace_disturbed(self._database, tournament, self._secrets)
            self._settle(tournament)
            if (report := verdicts.decide(self._database, tournament)) is not None:
                _log.info("test %s: %s", tournament.name, next(report.lines()))
        given = self._shares(running)
        for tournament in running:
            extend(self._database, tournament, given[tournament.id], self._secrets)
        self._fill_queue(running, given)
        for tournament in running:
            is_finished = planning.finish_if_complete(self._database, tournament, self._secrets)
            if is_finished:
                _log.info("tournament %s is finished", tournament.name)
            if tournament.is_rated and tournament.format.format is not Format.REGRESSION:
                # Two versions of a bot, or one that is only tried, say nothing about others.
                self._leaderboards.look_at(tournament.name, is_finished=is_finished)

    def _settle(self, tournament: TournamentRow) -> None:
        for entry in settle(self._database, tournament):
            _log.warning("tournament %s: entry %d is suspended for its faults", tournament.name, entry)

    def _shares(self, running: list[TournamentRow]) -> dict[int, int]:
        with self._database.read() as connection:
            rows = [tournaments.get(connection, each.id) for each in running]
            claimants = [
                Claimant(row.id, row.priority, wanted(connection, row, self._window)) for row in rows
            ]
        return shares(self._window, claimants)

    def _fill_queue(self, running: list[TournamentRow], given: dict[int, int]) -> None:
        try:
            # Asked first: a message that is lost later finds its match waiting beside an empty queue.
            emptied = self._broker.was_emptied()
            idle = self._broker.length() == 0
            ordered = sorted(running, key=lambda each: (-each.priority, each.id))
            due = [self._due(each, given[each.id], emptied=emptied, idle=idle) for each in ordered]
            now, matches = self._clock(), list[int]()
            for match_id, limits in alternating(due):
                self._broker.enqueue(match_id, limits)
                matches.append(match_id)
            if matches:
                planning.note_enqueued(self._database, matches, now)
        except BrokerDown as error:
            _log.warning("the broker does not answer: %s", error)

    def _due(
        self, tournament: TournamentRow, share: int, *, emptied: bool, idle: bool
    ) -> list[tuple[int, TimeLimits]]:
        forgotten = self._clock() - FORGOTTEN_S
        limits = time_limits(tournament)
        # Those whose message may be lost come before those that never had one.
        waiting = sorted(planning.waiting(self._database, tournament.id), key=lambda each: each[1] is None)
        due = [
            (match_id, limits)
            for match_id, enqueued_at in waiting
            if enqueued_at is None or emptied or (idle and enqueued_at < forgotten)
        ]
        # A stint is planned as a whole and may be of more matches than the share.
        under_way = len(waiting) - len(due) + planning.leased(self._database, tournament.id)
        return due[: max(0, share - under_way)]


def time_limits(tournament: TournamentRow) -> TimeLimits:
    """Bound the task of a match of this tournament, by the bound of its longest match."""
    conditions = tournament.conditions
    bound = conditions.clock.match_bound_s(conditions.profile, tournament.plan.lap)
    return TimeLimits(bound + SOFT_MARGIN_S, bound + HARD_MARGIN_S)
