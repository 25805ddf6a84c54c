"""`MatchService`: plays a match for a runner and tells it everything as it happens."""

from __future__ import annotations

import asyncio
import gc
import logging
from typing import NoReturn

import grpc
from google.protobuf.message import DecodeError

from erqiwang.rules import Fault
from erqiwang.v1 import match_service_pb2
from erqiwang.wire import fault_to_wire
from erqiwang.wire.fields import bytes_tag, delimited
from erqiwang_referee.deadlines import Deadlines
from erqiwang_referee.doors import Doors
from erqiwang_referee.errors import SpecError
from erqiwang_referee.exits import Exit
from erqiwang_referee.gate import Gate
from erqiwang_referee.lobby import Lobby
from erqiwang_referee.match import Match, Outcome, Reporter
from erqiwang_referee.meter import Meter
from erqiwang_referee.plan import DIGEST_BYTES, MatchPlan, plan_match
from erqiwang_referee.registry import Place, Registry
from erqiwang_referee.runner_guard import RunnerGuard
from erqiwang_referee.settings import Limits
from erqiwang_referee.stream import PlayContext, Stream
from erqiwang_referee.table import Table
from erqiwang_referee.ticker import Ticker
from erqiwang_referee.timekeeper import Timekeeper
from erqiwang_referee.turning_away import turn_away

_LOG = logging.getLogger(__name__)
_RECORD = bytes_tag(match_service_pb2.TableFinished.DESCRIPTOR, "record")
_TABLE_FINISHED = bytes_tag(match_service_pb2.RunMatchResponse.DESCRIPTOR, "table_finished")
_TABLE_MOVED = bytes_tag(match_service_pb2.RunMatchResponse.DESCRIPTOR, "table_moved")
_OUTCOMES = {
    Outcome.COMPLETED: match_service_pb2.MATCH_OUTCOME_COMPLETED,
    Outcome.VOID: match_service_pb2.MATCH_OUTCOME_VOID,
}


class MatchService:
    """Runs matches, several at once if asked to."""

    def __init__(
        self,
        registry: Registry,
        lobby: Lobby,
        gate: Gate,
        *,
        timekeeper: Timekeeper,
        deadlines: Deadlines,
        limits: Limits,
        meter: Meter | None = None,
    ) -> None:
        self._registry = registry
        self._lobby = lobby
        self._gate = gate
        self._meter = meter
        self._timekeeper = timekeeper
        self._deadlines = deadlines
        self._limits = limits
        self._matches: list[Match] = []
        self._ticker = Ticker(timekeeper, deadlines, limits.tick_ms / 1000, self.abort_all)

    def handler(self, doors: Doors, runners: RunnerGuard | None = None) -> grpc.GenericRpcHandler:
        """Give the gRPC side: players come in by `doors`, `runners` says who may have matches played."""

        async def run_match(_requests: object, context: PlayContext) -> None:
            await self.run_match(doors, context)

        service = match_service_pb2.DESCRIPTOR.services_by_name["MatchService"]
        method: grpc.RpcMethodHandler[bytes, bytes]
        method = grpc.stream_stream_rpc_method_handler(
            run_match if runners is None else runners.guard(run_match)
        )
        return grpc.method_handlers_generic_handler(service.full_name, {"RunMatch": method})

    def abort_all(self, detail: str) -> None:
        """End every match without a result."""
        for match in list(self._matches):
            match.abort(detail)

    async def run_match(self, doors: Doors, context: PlayContext) -> None:
        """One match; the end of the call is the end of the match."""
        await self._refuse_if_closed(context)
        plan = await self._plan(context)
        await self._refuse_if_closed(context)
        stream = Stream(context, self._limits.close_ms / 1000)
        match = Match(
            plan,
            reporter=self._reporter(plan, stream),
            timekeeper=self._timekeeper,
            deadlines=self._deadlines,
            limits=self._limits,
            later=asyncio.get_running_loop().call_later,
        )
        addresses = doors.open(sum(not player.remote for player in plan.players))
        self._matches.append(match)
        self._gate.enter()
        self._ticker.start()
        try:
            self._open(match, addresses, stream)
            await self._attend(match, context, stream)
        finally:
            match.abort("the runner is gone")
            self._ticker.stop()
            self._matches.remove(match)
            self._registry.forget(match)
            self._lobby.forget(match)
            doors.close(addresses)
            self._gate.leave()
            if not self._matches:
                # A match is full of cycles, and between matches nobody waits for the collector.
                asyncio.get_running_loop().call_soon(gc.collect)

    async def _refuse_if_closed(self, context: PlayContext) -> None:
        refusal = self._gate.refusal()
        if refusal is not None:
            await turn_away(context, *refusal)

    async def _plan(self, context: PlayContext) -> MatchPlan:
        request = _request_of(await context.read())
        if request is None or request.WhichOneof("request") != "spec":
            await _refuse(context, "the first message of a match is its spec")
        try:
            plan = plan_match(request.spec, self._limits.tables_in_flight)
        except SpecError as error:
            await _refuse(context, str(error))
        for index, player in enumerate(plan.players):
            if player.remote and not self._lobby.knows(player.token_sha256):
                await _refuse(context, f"players[{index}].token_sha256: no API token of a bot has it here")
            if not player.remote and self._registry.expects(player.token_sha256):
                await _refuse(context, "players: a token_sha256 belongs to another match")
        return plan

    def _reporter(self, plan: MatchPlan, stream: Stream) -> Reporter:
        report = _Report(plan, stream)
        return report if self._meter is None else self._meter.listen(report)

    def _open(self, match: Match, addresses: list[str], stream: Stream) -> None:
        own = iter(addresses)
        targets: list[str] = []
        for index, player in enumerate(match.plan.players):
            targets.append("" if player.remote else next(own))
            if not player.remote:
                self._registry.expect(player.token_sha256, Place(match, index))
        opened = match_service_pb2.MatchOpened(addresses=targets)
        stream.send(match_service_pb2.RunMatchResponse(match_opened=opened).SerializeToString())
        match.open()
        self._lobby.invite(match)

    async def _attend(self, match: Match, context: PlayContext, stream: Stream) -> None:
        reader = asyncio.create_task(self._listen(match, context, stream))
        try:
            await stream.pump()
        finally:
            reader.cancel()
        if stream.breach is not None:
            await _refuse(context, stream.breach)

    async def _listen(self, match: Match, context: PlayContext, stream: Stream) -> None:
        """Take what the runner learns, until it ends its side."""
        while isinstance(data := await context.read(), bytes):
            try:
                self._obey(match, _request_of(data))
            except SpecError as error:
                match.abort(f"the runner sent what cannot be: {error}")
                stream.close(str(error))
            except Exception:
                _LOG.exception("match %s: a fault of the referee", match.plan.match_id)
                match.abort("a fault of the referee")

    def _obey(self, match: Match, request: match_service_pb2.RunMatchRequest | None) -> None:
        if request is None:
            raise SpecError("a message that cannot be read")
        match request.WhichOneof("request"):
            case "player_exited":
                exited = request.player_exited
                match.exited(_player(match, exited.player), _exit_of(exited))
            case "player_restarted":
                restarted = request.player_restarted
                self._restart(match, _player(match, restarted.player), restarted.token_sha256)
            case "player_started":
                started = request.player_started
                match.started(_player(match, started.player), started.pid)
            case "spec":
                raise SpecError("a match has one spec")
            case None:
                raise SpecError("a message that says nothing")

    def _restart(self, match: Match, player: int, digest: bytes) -> None:
        if len(digest) != DIGEST_BYTES:
            raise SpecError(f"player_restarted.token_sha256: {DIGEST_BYTES} bytes")
        if self._registry.expects(digest):
            raise SpecError("player_restarted.token_sha256: it was promised before")
        if match.restarted(player):
            self._registry.expect(digest, Place(match, player))


