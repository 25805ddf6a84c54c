"""`BotService`: the stream of one player, from its join to its end."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable
from typing import Protocol

import grpc
from google.protobuf.message import DecodeError

from erqiwang.rules import RULES_VERSION
from erqiwang.v1 import bot_service_pb2
from erqiwang_referee.match import Match
from erqiwang_referee.registry import Place, Registry
from erqiwang_referee.settings import Limits
from erqiwang_referee.stream import Context, Stream

PROTOCOL_VERSION = 1
_CLIENT_MAX = 64
_LOG = logging.getLogger(__name__)


class PlayContext(Context, Protocol):
    """A gRPC context as the service needs it."""

    def abort(self, code: grpc.StatusCode, details: str = "") -> Awaitable[object]:
        """End the call with a status; raises."""
        ...


class BotService:
    """Admits players by their tokens and carries their messages to the match."""

    def __init__(self, registry: Registry, limits: Limits) -> None:
        self._registry = registry
        self._limits = limits

    def handler(self) -> grpc.GenericRpcHandler:
        """Give the gRPC side.

        Messages stay bytes, so that what cannot be read is a fault and not a broken call.
        """
        service = bot_service_pb2.DESCRIPTOR.services_by_name["BotService"]
        method: grpc.RpcMethodHandler[bytes, bytes]
        method = grpc.stream_stream_rpc_method_handler(self.play)
        return grpc.method_handlers_generic_handler(service.full_name, {"Play": method})

    async def play(self, _requests: object, context: PlayContext) -> None:
        """One session, or one return to it."""
        join = await self._first_message(context)
        place = await self._admit(join, context)
        match, player = place.match, place.player
        stream = Stream(context, self._limits.close_ms / 1000)
        self._welcome(join, place, stream)
        reader = asyncio.create_task(_carry(context, stream, place))
        try:
            await stream.pump()
        finally:
            reader.cancel()
            match.break_off(player, stream)
        if stream.breach is not None:
            await context.abort(grpc.StatusCode.FAILED_PRECONDITION, stream.breach)

    async def _first_message(self, context: PlayContext) -> bot_service_pb2.Join:
        try:
            first = await asyncio.wait_for(context.read(), self._limits.first_message_ms / 1000)
        except TimeoutError:
            first = None
        join = _join_of(first)
        if join is None:
            await context.abort(grpc.StatusCode.INVALID_ARGUMENT, "the first message of a stream is a join")
            raise AssertionError("abort raises")
        return join

    async def _admit(self, join: bot_service_pb2.Join, context: PlayContext) -> Place:
        refusal = _version_refusal(join)
        if refusal is not None:
            _LOG.warning("join refused client=%r reason=%r", _client(join), refusal)
            await context.abort(grpc.StatusCode.FAILED_PRECONDITION, refusal)
        place = self._place(join)
        if place is None:
            _LOG.warning("join refused client=%r reason='no such token'", _client(join))
            await context.abort(
                grpc.StatusCode.UNAUTHENTICATED, "the token is unknown, was used before, or came too late"
            )
            raise AssertionError("abort raises")
        return place

    def _place(self, join: bot_service_pb2.Join) -> Place | None:
        if not join.resume_token:
            return self._registry.claim(join.token)
        place = self._registry.claim_return(join.resume_token)
        return place if place is not None and place.match.may_resume(place.player) else None

    def _welcome(self, join: bot_service_pb2.Join, place: Place, stream: Stream) -> None:
        match, player = place.match, place.player
        plan = match.plan
        is_return = bool(join.resume_token)
        terms = match.players[player].terms if is_return else match.terms(join.max_tables, join.full_history)
        joined = bot_service_pb2.Joined(
            session_id=secrets.token_hex(8),
            resume_token=self._registry.promise_return(place),
            profile=plan.profile.slug,
            switches=plan.switches,
            rules_version=RULES_VERSION,
            move_limit_ms=plan.clock.move_limit_ms,
            max_tables=terms.max_tables,
        )
        stream.send(bot_service_pb2.PlayResponse(joined=joined).SerializeToString())
        _LOG.debug("session %s player=%d return=%s", joined.session_id, player, is_return)
        if is_return:
            match.resume(player, stream)
        else:
            match.join(player, stream, terms, _client(join))


async def _carry(context: PlayContext, stream: Stream, place: Place) -> None:
    """Give the match what the player sends, until the player ends its side."""
    match, player = place.match, place.player
    read = context.read
    try:
        while isinstance(data := await read(), bytes):
            match.receive(player, stream, data)
    except Exception:
        _fail(match)
    match.break_off(player, stream)
    stream.close()


def _fail(match: Match) -> None:
    _LOG.exception("match %s: a fault of the referee", match.plan.match_id)
    match.abort("a fault of the referee")


def _join_of(data: object) -> bot_service_pb2.Join | None:
    if not isinstance(data, bytes):
        return None
    try:
        request = bot_service_pb2.PlayRequest.FromString(data)
    except DecodeError:
        return None
    return request.join if request.WhichOneof("request") == "join" else None


def _version_refusal(join: bot_service_pb2.Join) -> str | None:
    if join.protocol_version != PROTOCOL_VERSION:
        return (
            f"protocol version {join.protocol_version} is not served; this referee speaks {PROTOCOL_VERSION}"
        )
    major = RULES_VERSION.partition(".")[0]
    if join.rules_version and join.rules_version.partition(".")[0] != major:
        return f"rules version {join.rules_version} is not served; this referee plays {RULES_VERSION}"
    return None


def _client(join: bot_service_pb2.Join) -> str:
    return "".join(letter for letter in join.client[:_CLIENT_MAX] if letter.isprintable())
