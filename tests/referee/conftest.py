"""The stage, and a referee process with its runner and players."""

import asyncio
import contextlib
import hashlib
import itertools
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path

import grpc
import grpc.aio
import pytest

from certificates import Certificates
from erqiwang.rules import Record
from erqiwang.v1 import bot_service_pb2 as bot
from erqiwang.v1 import faults_pb2, match_service_pb2
from erqiwang.v1.bot_service_pb2_grpc import BotServiceStub
from erqiwang.v1.match_service_pb2_grpc import MatchServiceStub
from erqiwang.wire import record_from_wire
from erqiwang_referee.settings import Limits
from public_referee import MakePublic, Public, write_tokens
from stage import Stage, bold, make_spec

MakeStage = Callable[..., Stage]


@pytest.fixture
def make_stage() -> MakeStage:
    """`make_stage(tables, ..., limits=Limits(...))`; the rest as in `make_spec`."""

    def make(tables: int = 4, limits: Limits | None = None, **conditions: object) -> Stage:
        return Stage(make_spec(tables, **conditions), limits or Limits())  # type: ignore[arg-type]

    return make


# The real thing: a referee process, and players and a runner that speak gRPC with it.


class Referee:
    """A referee process of its own."""

    def __init__(self, folder: Path, *arguments: str, **limits: str) -> None:
        self.folder = folder
        self.log = folder / "log"
        environment = {**os.environ, "ERQI_LOG_LEVEL": "DEBUG", **limits}
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "erqiwang_referee", "--socket-dir", str(folder), *arguments],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                env=environment,
            )
        assert self.process.stdout is not None
        ready = self.process.stdout.readline().decode().split()
        assert ready[:1] == ["ready"], self.log.read_text()
        self.address = ready[1]
        self.offers = dict(word.split("=", 1) for word in ready[2:])
        """What it offers to the network: players, runners, metrics."""

    def descriptors(self) -> int:
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def sockets(self) -> list[str]:
        return sorted(path.name for path in self.folder.glob("*.sock"))

    def end(self) -> int:
        """Close its standard input, which one of the network does not mind, and wait for its end."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        if {"players", "runners"} & set(self.offers):
            self.process.terminate()
        code = self.process.wait(20)
        self.process.stdout.close()
        return code


class Runner:
    """The runner's side of one match."""

    def __init__(self, referee: Referee, spec: match_service_pb2.MatchSpec) -> None:
        self.spec = spec
        self.tokens = [f"secret-{next(_TOKENS)}-{number}" for number in range(len(spec.players))]
        for player, token in zip(spec.players, self.tokens, strict=True):
            player.token_sha256 = hashlib.sha256(token.encode()).digest()
        self.referee = referee
        self.addresses: list[str] = []
        self.joined: list[int] = []
        self.records: dict[int, Record] = {}
        self.forfeits: dict[int, list[int]] = {}
        self.faults: list[tuple[int, int | None, str]] = []
        self.finished: match_service_pb2.MatchFinished | None = None

    async def __aenter__(self) -> "Runner":
        self.channel = grpc.aio.insecure_channel(self.referee.address)
        self.call = MatchServiceStub(self.channel).RunMatch()
        await self.open()
        return self

    async def open(self) -> None:
        with contextlib.suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
            await self.call.write(match_service_pb2.RunMatchRequest(spec=self.spec))
            response = await self.call.read()
            assert isinstance(response, match_service_pb2.RunMatchResponse)
            self.addresses = list(response.match_opened.addresses)

    async def __aexit__(self, *_: object) -> None:
        self.call.cancel()
        await self.channel.close()

    async def exited(self, player: int, **end: int) -> None:
        exited = match_service_pb2.PlayerExited(player=player, **end)
        await self.call.write(match_service_pb2.RunMatchRequest(player_exited=exited))

    async def wait_for(self, event: str) -> None:
        """Listen until a response of this kind came."""
        while isinstance(response := await self.call.read(), match_service_pb2.RunMatchResponse):
            self._take(response)
            if response.HasField(event):  # type: ignore[arg-type]
                return
        raise AssertionError(f"the call ended without {event}: {await self.call.details()}")

    async def finish(self) -> None:
        await self.wait_for("match_finished")

    def _take(self, response: match_service_pb2.RunMatchResponse) -> None:
        if response.HasField("player_joined"):
            self.joined.append(response.player_joined.player)
        elif response.HasField("table_finished"):
            finished = response.table_finished
            self.records[finished.table] = record_from_wire(finished.record)
            self.forfeits[finished.table] = list(finished.forfeited_seats)
        elif response.HasField("player_faulted"):
            faulted = response.player_faulted
            table = faulted.table if faulted.HasField("table") else None
            cause = faults_pb2.FaultCause.Name(faulted.fault.cause).removeprefix("FAULT_CAUSE_")
            self.faults.append((faulted.player, table, cause))
        elif response.HasField("match_finished"):
            self.finished = response.match_finished


