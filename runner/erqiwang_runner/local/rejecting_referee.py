"""A referee of one table that once takes the fallback in place of a good answer, and says so.

That is what a late answer meets. A bot that believes that its own plays always happen is found out here.
"""

from __future__ import annotations

import json
import os
import queue
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from erqiwang.deals import board_seed, deal_board, master_key
from erqiwang.rules import (
    RULES_VERSION,
    Action,
    Bid,
    Event,
    FaultCause,
    Finished,
    Profile,
    RuleViolation,
    State,
    Turn,
    TurnKind,
    apply,
    fallback,
    open_table,
)
from erqiwang_runner.stage import clean_environment

if TYPE_CHECKING:
    from erqiwang.v1.bot_service_pb2 import Decision, PlayRequest, PlayResponse

_SERVICE: Final = "erqiwang.v1.BotService"
_SEAT: Final = 0
_MOVE_LIMIT_MS: Final = 5_000
_PATIENCE_S: Final = 60.0
_END_PATIENCE_S: Final = 10.0


def play_with_rejection(command: Sequence[str], options: Mapping[str, str], profile: Profile) -> str | None:
    """Play a table with a bot whose first play is not applied; gives what it did wrong, or None."""
    folder = Path(tempfile.mkdtemp(prefix="erqi-check-", dir="/tmp"))
    socket = f"unix:{folder}/bot.sock"
    # Started before gRPC is here; it tries until somebody answers.
    bot = _start(command, options, socket, folder)
    try:
        return _serve(socket, profile, bot)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(bot.pid, signal.SIGKILL)
        bot.wait()
        shutil.rmtree(folder, ignore_errors=True)


def _start(
    command: Sequence[str], options: Mapping[str, str], referee: str, folder: Path
) -> subprocess.Popen[bytes]:
    more = {"ERQI_REFEREE": referee, "ERQI_TOKEN": "check", "HOME": str(folder)}
    if options:
        more["ERQI_OPTIONS"] = json.dumps(dict(options))
    return subprocess.Popen(
        command,
        cwd=folder,
        env=clean_environment(more),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def _serve(socket: str, profile: Profile, bot: subprocess.Popen[bytes]) -> str | None:
    import grpc

    from erqiwang.v1 import bot_service_pb2 as wire

    table = _OneTable(profile)
    server = grpc.server(ThreadPoolExecutor(2))
    play = grpc.stream_stream_rpc_method_handler(
        table.serve, wire.PlayRequest.FromString, wire.PlayResponse.SerializeToString
    )
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(_SERVICE, {"Play": play}),))
    server.add_insecure_port(socket)
    server.start()
    try:
        verdict = table.verdict.get(timeout=_PATIENCE_S)
        if verdict is None:
            bot.wait(_END_PATIENCE_S)
    except queue.Empty:
        return "it did not finish the table"
    except subprocess.TimeoutExpired:
        return f"it did not end within {_END_PATIENCE_S:g} s of the goodbye"
    else:
        return verdict
    finally:
        server.stop(None)


