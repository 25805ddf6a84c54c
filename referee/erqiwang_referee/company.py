"""Players who share tables, and the play at these tables: decisions in, turns out, nothing asynchronous.

A company is a part of a match whose players meet nobody else, so it waits for nobody else either. Turns leave
in batches: at once when no decision of the company is outstanding (nothing else can progress), else when
enough of them wait for one player, else after a moment that grows with the time that replies take: on a busy
machine small batches would make it busier.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Protocol

from erqiwang.errors import WireError
from erqiwang.rules import DecidedBy, Fault, FaultCause, Reason, RuleViolation
from erqiwang.v1 import bot_service_pb2
from erqiwang.wire import action_from_wire, illegal_to_wire, rejection_to_wire
from erqiwang_referee.deadlines import Deadlines
from erqiwang_referee.plan import MatchPlan, TablePlan
from erqiwang_referee.player import Player, Presence
from erqiwang_referee.settings import Limits
from erqiwang_referee.table import Table

_BOT = DecidedBy.BOT
_HOLD_MAX = 10
"""A turn waits for company as long as a reply takes lately, but no more than so many times `flush_ms`."""
_HOLDS_MAX = 8
"""A player that still decides is sent more turns after so many waits."""
_REPLIES = 8
"""How many replies the mean of their time looks back at, roughly."""

_OPENINGS_MAX = 32
"""So many tables are opened at a time: a deal takes time too, and what has arrived is heard in between."""

Later = Callable[[float, Callable[[], None]], object]
"""Calls a function after so many seconds, as `loop.call_later` does."""


class Desk(Protocol):
    """What a company tells the match that it belongs to."""

    def table_moved(self, table: Table) -> None:
        """Hear that something happened at a table that the runner follows."""

    def table_finished(self, table: Table) -> None:
        """Hear that a table is over."""

    def faulted(self, player: Player, table: Table | None, fault: Fault) -> None:
        """Hear that a player is at fault."""

    def expel(self, player: Player, cause: FaultCause, detail: str) -> None:
        """End a player's session by its fault."""

    def abort(self, detail: str) -> None:
        """End the match without a result: it is nobody's fault."""

    def settled(self) -> None:
        """Hear that a company did what there was to do."""


