"""One match: who is there, who is at fault, when it is over.

Synchronous; time, network and runner are passed in.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Protocol

from google.protobuf.message import DecodeError

from erqiwang.rules import Fault, FaultCause, FaultPoint, Phase
from erqiwang.v1 import bot_service_pb2
from erqiwang_referee.company import Company, Later
from erqiwang_referee.deadlines import Deadlines
from erqiwang_referee.exits import Exit
from erqiwang_referee.plan import MatchPlan, companies
from erqiwang_referee.player import Link, Player, Presence, Terms
from erqiwang_referee.run_queue import RunQueue, is_runnable, own_wait_s, times_of
from erqiwang_referee.settings import Limits
from erqiwang_referee.table import Table
from erqiwang_referee.timekeeper import Timekeeper


class Outcome(Enum):
    """How a match ended."""

    COMPLETED = 1
    """Every table has a record."""
    VOID = 2
    """The platform failed: the attempt counts for nobody."""


class Reporter(Protocol):
    """What a match tells its runner, as it happens."""

    def joined(self, player: int, client: str) -> None:
        """Hear that a player joined."""
        ...

    def table_moved(self, table: Table) -> None:
        """Hear that something happened at a table that is followed."""
        ...

    def table_finished(self, table: Table) -> None:
        """Hear that a table is over."""
        ...

    def faulted(self, player: int, table: int | None, fault: Fault) -> None:
        """Hear that a player is at fault."""
        ...

    def finished(self, outcome: Outcome, detail: str, messages: int) -> None:
        """Hear that the match is over; `messages` is how many the players sent."""
        ...


class Match:
    """A match from its opening to its end. Nothing is played before every player joined or is given up."""

    def __init__(
        self,
        plan: MatchPlan,
        *,
        reporter: Reporter,
        timekeeper: Timekeeper,
        deadlines: Deadlines,
        limits: Limits,
        later: Later,
    ) -> None:
        self.plan = plan
        self.outcome: Outcome | None = None
        self._reporter = reporter
        self._timekeeper = timekeeper
        self._deadlines = deadlines
        self._limits = limits
        self._tables_left = len(plan.tables)
        self._has_begun = False
        self._absent_labels: set[str] = set()
        self._absentees: set[int] = set()
        self.players, self._companies = self._gather(later)

    def open(self) -> None:
        """Let the players come: the start limit runs."""
        for player in self.players:
            self._await_join(player)

    def terms(self, max_tables: int, full_history: bool) -> Terms:
        """Settle what a player asks for; 0 tables means as many as the match allows."""
        most = self.plan.tables_in_flight
        return Terms(min(max_tables or most, most), full_history)

    # What players do.

    def join(self, index: int, link: Link, terms: Terms, client: str) -> None:
        """Take in a player that was expected, on a new stream."""
        player = self.players[index]
        self._deadlines.cancel(player.arrival)
        player.presence = Presence.PRESENT
        player.link = link
        player.terms = terms
        self._reporter.joined(index, client)
        self._continue(player)

    def may_resume(self, index: int) -> bool:
        """Tell whether a player that was here may come back; a stream it still has open is given up."""
        player = self.players[index]
        link = player.link
        if link is not None:
            self.break_off(index, link)
            link.close()
        return player.presence is Presence.AWAY and player.resumes < self._limits.resumes

    def resume(self, index: int, link: Link) -> None:
        """Take back a player that is away, on a new stream."""
        player = self.players[index]
        self._deadlines.cancel(player.arrival)
        player.presence = Presence.PRESENT
        player.link = link
        player.resumes += 1
        self._companies[player.company].step_in(player)

    def receive(self, index: int, link: Link, data: bytes) -> None:
        """Take a message of a player."""
        player = self.players[index]
        if player.link is not link or self.outcome is not None:
            return
        player.messages += 1
        player.idle_messages += 1
        if len(data) > self._limits.message_bytes:
            self.expel(player, FaultCause.PROTOCOL, f"a message of {len(data)} bytes")
            return
        try:
            request = bot_service_pb2.PlayRequest.FromString(data)
        except DecodeError:
            self._garble(player, "a message that is no PlayRequest")
            return
        self._obey(player, request)
        if player.idle_messages > self._limits.idle_messages:
            self.expel(
                player, FaultCause.FLOODED, f"{player.idle_messages} messages without a useful decision"
            )

    def break_off(self, index: int, link: Link) -> None:
        """Wait for a player whose stream broke: it may come back within the grace period."""
        player = self.players[index]
        if player.link is not link:
            return
        player.link = None
        if self.outcome is None and player.presence is Presence.PRESENT:
            player.presence = Presence.AWAY
            wait_ms = max(self._limits.grace_ms, self._limits.exit_word_ms)
            if player.resumes >= self._limits.resumes:
                wait_ms = self._limits.exit_word_ms
            self._arrive_by(player, wait_ms, self._give_up_away)
            self._companies[player.company].step_out(player)

    # What the runner says.

    def started(self, index: int, pid: int) -> None:
        """Learn the process of a player that runs on this host."""
        self.players[index].run_queue = RunQueue(lambda: times_of(pid), own_wait_s, is_runnable)

    def exited(self, index: int, end: Exit) -> None:
        """Judge what the launcher learned: a player's process ended."""
        player = self.players[index]
        if self.outcome is not None or player.presence in (Presence.FALLEN, Presence.GONE):
            return
        if end.cause is FaultCause.PLATFORM:
            self.abort(f"player {index} {end}")
        elif player.presence is Presence.EXPECTED:
            cause = FaultCause.NEVER_JOINED if end.signal is None else FaultCause.CRASHED
            self._absent(player, f"{end} before it joined", cause)
        else:
            self.expel(player, end.cause, str(end))

    def restarted(self, index: int) -> bool:
        """Expect a player again that the runner started anew; False if it is not out."""
        player = self.players[index]
        if self.outcome is not None or player.presence not in (Presence.FALLEN, Presence.GONE):
            return False
        player.presence = Presence.EXPECTED
        self._await_join(player)
        return True

    def abort(self, detail: str) -> None:
        """End the match without a result: it is nobody's fault."""
        self._end(Outcome.VOID, detail)

    # What companies say.

    def table_moved(self, table: Table) -> None:
        """Hear that something happened at a table that is followed."""
        self._reporter.table_moved(table)

    def table_finished(self, table: Table) -> None:
        """Hear that a table is over."""
        self._tables_left -= 1
        self._reporter.table_finished(table)

    def faulted(self, player: Player, table: Table | None, fault: Fault) -> None:
        """Hear that a player is at fault."""
        self._reporter.faulted(player.index, None if table is None else table.index, fault)

    def expel(self, player: Player, cause: FaultCause, detail: str) -> None:
        """End a player's session by its fault, once; the runner may start it again."""
        if self.outcome is not None or player.presence in (Presence.FALLEN, Presence.GONE):
            return
        at = FaultPoint(Phase.AUCTION)
        self._reporter.faulted(player.index, None, Fault(0, cause, None, at, detail))
        self._dismiss(player, cause, detail)

    def settled(self) -> None:
        """End the match if a company just finished the last table."""
        if self._tables_left == 0:
            self._end(Outcome.COMPLETED, f"{len(self.plan.tables)} tables")

    # Within.

    def _dismiss(self, player: Player, cause: FaultCause, detail: str) -> None:
        link, player.link = player.link, None
        if link is not None:
            link.send(_goodbye(f"{cause.name.lower()}: {detail}"))
            link.close(detail if cause in (FaultCause.PROTOCOL, FaultCause.FLOODED) else None)
        company = self._companies[player.company]
        if company.has_waiting_tables:
            self._arrive_by(player, self._limits.exit_word_ms, self._give_up_fallen)
        company.drop(player, cause, detail)

    def _gather(self, later: Later) -> tuple[tuple[Player, ...], tuple[Company, ...]]:
        plan = self.plan
        parts = companies(plan)
        company_of = {player: number for number, part in enumerate(parts) for player in part}
        players = tuple(
            Player(index, player, plan.clock, company_of[index]) for index, player in enumerate(plan.players)
        )
        tables = [list[int]() for _ in parts]
        for index, table in enumerate(plan.tables):
            tables[company_of[table.players[0]]].append(index)
        return players, tuple(
            Company(
                plan,
                [players[index] for index in part],
                [(index, plan.tables[index]) for index in tables[number]],
                desk=self,
                deadlines=self._deadlines,
                limits=self._limits,
                now=self._timekeeper.now,
                later=later,
            )
            for number, part in enumerate(parts)
        )

    def _obey(self, player: Player, request: bot_service_pb2.PlayRequest) -> None:
        match request.WhichOneof("request"):
            case "decisions":
                self._companies[player.company].decide(player, request.decisions.decisions)
            case "leave":
                self.expel(player, FaultCause.LEFT, f"left: {request.leave.reason[:100]}")
            case "join":
                self.expel(player, FaultCause.PROTOCOL, "a second join")
            case "ready":
                pass  # one of the messages that decide nothing
            case None:
                self._garble(player, "a message that says nothing")

    def _garble(self, player: Player, detail: str) -> None:
        if not self._companies[player.company].garble(player, detail):
            self.expel(player, FaultCause.PROTOCOL, detail)

    def _continue(self, player: Player) -> None:
        if self._has_begun:
            self._companies[player.company].settle()
        else:
            self._begin_if_gathered()

    def _begin_if_gathered(self) -> None:
        if self.outcome is None and all(player.presence is not Presence.EXPECTED for player in self.players):
            self._has_begun = True
            for company in self._companies:
                company.begin()

    def _await_join(self, player: Player) -> None:
        self._arrive_by(player, self.plan.clock.start_limit_ms, self._give_up_expected)

    def _arrive_by(self, player: Player, wait_ms: int, give_up: Callable[[Player], None]) -> None:
        def check(_now: float) -> None:
            give_up(player)

        player.arrival.check = check
        self._deadlines.set(player.arrival, self._timekeeper.now() + wait_ms / 1000)

    def _give_up_expected(self, player: Player) -> None:
        self._absent(player, f"did not join within {self.plan.clock.start_limit_ms} ms")

    def _give_up_away(self, player: Player) -> None:
        self.expel(player, FaultCause.DISCONNECTED, "the stream broke and the player did not come back")

    def _give_up_fallen(self, player: Player) -> None:
        player.presence = Presence.GONE
        self._companies[player.company].settle()

    def _absent(self, player: Player, detail: str, cause: FaultCause = FaultCause.NEVER_JOINED) -> None:
        """Go on without a player; where that happens to different bots, it is the platform that failed."""
        self._absent_labels.add(player.plan.label)
        if len(self._absent_labels) > 1:
            self.abort("different players never joined: " + ", ".join(sorted(self._absent_labels)))
            return
        if player.index in self._absentees:
            self._dismiss(player, cause, detail)  # started twice, it never came: that is one fault
        else:
            self._absentees.add(player.index)
            self.expel(player, cause, detail)
        if not self._has_begun:
            self._begin_if_gathered()

    def _end(self, outcome: Outcome, detail: str) -> None:
        if self.outcome is not None:
            return
        self.outcome = outcome
        for company in self._companies:
            company.stop()
        for player in self.players:
            self._deadlines.cancel(player.arrival)
            link, player.link = player.link, None
            if link is not None:
                link.send(_match_over(player, aborted=outcome is Outcome.VOID))
                link.send(_goodbye("the match is over"))
                link.close()
        self._reporter.finished(outcome, detail, sum(player.messages for player in self.players))


def _match_over(player: Player, *, aborted: bool) -> bytes:
    over = bot_service_pb2.MatchOver(tables=player.tables_done, points=player.points, aborted=aborted)
    return bot_service_pb2.PlayResponse(match_over=over).SerializeToString()


def _goodbye(reason: str) -> bytes:
    goodbye = bot_service_pb2.Goodbye(reason=reason)
    return bot_service_pb2.PlayResponse(goodbye=goodbye).SerializeToString()