class Player:
    """A player that speaks the protocol without the SDK's client."""

    def __init__(self, runner: Runner, index: int) -> None:
        self.index = index
        self.start(grpc.aio.insecure_channel(runner.addresses[index]), runner.tokens[index])

    def start(self, channel: grpc.aio.Channel, token: str) -> None:
        self.token = token
        self.channel = channel
        self.call = BotServiceStub(self.channel).Play()
        self.joined = bot.Joined()
        self.over: list[bot.TableOver] = []
        self.rejections: list[bot.Rejection] = []
        self.match_over: bot.MatchOver | None = None
        self.goodbye: str | None = None

    async def join(self, **fields: object) -> "Player":
        join = bot.Join(**{"token": self.token, "protocol_version": 1, **fields})  # type: ignore[arg-type]
        await self.call.write(bot.PlayRequest(join=join))
        response = await self.call.read()
        if isinstance(response, bot.PlayResponse):
            self.joined = response.joined
        return self

    async def reconnect(self) -> None:
        """Break the stream and come back."""
        self.call.cancel()
        self.call = BotServiceStub(self.channel).Play()
        await self.join(token="", resume_token=self.joined.resume_token)

    async def read(self) -> bot.PlayResponse | None:
        response = await self.call.read()
        if not isinstance(response, bot.PlayResponse):
            return None
        self.over.extend(response.tables_over.tables)
        self.rejections.extend(response.rejections.rejections)
        if response.HasField("match_over"):
            self.match_over = response.match_over
        if response.HasField("goodbye"):
            self.goodbye = response.goodbye.reason
        return response

    async def next_turns(self) -> list[bot.Turn]:
        """Read until turns come; none at the end of the stream."""
        while (response := await self.read()) is not None:
            if response.turns.turns:
                return list(response.turns.turns)
        return []

    async def answer(self, turns: list[bot.Turn]) -> None:
        decisions = [bot.Decision(turn_id=turn.turn_id, action=bold(turn)) for turn in turns]
        await self.call.write(bot.PlayRequest(decisions=bot.Decisions(decisions=decisions)))

    async def play(self) -> "Player":
        """Play to the end of the session."""
        while turns := await self.next_turns():
            await self.answer(turns)
        return self

    async def status(self) -> grpc.StatusCode:
        with contextlib.suppress(grpc.aio.AioRpcError):
            while await self.read() is not None:
                pass
        return await self.call.code()

    async def close(self) -> None:
        self.call.cancel()
        await self.channel.close()


class Service:
    """What tests of the real thing need."""

    Runner = Runner
    Player = Player

    @staticmethod
    def spec(tables: int, **conditions: int) -> match_service_pb2.MatchSpec:
        """As `make_spec`, with time enough for processes to start on a busy machine."""
        spec = make_spec(tables, **conditions)
        spec.clock.start_limit_ms = 100_000
        return spec

    def __init__(self) -> None:
        self.folders: list[Path] = []
        self.referees: list[Referee] = []
        self.processes: list[subprocess.Popen[bytes]] = []

    def referee(self, *arguments: str, **limits: str) -> Referee:
        folder = Path(tempfile.mkdtemp(prefix="r", dir="/tmp"))
        self.folders.append(folder)
        self.referees.append(Referee(folder, *arguments, **limits))
        return self.referees[-1]

    def start_player(self, runner: Runner, number: int, *command: str) -> subprocess.Popen[bytes]:
        """A player in a process of its own: `python -m COMMAND`."""
        places = {"ERQI_REFEREE": runner.addresses[number], "ERQI_TOKEN": runner.tokens[number]}
        process = subprocess.Popen([sys.executable, "-m", *command], env={**os.environ, **places})
        self.processes.append(process)
        return process

    @staticmethod
    def run(scenario: Coroutine[object, object, None]) -> None:
        """Run a scenario; one that hangs fails, on however busy a machine."""
        asyncio.run(asyncio.wait_for(scenario, 120))

    def close(self) -> None:
        for process in self.processes:
            process.kill()
            process.wait()
        for referee in self.referees:
            assert referee.end() == 0, referee.log.read_text()
        for folder in self.folders:
            shutil.rmtree(folder)


_TOKENS = itertools.count()


@pytest.fixture
def service() -> Iterator[Service]:
    """Referees that end with the test, and the other sides of their streams."""
    made = Service()
    yield made
    made.close()


@pytest.fixture
def tokens(tmp_path: Path) -> Path:
    """Two bots and a runner."""
    return write_tokens(tmp_path / "tokens.json")


@pytest.fixture
def public(service: Service, certificates: Certificates, tokens: Path) -> MakePublic:
    """`public("--option", LIMIT="3")` gives a referee of the network."""
    return lambda *more, **limits: Public(service, certificates, tokens, *more, **limits)
