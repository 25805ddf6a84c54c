"""The bot in JavaScript from the machine of its author: TLS, the lobby, match after match."""

import hashlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest

from certificates import Certificates
from erqiwang.deals import board_seed, bot_seed, master_key
from erqiwang.v1 import match_service_pb2, record_pb2
from erqiwang.v1.match_service_pb2_grpc import MatchServiceStub

ROOT = Path(__file__).parents[2]
KEY = master_key("remote node")
SECRET = "the secret of four processes"


@pytest.fixture
def public(certificates: Certificates, tmp_path: Path) -> Iterator[dict[str, str]]:
    """A public referee; its addresses by name."""
    tokens = tmp_path / "tokens.json"
    tokens.touch(0o600)
    known = {
        "name": "js",
        "kind": "bot",
        "sha256": hashlib.sha256(SECRET.encode()).hexdigest(),
        "created": "",
    }
    tokens.write_text(json.dumps({"format": "erqiwang.tokens/1", "tokens": [known]}))
    with tempfile.TemporaryDirectory(prefix="n", dir="/tmp") as folder:
        tls = ["--tls-cert", certificates.path("server.pem"), "--tls-key", certificates.path("server.key")]
        listen = ["--socket-dir", folder, "--listen", "localhost:0", "--tokens", str(tokens), *tls]
        command = [sys.executable, "-m", "erqiwang_referee", *listen]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            _, runners, players = process.stdout.readline().split()
            yield {"runners": runners, "players": players.removeprefix("players=")}
            process.terminate()
            assert process.wait(30) == 0


def spec() -> match_service_pb2.MatchSpec:
    player = match_service_pb2.PlayerSpec(
        token_sha256=hashlib.sha256(SECRET.encode()).digest(), label="js", remote=True
    )
    return match_service_pb2.MatchSpec(
        match_id="remote",
        profile="classic",
        pass_out=record_pb2.PASS_OUT_ZERO,
        players=[player] * 4,
        tables=[
            match_service_pb2.TableSpec(
                record_id=f"r/{board}",
                board_seed=board_seed(KEY, board),
                players=range(4),
                bot_seeds=[bot_seed(KEY, board, 0, seat) for seat in range(4)],
            )
            for board in range(2)
        ],
        clock=match_service_pb2.ClockSpec(move_limit_ms=30_000, start_limit_ms=60_000, latency_ms=50),
    )


def play(channel: grpc.Channel) -> list[str]:
    request = match_service_pb2.RunMatchRequest(spec=spec())
    heard: list[str] = []
    for response in MatchServiceStub(channel).RunMatch(iter([request])):
        heard.append(str(response.WhichOneof("response")))
    assert response.match_finished.outcome == match_service_pb2.MATCH_OUTCOME_COMPLETED
    return heard


def test_it_plays_match_after_match_over_tls(
    public: dict[str, str], certificates: Certificates, node: str, installed: Path
) -> None:
    places = {"ERQI_REFEREE": public["players"], "ERQI_TOKEN": SECRET, "ERQI_PROTO": str(ROOT / "proto")}
    environment = {**os.environ, **places, "ERQI_CA": certificates.path("authority.pem")}
    bots = [
        subprocess.Popen([node, "bot.js"], cwd=installed, env=environment, stderr=subprocess.PIPE, text=True)
        for _ in range(4)
    ]
    with grpc.insecure_channel(public["runners"]) as channel:
        for _ in range(2):
            heard = play(channel)
            assert heard.count("player_joined") == 4
            assert heard.count("table_finished") == 2
            assert "player_faulted" not in heard
    for bot in bots:
        bot.terminate()
        _, errors = bot.communicate(timeout=30)
        assert "in the lobby as js: waiting for matches" in errors
        assert errors.count("match over: 2 tables") == 2


def test_its_token_does_not_travel_in_clear(node: str, installed: Path) -> None:
    places = {"ERQI_REFEREE": "example.org:7070", "ERQI_TOKEN": SECRET, "ERQI_PROTO": str(ROOT / "proto")}
    done = subprocess.run(
        [node, "bot.js"], cwd=installed, env={**os.environ, **places}, capture_output=True, text=True
    )
    assert done.returncode == 64
    assert "would send the token in clear over the network" in done.stderr
