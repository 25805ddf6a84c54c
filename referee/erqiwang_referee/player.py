"""One player of a match: where it stands, what it owes, and what waits to be sent to it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from erqiwang.v1 import bot_service_pb2
from erqiwang.wire import (
    encode_table_over,
    encode_tables_over,
    encode_turn_head,
    encode_turn_kind,
    encode_turn_tail,
    encode_turns,
    join_turn,
)
from erqiwang_referee.clock import PlayerClock
from erqiwang_referee.deadlines import Deadline
from erqiwang_referee.plan import ClockPlan, PlayerPlan
from erqiwang_referee.run_queue import RunQueue, Sample
from erqiwang_referee.table import Table

_LOOKS = 4
_LOOK_LEAST_S = 0.1
"""So often a process is observed while it owes a decision, and no more often than that."""


class Presence(Enum):
    """Where a player stands."""

    EXPECTED = 1
    """Its join is awaited."""
    PRESENT = 2
    """Its stream is open."""
    AWAY = 3
    """Its stream broke; it may come back, or the launcher will tell how it ended."""
    FALLEN = 4
    """It is out by a fault of its own; the runner may start it again."""
    GONE = 5
    """It is out for the rest of the match."""


class Link(Protocol):
    """A player's open stream, as the match sees it."""

    @property
    def waiting_bytes(self) -> int:
        """How much was sent and is not yet on its way, because the player does not read."""
        ...

    def send(self, message: bytes) -> None:
        """Send an encoded `PlayResponse`."""
        ...

    def close(self, breach: str | None = None) -> None:
        """End the stream once everything is sent; `breach` says what the player did against the protocol."""
        ...


@dataclass(frozen=True, slots=True)
class Terms:
    """What a player asked for when it joined; `max_tables` is never 0."""

    max_tables: int
    full_history: bool


