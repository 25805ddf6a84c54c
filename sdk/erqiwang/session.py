"""One session with a referee, message by message: keeps a view of every table and answers every turn.

It knows no network: `receive` takes a message and yields what is to be sent.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from erqiwang.bot import Bot, BotFactory, decide
from erqiwang.chance import TableRandom
from erqiwang.errors import BotError, WireError
from erqiwang.rules import Action, Profile, SeatView, format_cards, open_view
from erqiwang.v1 import bot_service_pb2, events_pb2
from erqiwang.wire import (
    cards_from_wire,
    cause_from_wire,
    encode_decision,
    encode_decisions,
    event_from_wire,
    reason_from_wire,
    told_profile,
)

_Answer = TypeVar("_Answer")

_READY = bot_service_pb2.PlayRequest(ready=bot_service_pb2.Ready()).SerializeToString()

HOLD_BACK_S = 0.02
"""A batch is answered in parts where the bot takes longer: the clock of its oldest open turn runs."""


@dataclass(slots=True)
class _Table:
    """One table in play."""

    table_id: int
    view: SeatView
    bot: Bot
    random: TableRandom

    def ask(self, moment: str, question: Callable[[Bot], _Answer]) -> _Answer:
        """Ask the bot; whatever it raises becomes a `BotError` that says where."""
        self.bot.random = self.random
        try:
            return question(self.bot)
        except Exception as error:
            hand = format_cards(self.view.hand)
            place = (
                f"at table {self.table_id}, seat {self.view.seat}, {moment}, with the hand {hand or 'empty'}"
            )
            raise BotError(place) from error

    def observe(self, events: Iterable[events_pb2.TableEvent]) -> None:
        for event in events:
            self.view.observe(event_from_wire(event))


class Session:
    """What a bot's side of a stream does with each message of the referee."""

    def __init__(self, factory: BotFactory, log: Callable[[str], None]) -> None:
        self._factory = factory
        self._log = log
        self._profile: Profile | None = None
        self._tables: dict[int, _Table] = {}
        self.is_over = False
        self.is_guest = False
        """Whether the bot came with an API token: it waits in a lobby and plays match after match."""
        self.resume_token = ""
        self.arrivals = 0
        """How often the referee took the bot in, into a match or into the lobby."""

    @property
    def is_joined(self) -> bool:
        """Whether the referee has taken the bot in."""
        return self._profile is not None or self.is_guest

    def return_to_lobby(self) -> None:
        """Give the match up that was played when the stream broke."""
        self._tables.clear()
        self.resume_token = ""

    def receive(self, response: bot_service_pb2.PlayResponse) -> Iterator[bytes]:
        """Do what a message asks for and yield the requests that answer it.

        Raises `WireError` if the message is unreadable, `BotError` if the bot fails.
        """
        match response.WhichOneof("response"):
            case "turns":
                yield from self._answer(response.turns)
            case "tables_opened":
                for opened in response.tables_opened.tables:
                    self._open(opened)
            case "tables_over":
                for over in response.tables_over.tables:
                    self._close(over)
            case "rejections":
                for rejection in response.rejections.rejections:
                    self._log(_rejection_line(rejection))
            case "joined":
                self._join(response.joined)
            case "match_over":
                if response.match_over.aborted:
                    self._log("the match was broken off; its tables do not count")
                if self.is_guest:
                    self.return_to_lobby()
                    yield _READY
            case "waiting":
                if not self.is_guest:
                    self._log(f"in the lobby as {response.waiting.name!r}: waiting for matches")
                self.is_guest = True
                self.arrivals += 1
            case "goodbye":
                self.is_over = True
            case _:
                pass

    def _join(self, joined: bot_service_pb2.Joined) -> None:
        self.arrivals += 1
        if self.is_guest and not self.resume_token:
            self._tables.clear()  # a new match: its numbers begin anew
        try:
            self.resume_token = joined.resume_token
            house = joined.definition if joined.HasField("definition") else None
            self._profile = told_profile(joined.profile, joined.switches, house)
        except ValueError as error:
            raise WireError(f"profile {joined.profile!r} is unknown here: {error}") from error

    def _open(self, opened: bot_service_pb2.TableOpened) -> None:
        if self._profile is None:
            raise WireError("a table opened before the session was joined")
        view = open_view(self._profile, opened.seat, room=opened.room or 1)
        table = _Table(opened.table_id, view, self._factory(), TableRandom(opened.seed))
        self._tables[opened.table_id] = table
        table.ask("when it opened", lambda bot: bot.table_opened(view))

    def _close(self, over: bot_service_pb2.TableOver) -> None:
        table = self._table(over.table_id)
        del self._tables[over.table_id]
        table.observe(over.events)
        table.ask("when it was over", lambda bot: bot.table_over(table.view))

    def _answer(self, turns: bot_service_pb2.Turns) -> Iterator[bytes]:
        """Answer all turns, in one message unless the bot takes its time."""
        decisions: list[bytes] = []
        send_at = time.monotonic() + HOLD_BACK_S
        for turn in turns.turns:
            decisions.append(encode_decision(turn.turn_id, self._decide(turn)))
            if time.monotonic() > send_at:
                yield encode_decisions(decisions)
                decisions = []
                send_at = time.monotonic() + HOLD_BACK_S
        if decisions:
            yield encode_decisions(decisions)

    def _decide(self, turn: bot_service_pb2.Turn) -> Action:
        table = self._table(turn.table_id)
        table.observe(turn.events)
        view = table.view
        if bytes(view.hand) != turn.hand:
            view.hold(cards_from_wire(turn.hand))
        return table.ask(f"turn {turn.turn_id}", lambda bot: decide(bot, view))

    def _table(self, table_id: int) -> _Table:
        try:
            return self._tables[table_id]
        except KeyError:
            raise WireError(f"table {table_id} is not open") from None


def _rejection_line(rejection: bot_service_pb2.Rejection) -> str:
    words = [f"turn {rejection.turn_id} not applied:", cause_from_wire(rejection.cause).name.lower()]
    reason = reason_from_wire(rejection.reason)
    if reason is not None:
        words.append(f"({reason.name.lower()})")
    words.append(rejection.detail)
    if rejection.owed:
        words.append(f"[owed: {format_cards(cards_from_wire(rejection.owed))}]")
    return " ".join(word for word in words if word).replace("\n", " ")