class _OneTable:
    """Serves `BotService.Play` for one table."""

    def __init__(self, profile: Profile) -> None:
        self.verdict: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        deal = deal_board(profile, board_seed(master_key("check"), 0))
        self._profile = profile
        self._state: State
        self._state, events = open_table(profile, (deal,))
        self._unseen: list[Event] = list(events)
        self._turn_id = 0
        self._rejected = False

    def serve(self, requests: Iterator[PlayRequest], context: object) -> Iterator[PlayResponse]:
        """Play the table over this stream."""
        try:
            yield from self._play(requests)
            self.verdict.put(None)
        except _Wrong as error:
            self.verdict.put(str(error))
        except StopIteration:
            self.verdict.put("it left before the table was over")
        except Exception as error:  # the stream broke
            self.verdict.put(f"its stream broke: {type(error).__name__}")

    def _play(self, requests: Iterator[PlayRequest]) -> Iterator[PlayResponse]:
        from erqiwang.v1 import bot_service_pb2 as wire
        from erqiwang.wire import event_to_wire

        if next(requests, None) is None:
            raise _Wrong("it left before it joined")
        yield wire.PlayResponse(
            joined=wire.Joined(
                session_id="check",
                resume_token="check",
                profile=self._profile.slug,
                switches=dict(self._profile.switches),
                rules_version=RULES_VERSION,
                move_limit_ms=_MOVE_LIMIT_MS,
                max_tables=1,
            )
        )
        opened = wire.TableOpened(table_id=1, seat=_SEAT, room=1, seed=bytes(32))
        yield wire.PlayResponse(tables_opened=wire.TablesOpened(tables=[opened]))
        while (turn := self._state.turn) is not None:
            if turn.seat != _SEAT:
                self._apply(turn, self._answer_of_others(turn))
                continue
            yield self._ask(turn)
            yield from self._take(turn, self._next_decision(requests))
        assert isinstance(self._state, Finished)
        over = wire.TableOver(table_id=1, events=[event_to_wire(event) for event in self._unseen])
        yield wire.PlayResponse(tables_over=wire.TablesOver(tables=[over]))
        yield wire.PlayResponse(match_over=wire.MatchOver(tables=1, points=self._state.scores[_SEAT]))
        yield wire.PlayResponse(goodbye=wire.Goodbye(reason="the check is over"))

    def _ask(self, turn: Turn) -> PlayResponse:
        from erqiwang.v1 import bot_service_pb2 as wire
        from erqiwang.wire import WantedTurn, encode_event, encode_turn, encode_turns

        self._turn_id += 1
        wanted = WantedTurn(
            table_id=1,
            turn_id=self._turn_id,
            kind=turn.kind,
            may_surrender=turn.may_surrender,
            hand=self._state.hand(_SEAT),
            events=[encode_event(event) for event in self._unseen],
            fallback=fallback(self._state),
            move_limit_ms=_MOVE_LIMIT_MS,
        )
        self._unseen.clear()
        return wire.PlayResponse.FromString(encode_turns([encode_turn(wanted)]))

    def _next_decision(self, requests: Iterator[PlayRequest]) -> Decision:
        while (request := next(requests, None)) is not None:
            for decision in request.decisions.decisions:
                if decision.turn_id == self._turn_id:
                    return decision
                raise _Wrong(f"it answered turn {decision.turn_id} when turn {self._turn_id} was open")
        raise _Wrong("it left after a rejected answer" if self._rejected else "it left in the middle of play")

    def _take(self, turn: Turn, decision: Decision) -> Iterator[PlayResponse]:
        from erqiwang.errors import WireError
        from erqiwang.v1 import bot_service_pb2 as wire
        from erqiwang.wire import action_from_wire, rejection_to_wire

        when = "after a rejected answer" if self._rejected else "before anything was rejected"
        instead = fallback(self._state)
        try:
            action = action_from_wire(decision.action, instead)
            if turn.kind is TurnKind.PLAY and not self._rejected:
                self._rejected = True
                rejection = rejection_to_wire(
                    self._turn_id, FaultCause.TIMED_OUT_MOVE, "the answer came too late"
                )
                yield wire.PlayResponse(rejections=wire.Rejections(rejections=[rejection]))
                action = instead
            self._apply(turn, action)
        except WireError as error:
            raise _Wrong(f"{when} it sent what cannot be read: {error}") from None
        except RuleViolation as error:
            raise _Wrong(f"{when} it played against the rules: {error}") from None

    def _answer_of_others(self, turn: Turn) -> Action:
        """Bid once, so that there is play; all else by the fallback."""
        if turn.kind is TurnKind.BID:
            bids = self._state.view(turn.seat)
            if bids.standing_bid is None:
                return Bid(bids.legal_bids()[0])
        return fallback(self._state)

    def _apply(self, turn: Turn, action: Action) -> None:
        self._state, events = apply(self._state, turn.seat, action)
        self._unseen += events


class _Wrong(Exception):
    """The bot did something that it should not have done."""
