"""The messages of play, joined from bytes: what a referee sends and a bot answers many times a second.

A public event is encoded once for all seats; each message to a player repeats those bytes. What the generated
code reads from the result is the message it would have written itself, at several times the time::

    history.append(encode_event(event))                                  # once a table
    turns.append(encode_turn(WantedTurn(..., events=history[seen:])))    # once a decision
    await stream.write(encode_turns(turns))                              # once a message

The gRPC method then needs no response serializer: the bytes are the message. Messages that are rare are built
from the generated classes and written with `SerializeToString()`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from erqiwang.rules import Action, Card, Play, TurnKind
from erqiwang.v1 import bot_service_pb2
from erqiwang.wire.actions import encode_action
from erqiwang.wire.cards import cards_to_wire
from erqiwang.wire.fields import BYTE, bytes_tag, delimited, varint, varint_tag

_TURN = bot_service_pb2.Turn.DESCRIPTOR
_TURN_TABLE = varint_tag(_TURN, "table_id")
_TURN_ID = varint_tag(_TURN, "turn_id")
_TURN_KIND = varint_tag(_TURN, "kind")
_TURN_MAY_SURRENDER = varint_tag(_TURN, "may_surrender") + b"\x01"
_TURN_HAND = bytes_tag(_TURN, "hand")
_TURN_EVENTS = bytes_tag(_TURN, "events")
_TURN_FALLBACK = bytes_tag(_TURN, "fallback")
_TURN_MOVE_LIMIT = varint_tag(_TURN, "move_limit_ms")
_TURN_BANK = varint_tag(_TURN, "bank_ms")
_SINGLE_FALLBACKS = {card: _TURN_FALLBACK + delimited(encode_action(Play((card,)))) for card in Card}
_PLAYS_WANTED = tuple(
    _TURN_KIND + BYTE[TurnKind.PLAY.value] + _TURN_HAND + varint(size) for size in range(len(Card) * 2 + 1)
)
"""What a `Turn` says of a play that is wanted, up to the hand, by the size of the hand."""
_TURNS_TURNS = bytes_tag(bot_service_pb2.Turns.DESCRIPTOR, "turns")

_OVER_TABLE = varint_tag(bot_service_pb2.TableOver.DESCRIPTOR, "table_id")
_OVER_EVENTS = bytes_tag(bot_service_pb2.TableOver.DESCRIPTOR, "events")
_OVERS_TABLES = bytes_tag(bot_service_pb2.TablesOver.DESCRIPTOR, "tables")

_RESPONSE_TURNS = bytes_tag(bot_service_pb2.PlayResponse.DESCRIPTOR, "turns")
_RESPONSE_TABLES_OVER = bytes_tag(bot_service_pb2.PlayResponse.DESCRIPTOR, "tables_over")

_DECISION_TURN = varint_tag(bot_service_pb2.Decision.DESCRIPTOR, "turn_id")
_DECISION_ACTION = bytes_tag(bot_service_pb2.Decision.DESCRIPTOR, "action")
_DECISIONS_DECISIONS = bytes_tag(bot_service_pb2.Decisions.DESCRIPTOR, "decisions")
_REQUEST_DECISIONS = bytes_tag(bot_service_pb2.PlayRequest.DESCRIPTOR, "decisions")


@dataclass(frozen=True, slots=True)
class WantedTurn:
    """One decision that a referee wants: the content of a `Turn` message.

    `events` are encoded by `encode_event`; times are in milliseconds, `bank_ms` None without a bank.
    """

    table_id: int
    turn_id: int
    kind: TurnKind
    may_surrender: bool
    hand: Sequence[Card]
    events: Sequence[bytes]
    fallback: Action
    move_limit_ms: int
    bank_ms: int | None = None


def encode_turn(turn: WantedTurn) -> bytes:
    """Write the bytes of one `Turn`."""
    return join_turn(
        encode_turn_head(turn.table_id),
        turn.turn_id,
        encode_turn_kind(turn.kind, turn.may_surrender, len(turn.hand)),
        cards_to_wire(turn.hand),
        turn.events,
        turn.fallback,
        encode_turn_tail(turn.move_limit_ms, turn.bank_ms),
    )


def encode_turn_head(table_id: int) -> bytes:
    """Write the part of a `Turn` that is the same for all turns of a table."""
    return _TURN_TABLE + varint(table_id) + _TURN_ID


def encode_turn_kind(kind: TurnKind, may_surrender: bool, hand_size: int) -> bytes:
    """Write the part of a `Turn` that says what is wanted of a hand of so many cards."""
    if kind is TurnKind.PLAY and not may_surrender and hand_size < len(_PLAYS_WANTED):
        return _PLAYS_WANTED[hand_size]
    surrender = _TURN_MAY_SURRENDER if may_surrender else b""
    return _TURN_KIND + BYTE[kind.value] + surrender + _TURN_HAND + varint(hand_size)


def encode_turn_tail(move_limit_ms: int, bank_ms: int | None) -> bytes:
    """Write the part of a `Turn` that is its time."""
    bank = b"" if bank_ms is None else _TURN_BANK + varint(bank_ms)
    return _TURN_MOVE_LIMIT + varint(move_limit_ms) + bank


def join_turn(
    head: bytes,
    turn_id: int,
    kind: bytes,
    hand: bytes,
    events: Sequence[bytes],
    fallback: Action,
    tail: bytes,
) -> bytes:
    """Write one `Turn` from parts that were written before: what `encode_turn` does in one go."""
    history = _TURN_EVENTS + _TURN_EVENTS.join(events) if events else b""
    if type(fallback) is Play and len(fallback.cards) == 1:
        instead = _SINGLE_FALLBACKS[fallback.cards[0]]
    else:
        instead = _TURN_FALLBACK + delimited(encode_action(fallback))
    return b"".join((head, varint(turn_id), kind, hand, history, instead, tail))


def encode_turns(turns: Iterable[bytes]) -> bytes:
    """Write the `PlayResponse` that asks for many decisions, from what `encode_turn` gave."""
    return _RESPONSE_TURNS + delimited(_repeated(_TURNS_TURNS, turns))


def encode_table_over(table_id: int, events: Sequence[bytes]) -> bytes:
    """Write the bytes of one `TableOver`; the events are encoded by `encode_event`."""
    head = _OVER_TABLE + varint(table_id)
    return head + _OVER_EVENTS + _OVER_EVENTS.join(events) if events else head


def encode_tables_over(tables: Iterable[bytes]) -> bytes:
    """Write the `PlayResponse` of tables that ended, from what `encode_table_over` gave."""
    return _RESPONSE_TABLES_OVER + delimited(_repeated(_OVERS_TABLES, tables))


def encode_decision(turn_id: int, action: Action) -> bytes:
    """Write the bytes of one `Decision`."""
    return _DECISION_TURN + varint(turn_id) + _DECISION_ACTION + delimited(encode_action(action))


def encode_decisions(decisions: Iterable[bytes]) -> bytes:
    """Write the `PlayRequest` of many decisions, from what `encode_decision` gave."""
    return _REQUEST_DECISIONS + delimited(_repeated(_DECISIONS_DECISIONS, decisions))


def _repeated(tag: bytes, bodies: Iterable[bytes]) -> bytes:
    return b"".join([part for body in bodies for part in (tag, varint(len(body)), body)])
