"""The example bot in JavaScript, installed once and played against the real referee."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from queue import SimpleQueue

import grpc
import pytest

from erqiwang.deals import board_seed, bot_seed, master_key
from erqiwang.rules import Record
from erqiwang.v1 import match_service_pb2, match_service_pb2_grpc, record_pb2
from erqiwang.wire import record_from_wire

KEY = master_key("a bot in another language")
SEATS = 4
ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "sdk" / "examples" / "node"

_TOKENS = count()
Require = Callable[[str], str]


@pytest.fixture(scope="session")
def node(require: Require) -> str:
    return require("node")


@pytest.fixture(scope="session")
def installed(require: Require, node: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example as its author would have it: a copy of the folder, its packages installed beside it."""
    folder = tmp_path_factory.mktemp("node")
    for path in EXAMPLE.iterdir():
        if path.is_file():
            shutil.copy(path, folder)
    command = [require("npm"), "install", "--no-package-lock", "--no-audit", "--no-fund", "--prefer-offline"]
    ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)
    if ended.returncode != 0:
        line = "npm cannot install @grpc/grpc-js: its registry, or a cache of it, is needed"
        if os.environ.get("ERQI_REQUIRE") == "all":
            pytest.fail(f"{line}\n{ended.stderr}", pytrace=False)
        pytest.skip(line)
    return folder


class Match:
    """A match as a launcher plays it: a bot of the example's against three starter bots, once a seat."""

    def __init__(
        self, referee: str, folder: Path, program: list[str], starters: list[str], boards: int = 1
    ) -> None:
        self.tokens = [f"token-{next(_TOKENS)}" for _ in range(SEATS)]
        self.records: list[Record] = []
        self.faults: list[match_service_pb2.PlayerFaulted] = []
        self.outcome = match_service_pb2.MATCH_OUTCOME_UNSPECIFIED
        self._folder = folder
        self._program = program
        self._starters = starters
        self._requests: SimpleQueue[match_service_pb2.RunMatchRequest | None] = SimpleQueue()
        self._requests.put(match_service_pb2.RunMatchRequest(spec=self._spec(boards)))
        self._channel = grpc.insecure_channel(referee)
        self._call = match_service_pb2_grpc.MatchServiceStub(self._channel).RunMatch(
            iter(self._requests.get, None)
        )
        self.addresses = list(next(self._call).match_opened.addresses)
        self.bot: subprocess.Popen[str]

    def _spec(self, boards: int) -> match_service_pb2.MatchSpec:
        return match_service_pb2.MatchSpec(
            match_id="node",
            profile="classic",
            room=1,
            pass_out=record_pb2.PASS_OUT_ZERO,
            players=[
                match_service_pb2.PlayerSpec(
                    token_sha256=hashlib.sha256(token.encode()).digest(), label=f"bot{number}"
                )
                for number, token in enumerate(self.tokens)
            ],
            tables=[
                match_service_pb2.TableSpec(
                    record_id=f"node/0/g/{board}/0/{first}",
                    board_seed=board_seed(KEY, board),
                    players=[(first + seat) % SEATS for seat in range(SEATS)],
                    bot_seeds=[bot_seed(KEY, board, first, seat) for seat in range(SEATS)],
                )
                for board in range(boards)
                for first in range(SEATS)
            ],
            clock=match_service_pb2.ClockSpec(move_limit_ms=30_000, start_limit_ms=60_000, latency_ms=50),
        )

    def start_bot(self, referee: str = "", token: str = "") -> subprocess.Popen[str]:
        """Start player 0, by default where and as whom the match expects it."""
        places = {
            "ERQI_REFEREE": referee or self.addresses[0],
            "ERQI_TOKEN": token or self.tokens[0],
            "ERQI_PROTO": str(ROOT / "proto"),
        }
        self.bot = subprocess.Popen(
            self._program,
            cwd=self._folder,
            env={**os.environ, **places},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        return self.bot

    def wait_for_join(self) -> None:
        """Read until the bot has joined."""
        while not next(self._call).HasField("player_joined"):
            pass

    def play(self) -> tuple[int, str, str]:
        """Let everybody play; gives exit code, output and errors of the bot."""
        processes = [
            subprocess.Popen(
                [sys.executable, "-m", f"erqiwang.bots.{name}"],
                env={**os.environ, "ERQI_REFEREE": self.addresses[number], "ERQI_TOKEN": self.tokens[number]},
            )
            for number, name in enumerate(self._starters, 1)
        ]
        for response in self._call:
            if response.HasField("table_finished"):
                self.records.append(record_from_wire(response.table_finished.record))
            elif response.HasField("player_faulted"):
                self.faults.append(response.player_faulted)
            elif response.HasField("match_finished"):
                self.outcome = response.match_finished.outcome
        assert [process.wait(30) for process in processes] == [0] * len(processes)
        output, errors = self.bot.communicate(timeout=30)
        return self.bot.returncode, output, errors

    def close(self) -> None:
        self._requests.put(None)
        self._call.cancel()
        self._channel.close()


class Referee:
    """A referee process of its own."""

    def __init__(self) -> None:
        self.folder = tempfile.mkdtemp(prefix="n", dir="/tmp")
        self._process = subprocess.Popen(
            [sys.executable, "-m", "erqiwang_referee", "--socket-dir", self.folder],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout is not None
        self.target = self._process.stdout.readline().removeprefix("ready ").strip()

    def kill(self) -> None:
        self._process.kill()

    def close(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait(30)
        shutil.rmtree(self.folder, ignore_errors=True)


MakeMatch = Callable[..., Match]


@pytest.fixture
def referee() -> Iterator[Referee]:
    made = Referee()
    yield made
    made.close()


@pytest.fixture
def make_match(referee: Referee, node: str, installed: Path) -> Iterator[MakeMatch]:
    """`make_match("bot.js", ["random", "lowest", "cautious"])`"""
    made: list[Match] = []

    def make(script: str, starters: list[str], boards: int = 1) -> Match:
        made.append(Match(referee.target, installed, [node, script], starters, boards))
        return made[-1]

    yield make
    for match in made:
        match.close()