class Player:
    """The referee's side of one player. Holds no socket: messages leave by `link`."""

    __slots__ = (
        "_bank_s",
        "_closed",
        "_opened",
        "_rejections",
        "_samples",
        "_tail",
        "_turn_count",
        "arrival",
        "clock",
        "company",
        "holds",
        "idle_messages",
        "index",
        "late",
        "link",
        "messages",
        "next_table_id",
        "owed",
        "patience",
        "plan",
        "points",
        "presence",
        "queue",
        "rejected",
        "resumes",
        "run_queue",
        "table_ids",
        "tables",
        "tables_done",
        "terms",
    )

    def __init__(self, index: int, plan: PlayerPlan, clock: ClockPlan, company: int) -> None:
        self.index = index
        self.plan = plan
        self.company = company
        self.presence = Presence.EXPECTED
        self.terms = Terms(1, full_history=False)
        self.link: Link | None = None
        self.clock = PlayerClock(clock.move_limit_ms / 1000, clock.latency_ms / 1000)
        self.arrival = Deadline()
        """When the referee stops waiting for a join, a return or a restart."""
        self.patience = Deadline()
        """When the oldest open turn has taken too long."""
        self.tables: dict[int, Table] = {}
        """Tables in flight, by their index in the match."""
        self.table_ids: dict[int, int] = {}
        """The player's own numbers of these tables."""
        self._bank_s = (clock.bank_ms or 0) / 1000
        self._tail = encode_turn_tail(clock.move_limit_ms, None)
        self.owed: dict[int, Table] = {}
        """Tables whose turn was sent and is not answered, by turn id, oldest first."""
        self.queue: dict[int, Table] = {}
        """Tables whose turn waits to be sent, by turn id."""
        self.late: set[int] = set()
        """Turns that were taken from the player and may still be answered."""
        self.next_table_id = 1
        self.tables_done = 0
        self.points = 0
        self.holds = 0
        self.messages = 0
        self.idle_messages = 0
        self.rejected = 0
        self.resumes = 0
        self.run_queue: RunQueue | None = None
        """What the kernel knows of its process, if that runs on this host."""
        self._samples: dict[int, Sample] = {}
        """How things stood when the tables in flight opened."""
        self._turn_count = 0
        self._opened: list[bot_service_pb2.TableOpened] = []
        self._closed: list[bytes] = []
        self._rejections: list[bot_service_pb2.Rejection] = []

    @property
    def has_room(self) -> bool:
        """Whether the player takes another table."""
        return len(self.tables) < self.terms.max_tables

    @property
    def has_mail(self) -> bool:
        """Whether anything waits to be sent."""
        return bool(self.queue or self._opened or self._closed or self._rejections)

    def observe(self, now: float) -> None:
        """While it owes something: remember how long its process has computed and waited so far."""
        if self.run_queue is not None and self.clock.since is not None:
            self.run_queue.observe(self.clock.since, now)

    def wants_second_look(self, now: float) -> bool:
        """Tell, once, whether its process may be waiting for a processor at this very moment."""
        return self.run_queue is not None and self.run_queue.wants_second_look(now)

    def is_excused(self, now: float) -> bool:
        """Tell whether it is late because the host gave it no processor, and that can be proven."""
        queue, since = self.run_queue, self.clock.since
        return queue is not None and since is not None and queue.excuses(since, now)

    def gets_back(self, now: float) -> bool:
        """Charge an empty bank only what the process computed, if it waited for the rest; False if not."""
        table = next(iter(self.owed.values()))
        place, owed = table.seats[table.turn.seat], len(self.owed)
        queue, since, sample = self.run_queue, self.clock.since, self._samples.get(table.index)
        if queue is None or since is None or sample is None or not self.clock.is_bank_out(place.bank_s, owed):
            return False
        pending = now - since
        share = queue.computed_share(sample, self.clock.charged_s + pending, pending, now)
        if share == 1:
            return False
        pending /= owed
        place.bank_s = max(0.0, self._bank_s - share * (place.spent_s + pending) + pending)
        return True

    def next_look(self, deadline: float, now: float) -> float:
        """Tell when to look at a deadline: earlier where its process is to be observed."""
        since = self.clock.since
        if self.run_queue is None or since is None:
            return deadline
        return min(deadline, now + max(_LOOK_LEAST_S, (deadline - since) / _LOOKS))

    def was_issued(self, turn_id: int) -> bool:
        """Whether the player ever had a turn of this number."""
        return 0 < turn_id <= self._turn_count and turn_id not in self.queue

    def seat_down(self, table: Table, now: float) -> None:
        """Give the player a place at a table that opens."""
        if self.run_queue is not None:
            pending = 0.0 if self.clock.since is None else now - self.clock.since
            self._samples[table.index] = self.run_queue.sample(now, self.clock.charged_s + pending)
        self.tables[table.index] = table
        self.table_ids[table.index] = self.next_table_id
        table.seats[table.plan.players.index(self.index)].head = encode_turn_head(self.next_table_id)
        self.next_table_id += 1

    def announce(self, table: Table, room: int) -> None:
        """Tell the player of a table in flight; its history is told from the beginning."""
        seat = table.plan.players.index(self.index)
        table.seats[seat].seen = 0
        self._opened.append(
            bot_service_pb2.TableOpened(
                table_id=self.table_ids[table.index],
                seat=seat,
                room=room,
                seed=table.plan.bot_seeds[seat],
            )
        )

    def want(self, table: Table) -> None:
        """Queue the turn of a table."""
        self._turn_count = table.turn_id = self._turn_count + 1
        self.queue[table.turn_id] = table

    def stand_up(self, table: Table, seat: int) -> None:
        """Tell of a table that is over; a player that left it before is told nothing."""
        if self.tables.pop(table.index, None) is None:
            return
        table_id = self.table_ids.pop(table.index)
        self._samples.pop(table.index, None)
        self.tables_done += 1
        self.points += table.scores[seat]
        self._closed.append(encode_table_over(table_id, table.unseen(seat)))

    def reject(self, rejection: bot_service_pb2.Rejection) -> None:
        """Tell the player of a decision that was not applied."""
        self._rejections.append(rejection)

    def leave_tables(self) -> list[Table]:
        """Leave every table in flight and drop what waits to be sent; give back those that wait for it."""
        waiting = [*self.owed.values(), *self.queue.values()]
        self.late.update(self.owed)
        self.clock.stop()
        for content in (self.owed, self.queue, self.tables, self.table_ids, self._samples):
            content.clear()
        for mail in (self._opened, self._closed, self._rejections):
            mail.clear()
        return waiting

    def reopen(self, room: int) -> None:
        """After a return: tell of the tables in flight again and queue the open turns again."""
        self.queue = {**self.owed, **self.queue}
        self.owed = {}
        self.clock.stop()
        in_flight = set(self.table_ids.values())
        self._opened = [opened for opened in self._opened if opened.table_id not in in_flight]
        for table in self.tables.values():
            self.announce(table, room)

    def mail(self, now: float, move_limit_ms: int) -> list[bytes]:
        """Take the messages that wait, in the order to be read; their turns are owed from now on."""
        messages: list[bytes] = []
        if self._opened:
            opened = bot_service_pb2.TablesOpened(tables=self._opened)
            messages.append(bot_service_pb2.PlayResponse(tables_opened=opened).SerializeToString())
            self._opened.clear()
        if self._rejections:
            rejections = bot_service_pb2.Rejections(rejections=self._rejections)
            messages.append(bot_service_pb2.PlayResponse(rejections=rejections).SerializeToString())
            self._rejections.clear()
        if self._closed:
            messages.append(encode_tables_over(self._closed))
            self._closed.clear()
        if self.queue:
            messages.append(encode_turns(self._write_turns(now, move_limit_ms)))
            self.owed.update(self.queue)
            self.queue.clear()
            self.clock.start(now)
        return messages

    def _write_turns(self, now: float, move_limit_ms: int) -> list[bytes]:
        turns: list[bytes] = []
        is_full, tail = self.terms.full_history, self._tail
        for turn_id, table in self.queue.items():
            table.written = now
            seat, kind, may_surrender = table.turn
            place, history = table.seats[seat], table.history
            hand, bank_s = place.hand, place.bank_s
            if bank_s is not None:
                tail = encode_turn_tail(move_limit_ms, int(bank_s * 1000))
            wanted = encode_turn_kind(kind, may_surrender, len(hand))
            events = history if is_full else history[place.seen :]
            place.seen = len(history)
            turns.append(join_turn(place.head, turn_id, wanted, hand, events, table.fallback, tail))
        return turns
