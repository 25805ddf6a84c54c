"""What a player does, on the wire."""

from __future__ import annotations

from erqiwang.errors import WireError
from erqiwang.rules import Action, Bid, Bury, NameTrump, Play, Surrender
from erqiwang.v1 import bot_service_pb2
from erqiwang.wire.cards import cards_from_wire, trump_from_wire
from erqiwang.wire.fields import bytes_tag, delimited, varint, varint_tag

_ACTION = bot_service_pb2.Action.DESCRIPTOR
_BID = varint_tag(_ACTION, "bid")
_PASS = varint_tag(_ACTION, "pass") + b"\x01"
_TRUMP = varint_tag(_ACTION, "trump")
_BURY = bytes_tag(_ACTION, "bury")
_PLAY = bytes_tag(_ACTION, "play")
_SURRENDER = varint_tag(_ACTION, "surrender") + b"\x01"


def action_to_wire(action: Action) -> bot_service_pb2.Action:
    """Build the message of an action."""
    return bot_service_pb2.Action.FromString(encode_action(action))


def encode_action(action: Action) -> bytes:
    """Write the bytes of an `Action`."""
    if isinstance(action, Play):
        return _PLAY + delimited(bytes(action.cards))
    if isinstance(action, Bid):
        return _PASS if action.value is None else _BID + varint(action.value)
    if isinstance(action, Bury):
        return _BURY + delimited(bytes(action.cards))
    if isinstance(action, NameTrump):
        return _TRUMP + varint(action.trump.value)
    return _SURRENDER


def action_from_wire(message: bot_service_pb2.Action, fallback: Action) -> Action:
    """Read the action that a message asks for, `fallback` if it says `use_fallback`.

    Raises `WireError` if the message holds no action, or a card or a trump that does not exist.
    Whether the action is legal is the rule book's question.
    """
    match message.WhichOneof("action"):
        case "use_fallback":
            return fallback
        case "play":
            return Play(cards_from_wire(message.play))
        case "bid":
            return Bid(message.bid)
        case "pass":
            return Bid(None)
        case "trump":
            return NameTrump(trump_from_wire(message.trump))
        case "bury":
            return Bury(cards_from_wire(message.bury))
        case "surrender":
            return Surrender()
        case None:
            raise WireError("the decision holds no action")
