"""One table: the rule book with authority around it. Synchronous, without clock, network or log."""

from __future__ import annotations

from array import array
from dataclasses import replace

from erqiwang.deals import deals_of_board
from erqiwang.rules import (
    Action,
    Bid,
    Bury,
    Card,
    Deal,
    Dealt,
    DecidedBy,
    Event,
    Fault,
    FaultCause,
    FaultPoint,
    Finished,
    KittyShown,
    Played,
    Reason,
    Record,
    State,
    Turn,
    apply,
    fallback,
    open_table,
    record_of,
)
from erqiwang.v1 import match_service_pb2, record_pb2
from erqiwang.wire import encode_event, encode_record, encode_time, record_from_wire
from erqiwang.wire.fields import bytes_tag
from erqiwang_referee.plan import MatchPlan, TablePlan

_BOT = DecidedBy.BOT
_MOVED = bytes_tag(match_service_pb2.TableMoved.DESCRIPTOR, "events")
_BYTES = tuple(bytes((number,)) for number in range(len(Card) + 1))


class Seat:
    """One seat of a table: who plays it, what that player has seen, and how it stands."""

    __slots__ = ("bank_s", "forfeited", "hand", "head", "player", "seen", "spent_s", "timeouts")

    def __init__(self, player: int, bank_s: float | None) -> None:
        self.player = player
        self.bank_s = bank_s
        self.spent_s = 0.0
        """What was charged to the bank, waiting that was given back included."""
        self.hand = b""
        """The cards that the seat holds, one byte a card.

        Kept beside the state: taking a card from some bytes is much cheaper than writing the whole hand.
        """
        self.head = b""
        """How each turn of the seat begins on the wire."""
        self.seen = 0
        self.timeouts = 0
        self.forfeited = False


class Table:
    """A table in play, and the one decision that it waits for.

    `history` holds its public events, each encoded once for all seats. `turn` and `fallback` are the decision
    that is wanted and what is done if it does not come; `turn_id` and `written` belong to the player that
    owes it: the number it has there, and when it was sent.
    """

    __slots__ = (
        "_deals",
        "_faults",
        "_state",
        "_times",
        "bot_seconds",
        "decided_otherwise",
        "fallback",
        "history",
        "index",
        "plan",
        "seats",
        "told",
        "turn",
        "turn_id",
        "written",
    )

    def __init__(self, index: int, plan: TablePlan, match: MatchPlan) -> None:
        self.index = index
        self.plan = plan
        bank_ms = match.clock.bank_ms
        bank_s = None if bank_ms is None else bank_ms / 1000
        self.seats = tuple(Seat(player, bank_s) for player in plan.players)
        self.history: list[bytes] = []
        self.told = 0
        """How many of its events the runner was told."""
        self._faults: list[Fault] = []
        self._times = bytearray()
        self.bot_seconds = array("d")
        """What was charged for each decision that a player made itself."""
        self.decided_otherwise: list[DecidedBy] = []
        """Who made each of the other decisions."""
        self._deals = _deals(plan, match)
        state, events = open_table(match.profile, self._deals, room=match.room, pass_out=match.pass_out)
        self._state: State = state
        assert state.turn is not None
        self.turn: Turn = state.turn
        self.fallback: Action = Bid(None)
        self.turn_id = 0
        self.written = 0.0
        self._publish(events)

    @property
    def at(self) -> FaultPoint:
        """Where the table is now."""
        return self._state.at

    @property
    def is_over(self) -> bool:
        """Whether the table is played and scored."""
        return self._state.turn is None

    @property
    def scores(self) -> tuple[int, ...]:
        """The result by seat; zeros while the table is in play."""
        state = self._state
        return state.scores if isinstance(state, Finished) else (0,) * len(self.seats)

    @property
    def decision_count(self) -> int:
        """How many decisions were made."""
        return len(self.bot_seconds) + len(self.decided_otherwise)

    @property
    def forfeited_seats(self) -> list[int]:
        """Seats that were autoplayed to the end because of faults, ascending."""
        return [number for number, seat in enumerate(self.seats) if seat.forfeited]

    def act(self, seat: int, action: Action, seconds: float, by: DecidedBy) -> None:
        """Apply a decision; raises `RuleViolation` and then nothing has changed (R-74)."""
        self._state, events = apply(self._state, seat, action)
        self._times += encode_time(seat, seconds, by)
        if by is _BOT:
            self.bot_seconds.append(seconds)
        else:
            self.decided_otherwise.append(by)
        if type(action) is Bury:
            self._take(seat, action.cards)
        self._publish(events)

    def advance(self) -> Turn | None:
        """Autoplay forfeited seats (R-73) until somebody else is in turn; None when the table is over."""
        while (turn := self._state.turn) is not None:
            self.turn, self.fallback = turn, fallback(self._state)
            if not self.seats[turn.seat].forfeited:
                break
            self.act(turn.seat, self.fallback, 0.0, DecidedBy.AUTOPLAY)
        return turn

    def charge(self, seat: int, seconds: float) -> None:
        """Take time from a seat's bank, if there is one."""
        place = self.seats[seat]
        if place.bank_s is not None:
            place.spent_s += seconds
            place.bank_s = max(0.0, place.bank_s - seconds)

    def note(self, seat: int, cause: FaultCause, reason: Reason | None = None, detail: str = "") -> Fault:
        """Write a fault into the record, at the place where the table is now."""
        fault = Fault(seat, cause, reason, self._state.at, detail)
        self._faults.append(fault)
        return fault

    def unseen(self, seat: int) -> list[bytes]:
        """Take the events that a seat was not told of yet."""
        place = self.seats[seat]
        events = self.history[place.seen :]
        place.seen = len(self.history)
        return events

    def encode_news(self) -> bytes:
        """Write a `TableMoved` of the events that the runner was not told of yet."""
        events = self.history[self.told :]
        self.told = len(self.history)
        moved = match_service_pb2.TableMoved(table=self.index)
        return moved.SerializeToString() + b"".join([_MOVED + event for event in events])

    def record(self) -> Record:
        """Make the record of the finished table."""
        return record_from_wire(record_pb2.Record.FromString(self.encode_record()))

    def encode_record(self) -> bytes:
        """Write the record of the finished table as a message."""
        state = self._state
        assert isinstance(state, Finished)
        record = record_of(state, id=self.plan.record_id, faults=self._faults)
        return encode_record(record, bytes(self._times))

    def _publish(self, events: tuple[Event, ...]) -> None:
        for event in events:
            self.history.append(encode_event(event))
            if type(event) is Played:
                self._take(event.seat, event.cards)
            elif type(event) is KittyShown:
                self.seats[event.declarer].hand += bytes(event.kitty)
            elif type(event) is Dealt:
                for place, hand in zip(self.seats, self._deals[event.redeal].hands, strict=True):
                    place.hand = bytes(hand)

    def _take(self, seat: int, cards: tuple[Card, ...]) -> None:
        place = self.seats[seat]
        for card in cards:
            place.hand = place.hand.replace(_BYTES[card], b"", 1)


def _deals(plan: TablePlan, match: MatchPlan) -> tuple[Deal, ...]:
    if plan.deal is not None:
        return (plan.deal,)
    deals = deals_of_board(match.profile, plan.board_seed, match.pass_out)
    return deals if plan.opener is None else (replace(deals[0], opener=plan.opener), *deals[1:])
