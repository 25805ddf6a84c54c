"""`BotService`: the stream of one player, from its join to its end."""

from __future__ import annotations

import asyncio
import logging
from typing import NoReturn

import grpc
from google.protobuf.message import DecodeError

from erqiwang.v1 import bot_service_pb2
from erqiwang_referee.guest import Guest
from erqiwang_referee.join_rate import JoinRate
from erqiwang_referee.lobby import Lobby
from erqiwang_referee.match import Match
from erqiwang_referee.player import Link
from erqiwang_referee.registry import Place, Registry
from erqiwang_referee.settings import Limits
from erqiwang_referee.stream import PlayContext, Stream
from erqiwang_referee.stream_count import StreamCount
from erqiwang_referee.welcome import Pass, client_text, joined, version_refusal

_LOG = logging.getLogger(__name__)


class BotService:
    """Admits players by their tokens and carries their messages to the match."""

    def __init__(self, registry: Registry, lobby: Lobby, limits: Limits) -> None:
        self._registry = registry
        self._lobby = lobby
        self._limits = limits

    def handler(self, joins: JoinRate | None = None) -> grpc.GenericRpcHandler:
        """Give the gRPC side; `joins` bounds how often one network address may come.

        Messages stay bytes, so that what cannot be read is a fault and not a broken call.
        """
        service = bot_service_pb2.DESCRIPTOR.services_by_name["BotService"]
        counted = StreamCount(self._limits.streams).guard(self.play)
        method: grpc.RpcMethodHandler[bytes, bytes]
        method = grpc.stream_stream_rpc_method_handler(counted if joins is None else joins.guard(counted))
        return grpc.method_handlers_generic_handler(service.full_name, {"Play": method})

    async def play(self, _requests: object, context: PlayContext) -> None:
        """One session, or one return to it."""
        join = await self._first_message(context)
        refusal = version_refusal(join)
        if refusal is not None:
            await _refuse(context, join, grpc.StatusCode.FAILED_PRECONDITION, refusal)
        place = self._place(join)
        if place is None:
            await self._receive_guest(join, await self._recognise(join, context), context)
        elif place.guest is not None:
            await self._receive_guest(join, place.guest, context, place)
        else:
            await self._receive_player(join, place, context)

    async def _receive_player(self, join: bot_service_pb2.Join, place: Place, context: PlayContext) -> None:
        match, player = place.match, place.player
        stream = Stream(context, self._limits.close_ms / 1000)
        self._welcome(join, place, stream, stream)
        reader = asyncio.create_task(_carry(context, stream, place))
        try:
            await stream.pump()
        finally:
            reader.cancel()
            match.break_off(player, stream)
        if stream.breach is not None:
            await context.abort(grpc.StatusCode.FAILED_PRECONDITION, stream.breach)

    async def _receive_guest(
        self, join: bot_service_pb2.Join, who: Pass, context: PlayContext, place: Place | None = None
    ) -> None:
        """Carry a remote bot's stream from match to match."""
        stream = Stream(context, self._limits.close_ms / 1000)
        lobby = self._lobby
        guest = Guest(who, stream, host=lobby, registry=self._registry, limits=self._limits, place=place)
        lobby.enter(guest)
        reader = asyncio.create_task(_carry_guest(context, stream, guest))
        try:
            if place is None:
                lobby.wait(guest)
            else:
                self._welcome(join, place, stream, guest)
            await stream.pump()
        finally:
            reader.cancel()
            guest.break_off()
            lobby.leave(guest)
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

    def _place(self, join: bot_service_pb2.Join) -> Place | None:
        if not join.resume_token:
            return self._registry.claim(join.token)
        place = self._registry.claim_return(join.resume_token)
        return place if place is not None and place.match.may_resume(place.player) else None

    async def _recognise(self, join: bot_service_pb2.Join, context: PlayContext) -> Pass:
        """Tell which remote bot this is, or refuse it."""
        token = None if join.resume_token else self._lobby.recognise(join.token)
        if token is None:
            text = "the token is unknown, was used before, or came too late"
            await _refuse(context, join, grpc.StatusCode.UNAUTHENTICATED, text)
        if self._lobby.is_closed:
            await _refuse(context, join, grpc.StatusCode.UNAVAILABLE, "the referee ends")
        if self._lobby.is_full(token):
            text = f"the token has {self._limits.token_sessions} sessions open, as many as it may"
            await _refuse(context, join, grpc.StatusCode.RESOURCE_EXHAUSTED, text)
        return Pass.of(token, join)

    def _welcome(self, join: bot_service_pb2.Join, place: Place, stream: Stream, link: Link) -> None:
        match, player = place.match, place.player
        is_return = bool(join.resume_token)
        terms = match.players[player].terms if is_return else match.terms(join.max_tables, join.full_history)
        message = joined(match.plan, terms, self._registry.promise_return(place))
        stream.send(bot_service_pb2.PlayResponse(joined=message).SerializeToString())
        _LOG.debug("session %s player=%d return=%s", message.session_id, player, is_return)
        if is_return:
            match.resume(player, link)
        else:
            match.join(player, link, terms, client_text(join))


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


async def _carry_guest(context: PlayContext, stream: Stream, guest: Guest) -> None:
    """Give a remote bot's messages to the match that it plays, or to the lobby."""
    read = context.read
    while isinstance(data := await read(), bytes):
        place = guest.place
        try:
            guest.receive(data)
        except Exception:
            if place is None:
                raise
            _fail(place.match)
    guest.break_off()
    stream.close()


async def _refuse(
    context: PlayContext, join: bot_service_pb2.Join, code: grpc.StatusCode, reason: str
) -> NoReturn:
    _LOG.warning("join refused client=%r reason=%r", client_text(join), reason)
    await context.abort(code, reason)
    raise AssertionError("abort raises")


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
