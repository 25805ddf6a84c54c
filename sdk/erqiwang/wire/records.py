"""Records on the wire: the same content as their JSON form, each converts to the other without loss."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from erqiwang.errors import WireError
from erqiwang.rules import (
    Announcement,
    BidMade,
    Card,
    DecidedBy,
    DecisionTime,
    PassedDeal,
    PassOut,
    Record,
    Trick,
    TrumpReport,
)
from erqiwang.v1 import cards_pb2, record_pb2
from erqiwang.wire.cards import cards_from_wire, cards_to_wire, trump_from_wire, trump_to_wire
from erqiwang.wire.faults import fault_from_wire, fault_to_wire
from erqiwang.wire.fields import BYTE, bytes_tag, delimited, varint, varint_tag

_MICROS = 1000
_MICROS_MAX = 2**32 - 1
_RECORD_TRICKS = bytes_tag(record_pb2.Record.DESCRIPTOR, "tricks")
_TRICK_LEADER = varint_tag(record_pb2.Trick.DESCRIPTOR, "leader")
_TRICK_PLAYS = bytes_tag(record_pb2.Trick.DESCRIPTOR, "plays")
_TRICK_WINNER = varint_tag(record_pb2.Trick.DESCRIPTOR, "winner")
_RECORD_DECISIONS = bytes_tag(record_pb2.Record.DESCRIPTOR, "decisions")
_DECISION_SEAT = varint_tag(record_pb2.DecisionTime.DESCRIPTOR, "seat")
_DECISION_MICROS = varint_tag(record_pb2.DecisionTime.DESCRIPTOR, "micros")
_DECISION_BY = varint_tag(record_pb2.DecisionTime.DESCRIPTOR, "decided_by")
_UNNAMED = cards_pb2.TRUMP_UNSPECIFIED


def record_to_wire(record: Record) -> record_pb2.Record:
    """Build the message of a record; times are kept to the microsecond."""
    message = _frame_to_wire(record)
    message.tricks.extend([_trick_to_wire(trick) for trick in record.tricks])
    message.decisions.extend([_decision_to_wire(decision) for decision in record.decisions])
    return message


def _frame_to_wire(record: Record) -> record_pb2.Record:
    """Build the message of a record without its tricks and decisions, which are most of it."""
    return record_pb2.Record(
        profile=record.profile,
        switches=record.switches,
        rules_version=record.rules_version,
        room=record.room,
        pass_out=record_pb2.PassOut.ValueType(record.pass_out.value),
        id=record.id,
        opener=record.opener,
        hands=_hands_to_wire(record.hands),
        kitty=cards_to_wire(record.kitty),
        redeals=[_redeal_to_wire(redeal) for redeal in record.redeals],
        auction=_auction_to_wire(record.auction),
        declarer=record.declarer,
        bid=record.bid,
        trump=_UNNAMED if record.trump is None else trump_to_wire(record.trump),
        buried=None if record.buried is None else cards_to_wire(record.buried),
        surrender=record.surrender,
        announcements=[_announcement_to_wire(announcement) for announcement in record.announcements],
        kitty_multiplier=record.kitty_multiplier,
        defender_points=record.defender_points,
        play_scores=record.play_scores,
        bonus_scores=record.bonus_scores,
        scores=record.scores,
        next_opener=record.next_opener,
        charm=record.charm,
        faults=[fault_to_wire(fault) for fault in record.faults],
    )


def encode_record(record: Record, times: bytes) -> bytes:
    """Write the bytes of a record; its decisions are what `encode_time` gave, one after another."""
    frame = _frame_to_wire(record).SerializeToString()
    tricks = [_encode_trick(trick) for trick in record.tricks]
    return b"".join((frame, *tricks, times))


def encode_time(seat: int, seconds: float, by: DecidedBy) -> bytes:
    """Write the bytes of one decision of a record, as its field."""
    return _encode_bot_time(seat, seconds) if by is DecidedBy.BOT else _encode_time(seat, seconds, by)


def record_from_wire(message: record_pb2.Record) -> Record:
    """Read the record of a message; raises `WireError` for anything that cannot be read.

    Whether the record is true is asked of the rule book (`verify_record`).
    """
    return Record(
        profile=message.profile,
        switches=dict(sorted(message.switches.items())),
        rules_version=message.rules_version,
        room=message.room,
        pass_out=_pass_out(message.pass_out),
        id=message.id,
        opener=message.opener,
        hands=_hands_from_wire(message.hands),
        kitty=cards_from_wire(message.kitty),
        redeals=tuple([_redeal_from_wire(redeal) for redeal in message.redeals]),
        auction=_auction_from_wire(message.auction),
        declarer=message.declarer if message.HasField("declarer") else None,
        bid=message.bid if message.HasField("bid") else None,
        trump=trump_from_wire(message.trump) if message.trump else None,
        buried=cards_from_wire(message.buried) if message.HasField("buried") else None,
        surrender=message.surrender,
        tricks=tuple([_trick_from_wire(trick) for trick in message.tricks]),
        announcements=tuple([_announcement_from_wire(each) for each in message.announcements]),
        kitty_multiplier=message.kitty_multiplier,
        defender_points=message.defender_points,
        play_scores=tuple(message.play_scores),
        bonus_scores=tuple(message.bonus_scores),
        scores=tuple(message.scores),
        next_opener=message.next_opener,
        charm=tuple(message.charm),
        faults=tuple([fault_from_wire(fault) for fault in message.faults]),
        decisions=tuple([_decision_from_wire(decision) for decision in message.decisions]),
    )


def _hands_to_wire(hands: Iterable[Iterable[Card]]) -> list[bytes]:
    return [cards_to_wire(hand) for hand in hands]


def _hands_from_wire(hands: Iterable[bytes]) -> tuple[tuple[Card, ...], ...]:
    return tuple([cards_from_wire(hand) for hand in hands])


def _auction_to_wire(auction: Iterable[BidMade]) -> list[record_pb2.AuctionCall]:
    return [record_pb2.AuctionCall(seat=call.seat, bid=call.bid) for call in auction]


def _auction_from_wire(calls: Iterable[record_pb2.AuctionCall]) -> tuple[BidMade, ...]:
    return tuple([BidMade(call.seat, call.bid if call.HasField("bid") else None) for call in calls])


def _redeal_to_wire(redeal: PassedDeal) -> record_pb2.Redeal:
    return record_pb2.Redeal(
        opener=redeal.opener,
        hands=_hands_to_wire(redeal.hands),
        kitty=cards_to_wire(redeal.kitty),
        auction=_auction_to_wire(redeal.auction),
    )


def _redeal_from_wire(message: record_pb2.Redeal) -> PassedDeal:
    return PassedDeal(
        opener=message.opener,
        hands=_hands_from_wire(message.hands),
        kitty=cards_from_wire(message.kitty),
        auction=_auction_from_wire(message.auction),
    )


def _trick_to_wire(trick: Trick) -> record_pb2.Trick:
    return record_pb2.Trick(leader=trick.leader, plays=_hands_to_wire(trick.plays), winner=trick.winner)


def _trick_from_wire(message: record_pb2.Trick) -> Trick:
    return Trick(message.leader, _hands_from_wire(message.plays), message.winner)


def _announcement_to_wire(announcement: Announcement) -> record_pb2.Announcement:
    return record_pb2.Announcement(
        after_trick=announcement.after_trick,
        after_play=announcement.after_play,
        void_seats=announcement.void_seats,
        trumps=[
            record_pb2.TrumpHolding(seat=report.seat, count=report.count, pair=report.pair)
            for report in announcement.trumps
        ],
    )


def _announcement_from_wire(message: record_pb2.Announcement) -> Announcement:
    return Announcement(
        message.after_trick,
        message.after_play,
        tuple(message.void_seats),
        tuple([TrumpReport(report.seat, report.count, report.pair) for report in message.trumps]),
    )


def _decision_to_wire(decision: DecisionTime) -> record_pb2.DecisionTime:
    return record_pb2.DecisionTime(
        seat=decision.seat,
        micros=round(decision.ms * _MICROS),
        decided_by=record_pb2.DecidedBy.ValueType(decision.by.value),
    )


def _encode_trick(trick: Trick) -> bytes:
    leader, plays, winner = trick
    body = [_TRICK_LEADER, BYTE[leader], *map(_encode_play, plays), _TRICK_WINNER, BYTE[winner]]
    return _RECORD_TRICKS + delimited(b"".join(body))


@lru_cache(maxsize=1 << 12)
def _encode_play(cards: tuple[Card, ...]) -> bytes:
    """Write one play of a trick: most are of one card."""
    return _TRICK_PLAYS + delimited(bytes(cards))


def _encode_time(seat: int, seconds: float, by: DecidedBy) -> bytes:
    micros = varint(min(round(seconds * 1_000_000), _MICROS_MAX))
    body = b"".join((_DECISION_SEAT, BYTE[seat], _DECISION_MICROS, micros, _DECISION_BY, BYTE[by.value]))
    return _RECORD_DECISIONS + delimited(body)


@lru_cache(maxsize=1 << 6)
def _encode_bot_time(seat: int, seconds: float) -> bytes:
    """Write what a bot was charged: the decisions of one message share one figure."""
    return _encode_time(seat, seconds, DecidedBy.BOT)


def _decision_from_wire(message: record_pb2.DecisionTime) -> DecisionTime:
    try:
        by = DecidedBy(message.decided_by)
    except ValueError:
        raise WireError(f"nobody has the number {message.decided_by} among those who decide") from None
    return DecisionTime(message.seat, message.micros / _MICROS, by)


def _pass_out(number: int) -> PassOut:
    try:
        return PassOut(number)
    except ValueError:
        raise WireError(f"no way to pass out has the number {number}") from None
