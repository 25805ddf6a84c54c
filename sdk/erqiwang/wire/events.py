"""The public history of a table, on the wire."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from erqiwang.errors import WireError
from erqiwang.rules import (
    Announced,
    BidMade,
    Buried,
    Card,
    Dealt,
    Event,
    KittyShown,
    PassedOut,
    Played,
    Settled,
    Surrendered,
    TrickWon,
    TrumpNamed,
    TrumpReport,
)
from erqiwang.v1 import events_pb2
from erqiwang.wire.cards import cards_from_wire, cards_to_wire, trump_from_wire, trump_to_wire
from erqiwang.wire.fields import delimited


def event_to_wire(event: Event) -> events_pb2.TableEvent:
    """Build the message of an event."""
    match event:
        case Played():
            cards, thrown = cards_to_wire(event.cards), cards_to_wire(event.thrown)
            played = events_pb2.Played(seat=event.seat, cards=cards, thrown=thrown)
            return events_pb2.TableEvent(played=played)
        case TrickWon():
            return events_pb2.TableEvent(trick_won=events_pb2.TrickWon(seat=event.seat, points=event.points))
        case Announced():
            return events_pb2.TableEvent(announced=_announced_to_wire(event))
        case BidMade():
            return events_pb2.TableEvent(bid_made=events_pb2.BidMade(seat=event.seat, bid=event.bid))
        case Dealt():
            return events_pb2.TableEvent(dealt=events_pb2.Dealt(opener=event.opener, redeal=event.redeal))
        case KittyShown():
            kitty = cards_to_wire(event.kitty)
            shown = events_pb2.KittyShown(declarer=event.declarer, bid=event.bid, kitty=kitty)
            return events_pb2.TableEvent(kitty_shown=shown)
        case TrumpNamed():
            named = events_pb2.TrumpNamed(trump=trump_to_wire(event.trump))
            return events_pb2.TableEvent(trump_named=named)
        case Settled():
            return events_pb2.TableEvent(settled=_settled_to_wire(event))
        case Buried():
            return events_pb2.TableEvent(buried=events_pb2.Buried())
        case PassedOut():
            return events_pb2.TableEvent(passed_out=events_pb2.PassedOut())
        case Surrendered():
            return events_pb2.TableEvent(surrendered=events_pb2.Surrendered())


def encode_event(event: Event) -> bytes:
    """Write an event behind its length, ready for `encode_turn` and `encode_table_over` of any seat."""
    if type(event) is Played:
        if len(event.cards) == 1 and not event.thrown:
            return _encode_single(event.seat, event.cards[0])
    elif type(event) is TrickWon:
        return _encode_trick_won(event.seat, event.points)
    return delimited(event_to_wire(event).SerializeToString())


def event_from_wire(message: events_pb2.TableEvent) -> Event:
    """Read the event of a message; raises `WireError` if it holds none or one that cannot be read."""
    name = message.WhichOneof("event")
    if name is None:
        raise WireError("the table event is empty")
    return _READERS[name](message)


def _announced_to_wire(event: Announced) -> events_pb2.Announced:
    reports = [
        events_pb2.TrumpReport(seat=report.seat, count=report.count, pair=report.pair)
        for report in event.trumps
    ]
    return events_pb2.Announced(void_seats=event.void_seats, trumps=reports)


def _settled_to_wire(event: Settled) -> events_pb2.Settled:
    return events_pb2.Settled(
        defender_points=event.defender_points,
        kitty_multiplier=event.kitty_multiplier,
        buried=cards_to_wire(event.buried),
        play_scores=event.play_scores,
        bonus_scores=event.bonus_scores,
        scores=event.scores,
        next_opener=event.next_opener,
    )


def _read_dealt(message: events_pb2.TableEvent) -> Event:
    return Dealt(message.dealt.opener, message.dealt.redeal)


def _read_bid_made(message: events_pb2.TableEvent) -> Event:
    made = message.bid_made
    return BidMade(made.seat, made.bid if made.HasField("bid") else None)


def _read_passed_out(message: events_pb2.TableEvent) -> Event:
    return PassedOut()


def _read_kitty_shown(message: events_pb2.TableEvent) -> Event:
    shown = message.kitty_shown
    return KittyShown(shown.declarer, shown.bid, cards_from_wire(shown.kitty))


def _read_trump_named(message: events_pb2.TableEvent) -> Event:
    return TrumpNamed(trump_from_wire(message.trump_named.trump))


def _read_surrendered(message: events_pb2.TableEvent) -> Event:
    return Surrendered()


def _read_buried(message: events_pb2.TableEvent) -> Event:
    return Buried()


def _read_played(message: events_pb2.TableEvent) -> Event:
    played = message.played
    return _played(played.seat, played.cards, played.thrown)


def _read_announced(message: events_pb2.TableEvent) -> Event:
    announced = message.announced
    trumps = tuple([TrumpReport(report.seat, report.count, report.pair) for report in announced.trumps])
    return Announced(tuple(announced.void_seats), trumps)


def _read_trick_won(message: events_pb2.TableEvent) -> Event:
    return _trick_won(message.trick_won.seat, message.trick_won.points)


# Of these a table has most, and there are few of them: each is read and written once.


@lru_cache(maxsize=1 << 12)
def _played(seat: int, cards: bytes, thrown: bytes) -> Played:
    return Played(seat, cards_from_wire(cards), cards_from_wire(thrown))


@lru_cache(maxsize=1 << 10)
def _encode_single(seat: int, card: Card) -> bytes:
    return delimited(event_to_wire(Played(seat, (card,))).SerializeToString())


@lru_cache(maxsize=1 << 10)
def _encode_trick_won(seat: int, points: int) -> bytes:
    return delimited(event_to_wire(TrickWon(seat, points)).SerializeToString())


@lru_cache(maxsize=1 << 10)
def _trick_won(seat: int, points: int) -> TrickWon:
    return TrickWon(seat, points)


def _read_settled(message: events_pb2.TableEvent) -> Event:
    settled = message.settled
    return Settled(
        defender_points=settled.defender_points,
        kitty_multiplier=settled.kitty_multiplier,
        buried=cards_from_wire(settled.buried),
        play_scores=tuple(settled.play_scores),
        bonus_scores=tuple(settled.bonus_scores),
        scores=tuple(settled.scores),
        next_opener=settled.next_opener,
    )


_READERS: dict[str, Callable[[events_pb2.TableEvent], Event]] = {
    "dealt": _read_dealt,
    "bid_made": _read_bid_made,
    "passed_out": _read_passed_out,
    "kitty_shown": _read_kitty_shown,
    "trump_named": _read_trump_named,
    "surrendered": _read_surrendered,
    "buried": _read_buried,
    "played": _read_played,
    "announced": _read_announced,
    "trick_won": _read_trick_won,
    "settled": _read_settled,
}
