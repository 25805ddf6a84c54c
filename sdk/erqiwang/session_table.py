"""One table in play as the bot's side keeps it: the view, the bot and its source of random choices."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

from erqiwang.chance import TableRandom
from erqiwang.errors import BotError
from erqiwang.rules import Card, Phase, SeatView, format_cards
from erqiwang.v1 import bot_service_pb2, events_pb2
from erqiwang.wire import cards_from_wire, event_from_wire

_Player = TypeVar("_Player")


@dataclass(slots=True)
class SessionTable(Generic[_Player]):
    """One table in play.

    `before` is the view from before the stream broke: it knows the hand, which no history tells again.
    """

    table_id: int
    view: SeatView
    bot: _Player
    random: TableRandom
    before: SeatView | None = None

    def observe(self, events: Iterable[events_pb2.TableEvent]) -> None:
        """Take in what happened at the table."""
        for event in events:
            self.view.observe(event_from_wire(event))

    def begin(self, turn: bot_service_pb2.Turn) -> None:
        """Bring the view up to a turn."""
        self.observe(turn.events)
        view, hand = self.view, cards_from_wire(turn.hand)
        if self.before is not None and view.phase is Phase.PLAY:
            if view.declarer == view.seat and view.redeal == self.before.redeal:
                view.buried = _buried(self.before, view, hand)
            self.before = None
        if bytes(view.hand) != turn.hand:
            view.hold(hand)

    def failure(self, moment: str) -> BotError:
        """Say where the bot failed."""
        hand = format_cards(self.view.hand) or "empty"
        return BotError(f"at table {self.table_id}, seat {self.view.seat}, {moment}, with the hand {hand}")


def _buried(before: SeatView, view: SeatView, hand: Iterable[Card]) -> tuple[Card, ...]:
    """Give what a declarer buried: what it held with the kitty and neither holds nor played since."""
    if before.buried is not None:
        return before.buried
    held = Counter(before.hand)
    if not before.kitty:
        held.update(view.kitty)
    for trick in view.tricks:
        held.subtract(trick.plays[(view.seat - trick.leader) % view.profile.seats])
    held.subtract(hand)
    return tuple(sorted(held.elements()))
