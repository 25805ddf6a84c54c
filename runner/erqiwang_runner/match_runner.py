"""Playing one claim: sixteen players, one referee, whole board sets into the store."""

from __future__ import annotations

import json
import queue
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Final, Protocol

from erqiwang.rules import Dealt
from erqiwang.v1 import match_service_pb2 as wire
from erqiwang.v1.match_service_pb2_grpc import MatchServiceStub
from erqiwang.wire.events import event_from_wire
from erqiwang.wire.faults import fault_from_wire
from erqiwang.wire.records import record_from_wire
from erqiwang_runner.clocks import BEAT_S
from erqiwang_runner.launcher.client import LauncherLost
from erqiwang_runner.launcher.protocol import Exited, PlayersStopped, Start, Started, StartFailed
from erqiwang_runner.match_claim import MatchClaim
from erqiwang_runner.match_plan import Player, Tokens, match_spec, plan_match
from erqiwang_runner.played import FaultNote, PlayedSet, TableNews
from erqiwang_runner.referee_address import player_environment
from erqiwang_runner.set_collector import MatchVoid, SetCollector, exit_text, last_words
from erqiwang_runner.stage import CallEnded, Message, Stage, clean_environment

OPEN_FILES: Final = 256
FILE_BYTES: Final = 64 << 20
RESTARTS: Final = 1
"""How often a player is started again in one match."""

COMMAND_NOT_FOUND: Final = 127
GRACE_S: Final = 1.0
"""How long a player of the user's may take to go by itself when its match is over."""

STOP_PATIENCE_S: Final = 20.0


