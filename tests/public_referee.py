"""A referee of the network, for tests: with TLS, two bots and a runner that have tokens."""

import asyncio
import contextlib
import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import grpc
import grpc.aio

from certificates import Certificates
from erqiwang.rules import verify_record
from erqiwang.v1 import bot_service_pb2 as bot
from erqiwang.v1 import match_service_pb2
from erqiwang.v1.match_service_pb2_grpc import MatchServiceStub

SECRETS = {name: f"secret-of-{name}" for name in ("ann", "ben", "host")}


def sha256(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()


def write_tokens(path: Path) -> Path:
    """Two bots and a runner, as `erqi token` writes them."""
    kinds = {"ann": "bot", "ben": "bot", "host": "runner"}
    listed = [
        {"name": name, "kind": kind, "sha256": sha256(SECRETS[name]).hex(), "created": "2026-01-01T00:00:00Z"}
        for name, kind in kinds.items()
    ]
    path.touch(0o600)
    path.write_text(json.dumps({"format": "erqiwang.tokens/1", "tokens": listed}))
    return path


class Public:
    """A referee of the network, and the ways to it."""

    def __init__(self, service, certificates: Certificates, tokens: Path, *more: str, **limits: str) -> None:
        self.service = service
        self.certificates = certificates
        tls = ("--tls-cert", certificates.path("server.pem"), "--tls-key", certificates.path("server.key"))
        listen = ("--listen", "127.0.0.1:0", "--runner-listen", "127.0.0.1:0", "--tokens", str(tokens))
        self.referee = service.referee(*listen, *tls, *more, **limits)
        self.processes: list[subprocess.Popen[str]] = []

    def channel(self, door: str, *, with_certificate: bool = False) -> grpc.aio.Channel:
        own = ("client.key", "client.pem") if with_certificate else ()
        credentials = grpc.ssl_channel_credentials(
            self.certificates.read("authority.pem"), *[self.certificates.read(name) for name in own]
        )
        return grpc.aio.secure_channel(self.referee.offers[door].removeprefix("tls://"), credentials)

    def runner(self, spec: match_service_pb2.MatchSpec, secret: str | None = SECRETS["host"]):
        """A runner on another machine."""
        public, Runner = self, self.service.Runner

        class NetworkRunner(Runner):
            async def __aenter__(self):
                self.channel = public.channel("runners")
                metadata = None if secret is None else [("authorization", f"Bearer {secret}")]
                self.call = MatchServiceStub(self.channel).RunMatch(metadata=metadata)
                await self.open()
                return self

        runner = NetworkRunner(self.referee, spec)
        for player, name in zip(spec.players, ("ann", "ben") * 2, strict=False):
            if player.remote:
                player.token_sha256 = sha256(SECRETS[name])
        return runner

    def player(self, name: str):
        """A bot that speaks the protocol without the SDK's client."""
        public, Player = self, self.service.Player

        class RemotePlayer(Player):
            def __init__(self) -> None:
                self.start(public.channel("players"), SECRETS[name])

            async def enter(self) -> "RemotePlayer":
                await self.call.write(bot.PlayRequest(join=bot.Join(token=self.token, protocol_version=1)))
                response = await self.read()
                assert response is not None
                assert response.waiting.name == name
                return self

            async def play_match(self) -> bot.MatchOver:
                self.match_over = None
                while self.match_over is None:
                    response = await self.read()
                    assert response is not None
                    if response.HasField("joined"):
                        self.joined = response.joined
                    if response.turns.turns:
                        await self.answer(list(response.turns.turns))
                return self.match_over

            async def refusal(self, **fields: str) -> grpc.StatusCode:
                with contextlib.suppress(grpc.aio.AioRpcError):
                    await self.join(**fields)
                return await self.call.code()

            async def ready(self) -> None:
                await self.call.write(bot.PlayRequest(ready=bot.Ready()))

        return RemotePlayer()

    def start_bot(self, name: str, secret: str, **more: str) -> subprocess.Popen[str]:
        """A bot on its author's machine: the SDK's client in a process of its own."""
        environment = {
            **os.environ,
            "ERQI_REFEREE": self.referee.offers["players"],
            "ERQI_TOKEN": secret,
            "ERQI_CA": self.certificates.path("authority.pem"),
            **more,
        }
        command = [sys.executable, "-m", f"erqiwang.bots.{name}"]
        process = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)
        self.service.processes.append(process)
        return process

    def spec(self, tables: int, remote: int = 4, **conditions: int) -> match_service_pb2.MatchSpec:
        spec = self.service.spec(tables, **conditions)
        for player in spec.players[:remote]:
            player.remote = True
        return spec


MakePublic = Callable[..., Public]


def assert_sound(runner) -> None:
    assert runner.finished is not None
    assert runner.finished.outcome == match_service_pb2.MATCH_OUTCOME_COMPLETED, runner.finished.detail
    assert sorted(runner.records) == list(range(len(runner.spec.tables)))
    assert all(verify_record(record) is None for record in runner.records.values())


async def assert_they_play(place: Public, guests) -> None:
    """One match for waiting guests, from its opening to a sound end without a fault."""
    async with place.runner(place.spec(1)) as runner:
        await asyncio.gather(runner.finish(), *[one.play_match() for one in guests])
    assert_sound(runner)
    assert runner.faults == []