class _Report:
    """Writes what happens to the runner's stream and to the log."""

    def __init__(self, plan: MatchPlan, stream: Stream) -> None:
        self._plan = plan
        self._stream = stream
        self._decisions = 0

    def joined(self, player: int, client: str) -> None:
        joined = match_service_pb2.PlayerJoined(player=player, client=client)
        self._send(match_service_pb2.RunMatchResponse(player_joined=joined))

    def table_moved(self, table: Table) -> None:
        self._stream.send(_TABLE_MOVED + delimited(table.encode_news()))

    def table_finished(self, table: Table) -> None:
        self._decisions += table.decision_count
        finished = match_service_pb2.TableFinished(table=table.index, forfeited_seats=table.forfeited_seats)
        body = finished.SerializeToString() + _RECORD + delimited(table.encode_record())
        self._stream.send(_TABLE_FINISHED + delimited(body))
        _LOG.debug("table finished record=%r scores=%s", table.plan.record_id, table.scores)

    def faulted(self, player: int, table: int | None, fault: Fault) -> None:
        faulted = match_service_pb2.PlayerFaulted(player=player, table=table, fault=fault_to_wire(fault))
        self._send(match_service_pb2.RunMatchResponse(player_faulted=faulted))
        record_id = "" if table is None else self._plan.tables[table].record_id
        _LOG.info(
            "fault match=%r player=%d label=%r record=%r cause=%s detail=%r",
            self._plan.match_id,
            player,
            self._plan.players[player].label,
            record_id,
            fault.cause.name.lower(),
            fault.detail,
        )

    def finished(self, outcome: Outcome, detail: str, messages: int) -> None:
        finished = match_service_pb2.MatchFinished(outcome=_OUTCOMES[outcome], detail=detail)
        self._send(match_service_pb2.RunMatchResponse(match_finished=finished))
        self._stream.close()
        _LOG.info(
            "match finished match=%r outcome=%s decisions=%d messages=%d detail=%r",
            self._plan.match_id,
            outcome.name.lower(),
            self._decisions,
            messages,
            detail,
        )

    def _send(self, response: match_service_pb2.RunMatchResponse) -> None:
        self._stream.send(response.SerializeToString())


def _request_of(data: object) -> match_service_pb2.RunMatchRequest | None:
    if not isinstance(data, bytes):
        return None
    try:
        return match_service_pb2.RunMatchRequest.FromString(data)
    except DecodeError:
        return None


def _player(match: Match, index: int) -> int:
    if index >= len(match.players):
        raise SpecError(f"player {index}: there are {len(match.players)}")
    return index


def _exit_of(exited: match_service_pb2.PlayerExited) -> Exit:
    return Exit(
        code=exited.code if exited.HasField("code") else None,
        signal=exited.signal if exited.HasField("signal") else None,
        out_of_memory=exited.out_of_memory,
        by_us=exited.by_us,
    )


async def _refuse(context: PlayContext, detail: str) -> NoReturn:
    await context.abort(grpc.StatusCode.INVALID_ARGUMENT, detail)
    raise AssertionError("abort raises")