class Company:
    """The tables of some players. Every method that changes something ends with `settle`."""

    def __init__(
        self,
        plan: MatchPlan,
        players: Sequence[Player],
        tables: Iterable[tuple[int, TablePlan]],
        *,
        desk: Desk,
        deadlines: Deadlines,
        limits: Limits,
        now: Callable[[], float],
        later: Later,
    ) -> None:
        self._plan = plan
        self._has_banks = plan.clock.bank_ms is not None
        self._players = {player.index: player for player in players}
        self._waiting = deque(tables)
        self._desk = desk
        self._deadlines = deadlines
        self._limits = limits
        self._now = now
        self._later = later
        self._dirty: dict[int, Player] = {}
        self._outstanding = 0
        self._flush_is_due = False
        self._opening_is_due = False
        self._reply_s = 0.0
        self._is_open = False
        self._causes: dict[int, tuple[FaultCause, str]] = {}
        for player in players:
            player.patience.check = partial(self._look, player)

    @property
    def has_waiting_tables(self) -> bool:
        """Whether tables are left to be opened."""
        return bool(self._waiting)

    def begin(self) -> None:
        """Open the first tables."""
        self._is_open = True
        self.settle()

    def stop(self) -> None:
        """Nothing is played any more; what is known already is still told."""
        self._is_open = False
        self._waiting.clear()
        for player in self._players.values():
            player.queue.clear()
            self._send(player)
            player.leave_tables()
            self._deadlines.cancel(player.patience)

    def decide(self, player: Player, decisions: Sequence[bot_service_pb2.Decision]) -> None:
        """Take the answers of one message."""
        now = self._now()
        answered: list[tuple[Table, bot_service_pb2.Action]] = []
        strays: list[int] = []
        owed = player.owed
        for decision in decisions:
            table = owed.pop(decision.turn_id, None)
            if table is None:
                strays.append(decision.turn_id)
            else:
                answered.append((table, decision.action))
        if answered:
            self._accept(player, answered, now)
        for turn_id in strays:
            if not self._reject_stray(player, turn_id):
                return
        self.settle()

    def garble(self, player: Player, detail: str) -> bool:
        """Take a message that cannot be read: it answers the oldest open turn. False if there is none."""
        table = next(iter(player.owed.values()), None)
        if table is None:
            return False
        self._take(player, table, self._now())
        self._reject(player, rejection_to_wire(table.turn_id, FaultCause.MALFORMED, detail))
        self._forfeit_turn(player, table, FaultCause.MALFORMED, None, detail)
        self.settle()
        return True

    def step_out(self, player: Player) -> None:
        """Stop a player's clock: its stream broke, and nobody waits for its decisions to send turns."""
        self._outstanding -= len(player.owed)
        player.clock.stop()
        self.settle()

    def step_in(self, player: Player) -> None:
        """Send a player everything again: it is back on a new stream."""
        player.reopen(self._plan.room)
        self._dirty[player.index] = player
        self.settle()

    def drop(self, player: Player, cause: FaultCause, detail: str) -> None:
        """Forfeit the tables that a player has in flight, and those that open while it is out."""
        if player.presence is Presence.PRESENT:
            self._outstanding -= len(player.owed)
        player.presence = Presence.FALLEN
        self._causes[player.index] = (cause, detail)
        for table in player.tables.values():
            self._forfeit_seat(player, table, cause, detail)
        for table in player.leave_tables():
            self._advance(table)
        self.settle()

    def settle(self) -> None:
        """Open what can be opened, send what should be sent."""
        if self._is_open:
            self._open_tables()
            self._flush()
            self._desk.settled()

    # Decisions.

    def _accept(
        self, player: Player, answered: list[tuple[Table, bot_service_pb2.Action]], now: float
    ) -> None:
        player.idle_messages = 0
        self._outstanding -= len(answered)
        oldest = min([table.written for table, _ in answered])
        self._reply_s += (now - oldest - self._reply_s) / _REPLIES
        share = player.clock.charge(oldest, now, len(answered), still_owing=bool(player.owed))
        for table, message in answered:
            self._apply(player, table, message, share)

    def _apply(self, player: Player, table: Table, message: bot_service_pb2.Action, seconds: float) -> None:
        seat = table.turn.seat
        if self._has_banks:
            table.charge(seat, seconds)
        try:
            table.act(seat, action_from_wire(message, table.fallback), seconds, _BOT)
        except RuleViolation as violation:
            self._reject(player, illegal_to_wire(table.turn_id, violation))
            self._forfeit_turn(player, table, FaultCause.ILLEGAL, violation.reason, str(violation))
        except WireError as error:
            self._reject(player, rejection_to_wire(table.turn_id, FaultCause.MALFORMED, str(error)))
            self._forfeit_turn(player, table, FaultCause.MALFORMED, None, str(error))
        else:
            self._advance(table)

    def _reject_stray(self, player: Player, turn_id: int) -> bool:
        """Answer a decision that belongs to no open turn; False if it was one too many."""
        if turn_id in player.late:
            player.late.discard(turn_id)
            text = "the answer came too late; the fallback was played"
            self._reject(player, rejection_to_wire(turn_id, FaultCause.TIMED_OUT_MOVE, text))
            return True
        text = "the turn was answered before" if player.was_issued(turn_id) else "there is no such turn"
        self._reject(player, rejection_to_wire(turn_id, FaultCause.PROTOCOL, text))
        player.rejected += 1
        if player.rejected <= self._limits.rejections:
            return True
        self._desk.expel(player, FaultCause.FLOODED, f"{player.rejected} answers to turns that were not open")
        return False

    def _take(self, player: Player, table: Table, now: float) -> float:
        """Take one open turn from a player, and say how long it had it."""
        del player.owed[table.turn_id]
        self._outstanding -= 1
        return player.clock.charge(table.written, now, 1, still_owing=bool(player.owed))

    def _reject(self, player: Player, rejection: bot_service_pb2.Rejection) -> None:
        player.reject(rejection)
        self._dirty[player.index] = player

    # Time.

    def _deadline(self, player: Player) -> float | None:
        for table in player.owed.values():
            return player.clock.deadline(table.seats[table.turn.seat].bank_s, len(player.owed))
        return None

    def _look(self, player: Player, now: float) -> float | None:
        deadline = self._deadline(player)
        if deadline is not None and deadline <= now:
            if player.wants_second_look(now):
                return now
            if player.gets_back(now):
                deadline = self._deadline(player)
        if deadline is None:
            return None
        if deadline > now:
            player.observe(now)
        elif player.is_excused(now):
            self._desk.abort(f"player {player.index} was late because it had to wait for a processor")
            return None
        else:
            self._time_out(player, now)
            self.settle()
            deadline = self._deadline(player)
        return None if deadline is None else player.next_look(deadline, now)

    def _time_out(self, player: Player, now: float) -> None:
        table = next(iter(player.owed.values()))
        place = table.seats[table.turn.seat]
        bank_is_out = player.clock.is_bank_out(place.bank_s, len(player.owed))
        seconds = self._take(player, table, now)
        player.late.add(table.turn_id)
        if bank_is_out:
            place.bank_s = 0.0
            self._forfeit_turn(player, table, FaultCause.TIMED_OUT_BANK, None, "the bank ran out")
            return
        table.charge(table.turn.seat, seconds)
        self._overstep(player, table, seconds)

    def _overstep(self, player: Player, table: Table, seconds: float) -> None:
        seat = table.turn.seat
        place = table.seats[seat]
        place.timeouts += 1
        detail = f"no answer within {self._plan.clock.move_limit_ms} ms"
        if place.timeouts > self._limits.timeouts:
            detail += f", time {place.timeouts} at this table: forfeited"
            self._forfeit_turn(player, table, FaultCause.TIMED_OUT_MOVE, None, detail)
            return
        fault = table.note(seat, FaultCause.TIMED_OUT_MOVE, None, detail)
        self._desk.faulted(player, table, fault)
        table.act(seat, table.fallback, seconds, DecidedBy.FALLBACK)
        self._advance(table)

    # Forfeits.

    def _forfeit_turn(
        self, player: Player, table: Table, cause: FaultCause, reason: Reason | None, detail: str
    ) -> None:
        seat = table.turn.seat
        fault = table.note(seat, cause, reason, detail)
        table.seats[seat].forfeited = True
        self._desk.faulted(player, table, fault)
        self._advance(table)

    def _forfeit_seat(self, player: Player, table: Table, cause: FaultCause, detail: str) -> None:
        seat = table.plan.players.index(player.index)
        if not table.seats[seat].forfeited:
            table.seats[seat].forfeited = True
            table.note(seat, cause, None, detail)

    # Tables.

    def _open_tables(self) -> None:
        for _ in range(_OPENINGS_MAX):
            if not self._waiting or not self._can_open(self._waiting[0][1]):
                return
            index, plan = self._waiting.popleft()
            table = Table(index, plan, self._plan)
            for number in plan.players:
                self._seat(self._players[number], table)
            self._advance(table)
        if not self._opening_is_due:
            self._opening_is_due = True
            self._later(0.0, self._open_more)

    def _open_more(self) -> None:
        self._opening_is_due = False
        self.settle()

    def _can_open(self, plan: TablePlan) -> bool:
        for number in plan.players:
            player = self._players[number]
            if player.presence is Presence.GONE:
                continue
            if player.presence is not Presence.PRESENT or not player.has_room:
                return False
        return True

    def _seat(self, player: Player, table: Table) -> None:
        if player.presence is Presence.GONE:
            self._forfeit_seat(player, table, *self._causes[player.index])
            return
        player.seat_down(table, self._now())
        player.announce(table, self._plan.room)
        self._dirty[player.index] = player

    def _advance(self, table: Table) -> None:
        turn = table.advance()
        if table.plan.followed:
            self._desk.table_moved(table)
        if turn is None:
            self._finish(table)
            return
        player = self._players[table.seats[turn.seat].player]
        player.want(table)
        self._dirty[player.index] = player

    def _finish(self, table: Table) -> None:
        for number, seat in enumerate(table.seats):
            player = self._players[seat.player]
            player.stand_up(table, number)
            self._dirty[player.index] = player
        self._desk.table_finished(table)

    # Messages.

    def _flush(self) -> None:
        dirty, self._dirty = self._dirty, {}
        everything = self._outstanding == 0
        for player in dirty.values():
            if everything or len(player.queue) >= self._limits.flush_turns:
                self._send(player)
            else:
                self._dirty[player.index] = player
        if self._dirty and not self._flush_is_due:
            self._flush_is_due = True
            least = self._limits.flush_ms / 1000
            self._later(min(max(least, self._reply_s), _HOLD_MAX * least), self._flush_late)

    def _flush_late(self) -> None:
        """Send what waited long enough: a player that still decides can wait longer than an idle one."""
        self._flush_is_due = False
        if not self._is_open:
            return
        dirty, self._dirty = self._dirty, {}
        for player in dirty.values():
            player.holds += 1
            if not player.owed or player.holds >= _HOLDS_MAX:
                self._send(player)
            else:
                self._dirty[player.index] = player
        self._flush()

    def _send(self, player: Player) -> None:
        link = player.link
        if link is None or player.presence is not Presence.PRESENT or not player.has_mail:
            return
        if link.waiting_bytes > self._limits.outbox_bytes:
            self._desk.expel(player, FaultCause.DISCONNECTED, "the player does not read its messages")
            return
        player.holds = 0
        self._outstanding += len(player.queue)
        now = self._now()
        for message in player.mail(now, self._plan.clock.move_limit_ms):
            link.send(message)
        deadline = self._deadline(player)
        if deadline is not None:
            self._deadlines.look_by(player.patience, player.next_look(deadline, now))