class MatchRun:
    """One attempt at a match.

    `store` is called with each whole board set, as soon as it is there, and `beat` every few seconds; it may
    raise StaleAttemptError. `follow` hears what happens at the tables that the claim says are followed.
    """

    def __init__(
        self,
        claim: MatchClaim,
        stage: Stage,
        store: Callable[[PlayedSet], None],
        beat: Callable[[], None] = lambda: None,
        follow: Callable[[TableNews], None] = lambda news: None,
    ) -> None:
        self._plan = plan_match(claim)
        self._claim = claim
        self._stage = stage
        self._store = store
        self._beat = beat
        self._follow = follow
        self._tokens = Tokens()
        self._requests = _Requests()
        self._collector = SetCollector(self._plan, self._log_of)
        self._addresses: tuple[str, ...] = ()
        self._processes: dict[str, Player] = {}
        self._restarts: dict[int, int] = {}
        self._logs: dict[int, str] = {}
        self._said: dict[tuple[int, int, int], str] = {}
        self._began: dict[int, float] = {}
        self._start_s: dict[int, float] = {}
        self._deadline = time.monotonic() + claim.bound_s

    def play(self) -> tuple[FaultNote, ...]:
        """Play to the end; gives the faults that belong to no board set.

        Raises MatchVoid or StaleAttemptError. Whatever happens, no player is left when it returns or raises.
        """
        try:
            self._play()
        except BaseException:
            # Launcher and referee may be the cause, or be in any state: the next match gets new ones.
            self._stage.reset()
            raise
        return self._collector.other_faults()

    def faults(self) -> tuple[FaultNote, ...]:
        """Give the faults of board sets that were not stored."""
        return self._collector.other_faults()

    def said(self) -> Mapping[tuple[int, int, int], str]:
        """Give, once it is over, what players wrote to standard error, by (entry, table, column)."""
        return self._said

    def start_times_s(self) -> Mapping[int, tuple[float, ...]]:
        """Give, once it is over, how long players took from their start to the referee, by entry."""
        took: dict[int, list[float]] = {}
        for index, seconds in self._start_s.items():
            took.setdefault(self._plan.players[index].entry.number, []).append(seconds)
        return {entry: tuple(sorted(times)) for entry, times in took.items()}

    def _play(self) -> None:
        stub = MatchServiceStub(self._stage.channel(self._claim.conditions.referee))
        self._requests.send(wire.RunMatchRequest(spec=match_spec(self._plan, self._tokens)))
        call: _Call = stub.RunMatch(iter(self._requests))
        reader = threading.Thread(target=_read, args=(call, self._stage.inbox.put), daemon=True)
        reader.start()
        try:
            self._serve()
        finally:
            self._requests.close()
            call.cancel()
            # Whatever it reads is in the inbox, and thrown away, before the next match begins.
            reader.join()
        for played in self._collector.held_sets():
            self._store(played)
        self._stop_players()

    def _serve(self) -> None:
        next_beat = time.monotonic() + BEAT_S
        is_over = False
        while not is_over:
            now = time.monotonic()
            if now >= self._deadline:
                raise MatchVoid(f"the match took longer than its bound of {self._claim.bound_s:.0f} s")
            if now >= next_beat:
                self._beat()
                next_beat = now + BEAT_S
            with suppress(queue.Empty):
                timeout = min(self._deadline, next_beat) - now
                is_over = self._take(self._stage.inbox.get(timeout=timeout))

    def _take(self, message: Message) -> bool:
        """Deal with one message; tells whether the match is over."""
        match message:
            case wire.RunMatchResponse():
                return self._take_response(message)
            case Exited():
                self._take_exit(message)
            case Started() if message.id in self._processes:
                self._tell_process(self._processes[message.id], message.pid)
            case StartFailed() if message.id in self._processes:
                self._take_failed_start(message)
            case LauncherLost():
                raise MatchVoid("the launcher is gone")
            case CallEnded():
                raise MatchVoid(f"the referee ended the call: {message.reason or 'too early'}")
            case _:
                pass
        return False

    def _take_response(self, response: wire.RunMatchResponse) -> bool:
        """Deal with one response; tells whether it was the last."""
        match response.WhichOneof("response"):
            case "match_opened":
                self._addresses = tuple(response.match_opened.addresses)
                for each in self._plan.players:
                    if not each.entry.contestant.is_remote:
                        self._start(each)
            case "table_finished":
                finished = response.table_finished
                record = record_from_wire(finished.record)
                seats = tuple(finished.forfeited_seats)
                for played in self._collector.table_finished(finished.table, record, seats):
                    self._store(played)
            case "table_moved":
                self._tell(response.table_moved)
            case "player_joined":
                player = response.player_joined.player
                if player in self._began:  # a remote one was there before
                    self._start_s[player] = time.monotonic() - self._began[player]
            case "player_faulted":
                faulted = response.player_faulted
                table = faulted.table if faulted.HasField("table") else None
                self._collector.player_faulted(faulted.player, table, fault_from_wire(faulted.fault))
            case "match_finished":
                self._check_finished(response.match_finished)
                return True
            case _:
                pass
        return False

    def _tell(self, moved: wire.TableMoved) -> None:
        table, conditions = self._plan.tables[moved.table], self._claim.conditions
        events = tuple(map(event_from_wire, moved.events))
        deals = table.deals(conditions.profile, conditions.pass_out)
        dealt = tuple(deals[event.redeal] for event in events if isinstance(event, Dealt))
        self._follow(TableNews(table.slot, table.entries, events, dealt))

    def _check_finished(self, finished: wire.MatchFinished) -> None:
        if finished.outcome != wire.MATCH_OUTCOME_COMPLETED:
            raise MatchVoid(f"the referee gave up: {finished.detail}")
        if not self._collector.is_complete:
            raise MatchVoid("the referee ended the match before every table was there")

    def _start(self, player: Player) -> None:
        process_id = f"{self._claim.attempt_id}.{player.index}.{self._restarts.get(player.index, 0)}"
        self._processes[process_id] = player
        self._began[player.index] = time.monotonic()
        said = {
            "ERQI_REFEREE": self._addresses[player.index],
            "ERQI_TOKEN": self._tokens.by_player[player.index],
            **player_environment(self._addresses[player.index]),
        }
        if player.entry.options:
            said["ERQI_OPTIONS"] = json.dumps(dict(player.entry.options))
        self._stage.launcher.start(
            Start(
                process_id,
                _argv_of(player),
                clean_environment(said),
                open_files=OPEN_FILES,
                file_bytes=FILE_BYTES,
            )
        )

    def _tell_process(self, player: Player, pid: int) -> None:
        """Let a referee on this host ask the kernel whether a late player could compute at all."""
        if self._addresses[player.index].startswith("unix:"):
            started = wire.PlayerStarted(player=player.index, pid=pid)
            self._requests.send(wire.RunMatchRequest(player_started=started))

    def _take_exit(self, exited: Exited) -> None:
        if exited.id == self._stage.referee and not self._claim.conditions.referee:
            how = exit_text(exited.code, exited.signal)
            raise MatchVoid(f"the referee died: {last_words((), how, exited.stderr)}")
        player = self._processes.get(exited.id)
        if player is None:
            return
        self._keep_words(player, exited)
        self._requests.send(
            wire.RunMatchRequest(
                player_exited=wire.PlayerExited(
                    player=player.index,
                    code=exited.code,
                    signal=exited.signal,
                    out_of_memory=exited.out_of_memory,
                    by_us=exited.by_us,
                )
            )
        )
        self._restart(player)

    def _keep_words(self, player: Player, exited: Exited) -> None:
        if player.index not in self._logs or not exited.by_us:  # our killing it explains no fault
            ending = exit_text(exited.code, exited.signal)
            self._logs[player.index] = last_words(_argv_of(player), ending, exited.stderr)
        if exited.stderr.strip():
            place = (player.entry.number, player.table, player.column)
            self._said[place] = self._said.get(place, "") + exited.stderr

    def _take_failed_start(self, failed: StartFailed) -> None:
        player = self._processes[failed.id]
        self._logs[player.index] = failed.reason
        self._requests.send(
            wire.RunMatchRequest(player_exited=wire.PlayerExited(player=player.index, code=COMMAND_NOT_FOUND))
        )

    def _restart(self, player: Player) -> None:
        """Start a player again that ended too early, if it has not had its second chance yet."""
        restarts = self._restarts.get(player.index, 0)
        if restarts >= RESTARTS or not self._collector.is_needed(player):
            return
        self._restarts[player.index] = restarts + 1
        self._requests.send(
            wire.RunMatchRequest(
                player_restarted=wire.PlayerRestarted(
                    player=player.index, token_sha256=self._tokens.issue(player)
                )
            )
        )
        self._start(player)

    def _stop_players(self) -> None:
        """End all players and wait for it."""
        foreign = any(not player.entry.contestant.bundled for player in self._plan.players)
        self._stage.launcher.stop_players(GRACE_S if foreign else 0.0)
        deadline = time.monotonic() + STOP_PATIENCE_S
        while True:
            try:
                message = self._stage.inbox.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                raise MatchVoid("the players cannot be ended") from None
            match message:
                case PlayersStopped(survivors=0):
                    return
                case Exited(id=process_id) if process_id in self._processes:
                    self._keep_words(self._processes[process_id], message)
                case PlayersStopped() | LauncherLost():
                    raise MatchVoid("the players cannot be ended")
                case _:
                    pass

    def _log_of(self, player: Player) -> str | None:
        return self._logs.get(player.index)


def _argv_of(player: Player) -> tuple[str, ...]:
    return player.entry.contestant.argv(player.entry.options)


class _Requests:
    """The requests of a call: an iterator that gRPC draws from, in a thread of its own."""

    def __init__(self) -> None:
        self._queue: queue.SimpleQueue[wire.RunMatchRequest | None] = queue.SimpleQueue()

    def send(self, request: wire.RunMatchRequest) -> None:
        self._queue.put(request)

    def close(self) -> None:
        self._queue.put(None)

    def __iter__(self) -> Iterator[wire.RunMatchRequest]:
        while (request := self._queue.get()) is not None:
            yield request


class _Call(Protocol):
    """What is needed of a call in progress."""

    def __iter__(self) -> Iterator[wire.RunMatchResponse]: ...

    def cancel(self) -> bool: ...


def _read(call: _Call, put: Callable[[wire.RunMatchResponse | CallEnded], None]) -> None:
    import grpc

    reason: str | None = None
    try:
        for response in call:
            put(response)
    except grpc.RpcError as error:
        reason = str(error)
    put(CallEnded(reason))
