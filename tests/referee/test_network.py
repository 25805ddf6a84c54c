"""A referee of the network: TLS, a lobby, runners with a credential, limits that hurt nobody else."""

import asyncio
import contextlib
import hashlib
import json
import os
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Callable
from pathlib import Path

import grpc
import grpc.aio
import pytest
from grpc_health.v1 import health_pb2
from grpc_health.v1.health_pb2_grpc import HealthStub

from certificates import Certificates
from erqiwang.rules import verify_record
from erqiwang.v1 import bot_service_pb2 as bot
from erqiwang.v1 import match_service_pb2
from erqiwang.v1.bot_service_pb2_grpc import BotServiceStub
from erqiwang.v1.match_service_pb2_grpc import MatchServiceStub

COMPLETED = match_service_pb2.MATCH_OUTCOME_COMPLETED
STARTERS = ("random", "lowest", "cautious", "counter")
SECRETS = {name: f"secret-of-{name}" for name in ("ann", "ben", "host")}


def sha256(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()


@pytest.fixture
def tokens(tmp_path: Path) -> Path:
    """Two bots and a runner, as `erqi token` writes them."""
    kinds = {"ann": "bot", "ben": "bot", "host": "runner"}
    listed = [
        {"name": name, "kind": kind, "sha256": sha256(SECRETS[name]).hex(), "created": "2026-01-01T00:00:00Z"}
        for name, kind in kinds.items()
    ]
    path = tmp_path / "tokens.json"
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

    def start_bot(self, name: str, secret: str) -> subprocess.Popen[str]:
        """A bot on its author's machine: the SDK's client in a process of its own."""
        environment = {
            **os.environ,
            "ERQI_REFEREE": self.referee.offers["players"],
            "ERQI_TOKEN": secret,
            "ERQI_CA": self.certificates.path("authority.pem"),
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


@pytest.fixture
def public(service, certificates: Certificates, tokens: Path) -> MakePublic:
    return lambda *more, **limits: Public(service, certificates, tokens, *more, **limits)


def assert_sound(runner) -> None:
    assert runner.finished is not None
    assert runner.finished.outcome == COMPLETED, runner.finished.detail
    assert sorted(runner.records) == list(range(len(runner.spec.tables)))
    assert all(verify_record(record) is None for record in runner.records.values())


def test_bots_on_other_machines_play_match_after_match(service, public: MakePublic) -> None:
    place = public()
    # Two processes of each of two authors; each deals with one player of a match.
    owners = ("ann", "ben", "ann", "ben")
    processes = [place.start_bot(name, SECRETS[owner]) for name, owner in zip(STARTERS, owners, strict=True)]

    async def scenario() -> None:
        for _ in range(2):
            async with place.runner(place.spec(3, move_limit_ms=20_000)) as runner:
                assert runner.addresses == [""] * 4
                await runner.finish()
            assert_sound(runner)
            assert runner.faults == []
            assert sorted(runner.joined) == [0, 1, 2, 3]

    service.run(scenario())
    place.referee.process.send_signal(signal.SIGTERM)
    ends = [process.communicate(timeout=60) for process in processes]
    assert [process.returncode for process in processes] == [0, 0, 0, 0], ends
    assert ends[0][1] == "erqiwang: in the lobby as 'ann': waiting for matches\n"
    assert place.referee.process.wait(20) == 0
    assert not any(secret in place.referee.log.read_text() for secret in SECRETS.values())


def test_bots_of_the_network_and_of_the_machine_share_tables(service, public: MakePublic) -> None:
    place = public()

    async def scenario() -> None:
        # A runner on the referee's own machine: its local players come in by sockets of their own.
        spec = place.spec(2, remote=1)
        runner = service.Runner(place.referee, spec)
        spec.players[0].token_sha256 = sha256(SECRETS["ann"])
        async with runner:
            assert runner.addresses[0] == ""
            assert all(address.startswith("unix:") for address in runner.addresses[1:])
            guest = await place.player("ann").enter()
            locals_ = [service.Player(runner, number) for number in (1, 2, 3)]
            await asyncio.gather(*[player.join() for player in locals_])
            await asyncio.gather(runner.finish(), guest.play_match(), *[one.play() for one in locals_])
            await asyncio.gather(*[player.close() for player in [guest, *locals_]])
        assert_sound(runner)
        # One on another machine: they come over the network, with tokens that are good once.
        async with place.runner(service.spec(1)) as runner:
            assert runner.addresses == [place.referee.offers["players"]] * 4
            players = [place.player("ann") for _ in range(4)]
            for player, token in zip(players, runner.tokens, strict=True):
                player.token = token
            await asyncio.gather(*[player.join() for player in players])
            await asyncio.gather(runner.finish(), *[player.play() for player in players])
            await asyncio.gather(*[player.close() for player in players])
        assert_sound(runner)

    service.run(scenario())


def test_a_guest_comes_back_into_its_match_and_goes_back_to_the_lobby(service, public: MakePublic) -> None:
    place = public()

    async def scenario() -> None:
        guests = [await place.player(name).enter() for name in ("ann", "ben", "ann", "ben")]
        async with place.runner(place.spec(2)) as runner:
            guest = guests[0]
            others = [asyncio.create_task(one.play_match()) for one in guests[1:]]
            while not (response := await guest.read()).turns.turns:
                if response.HasField("joined"):
                    guest.joined = response.joined
            token = guest.joined.resume_token
            await guest.reconnect()
            assert guest.joined.resume_token not in ("", token)
            thief = place.player("ann")
            assert await thief.refusal(token="", resume_token=token) is grpc.StatusCode.UNAUTHENTICATED
            await thief.close()
            await asyncio.gather(runner.finish(), guest.play_match(), *others)
        assert_sound(runner)
        assert runner.faults == []
        # Until it is ready, what a bot says belongs to the match that is over.
        await guest.answer([bot.Turn(turn_id=1)])
        await asyncio.gather(*[one.ready() for one in guests])
        async with place.runner(place.spec(1)) as runner:
            await asyncio.gather(runner.finish(), *[one.play_match() for one in guests])
        assert_sound(runner)
        assert runner.faults == []
        await asyncio.gather(*[one.close() for one in guests])

    service.run(scenario())


def test_a_guest_that_leaves_or_floods_the_lobby_is_let_go(service, public: MakePublic) -> None:
    place = public(ERQI_REFEREE_IDLE_MESSAGES="5")

    async def scenario() -> None:
        leaver, flooder, other = [await place.player("ann").enter() for _ in range(3)]
        await leaver.call.write(bot.PlayRequest(leave=bot.Leave()))
        assert await leaver.status() is grpc.StatusCode.OK
        for _ in range(6):
            await flooder.call.write(bot.PlayRequest(decisions=bot.Decisions()))
        assert await flooder.status() is grpc.StatusCode.FAILED_PRECONDITION
        assert flooder.goodbye.startswith("flooded")
        guests = [other, *[await place.player(name).enter() for name in ("ann", "ben", "ben")]]
        async with place.runner(place.spec(1)) as runner:
            await asyncio.gather(runner.finish(), *[one.play_match() for one in guests])
        assert_sound(runner)
        await asyncio.gather(*[one.close() for one in [leaver, flooder, *guests]])

    service.run(scenario())


def test_a_token_that_was_revoked_lets_nobody_in(service, public: MakePublic, tokens: Path) -> None:
    place = public()

    async def scenario() -> None:
        guest = await place.player("ann").enter()
        content = json.loads(tokens.read_text())
        content["tokens"] = [token for token in content["tokens"] if token["name"] != "ann"]
        tokens.write_text(json.dumps(content))
        again = place.player("ann")
        assert await again.refusal() is grpc.StatusCode.UNAUTHENTICATED
        async with place.runner(place.spec(1)) as runner:
            assert await runner.call.code() is grpc.StatusCode.INVALID_ARGUMENT
            assert "players[0].token_sha256: no API token of a bot has it here" in await runner.call.details()
        await asyncio.gather(guest.close(), again.close())

    service.run(scenario())


@pytest.mark.parametrize("secret", [None, "guessed", SECRETS["ann"]])
def test_a_runner_without_its_credential_is_refused(service, public: MakePublic, secret: str | None) -> None:
    place = public()

    async def scenario() -> None:
        async with place.runner(service.spec(1), secret) as runner:
            assert await runner.call.code() is grpc.StatusCode.UNAUTHENTICATED
        player = place.player("host")  # and a runner's token makes no bot
        assert await player.refusal() is grpc.StatusCode.UNAUTHENTICATED
        await player.close()
        # Players find no MatchService at their door.
        async with place.channel("players") as channel:
            call = MatchServiceStub(channel).RunMatch()
            assert await call.code() is grpc.StatusCode.UNIMPLEMENTED

    service.run(scenario())


def test_with_an_authority_each_client_shows_its_certificate(
    service, public: MakePublic, certificates: Certificates
) -> None:
    authority = certificates.path("authority.pem")
    place = public("--client-ca", authority, "--runner-ca", authority)

    async def scenario() -> None:
        for door in ("players", "runners"):
            async with place.channel(door) as channel:
                with pytest.raises(grpc.aio.AioRpcError) as caught:
                    await HealthStub(channel).Check(health_pb2.HealthCheckRequest())
                assert caught.value.code() is grpc.StatusCode.UNAVAILABLE
            async with place.channel(door, with_certificate=True) as channel:
                answer = await HealthStub(channel).Check(health_pb2.HealthCheckRequest())
                assert answer.status == health_pb2.HealthCheckResponse.SERVING
            clear = place.referee.offers[door].removeprefix("tls://")
            async with grpc.aio.insecure_channel(clear) as channel:
                with pytest.raises(grpc.aio.AioRpcError):
                    await HealthStub(channel).Check(health_pb2.HealthCheckRequest())

    service.run(scenario())


# Limits.


def test_each_limit_is_told_and_hurts_nobody_else(service, public: MakePublic) -> None:
    place = public(
        ERQI_REFEREE_TOKEN_SESSIONS="2", ERQI_REFEREE_MATCHES="1", ERQI_REFEREE_MESSAGE_BYTES="1000"
    )

    async def scenario() -> None:
        guests = [await place.player(name).enter() for name in ("ann", "ben", "ann", "ben")]
        third = place.player("ann")
        assert await third.refusal() is grpc.StatusCode.RESOURCE_EXHAUSTED
        assert await third.call.details() == "the token has 2 sessions open, as many as it may"
        async with place.runner(place.spec(2, remote=3)) as runner:
            async with place.runner(service.spec(1)) as second:
                assert await second.call.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
                assert await second.call.details() == "1 matches run, as many as may"
            long = place.player("ann")
            long.token = runner.tokens[3]
            await long.join()
            await long.call.write(bot.PlayRequest(leave=bot.Leave(reason="x" * 2000)))
            assert await long.status() is grpc.StatusCode.FAILED_PRECONDITION
            await asyncio.gather(runner.finish(), *[one.play_match() for one in guests[:3]])
            assert runner.faults == [(3, None, "PROTOCOL")]
        assert_sound(runner)
        await asyncio.gather(*[one.close() for one in [*guests, third, long]])

    service.run(scenario())


async def enter_when_there_is_room(place: Public, name: str):
    while True:
        player = place.player(name)
        try:
            return await player.enter()
        except grpc.aio.AioRpcError:  # the stream before it is not quite gone
            await player.close()


def test_a_full_house_and_a_huge_message_hurt_nobody_else(service, public: MakePublic) -> None:
    place = public(ERQI_REFEREE_STREAMS="4")

    async def scenario() -> None:
        guests = [await place.player(name).enter() for name in ("ann", "ben", "ann", "ben")]
        fifth = place.player("ann")
        assert await fifth.refusal() is grpc.StatusCode.RESOURCE_EXHAUSTED
        assert await fifth.call.details() == "4 streams are open, as many as may"
        await fifth.close()
        # Longer than gRPC itself takes, from a bot in the lobby.
        await guests[0].call.write(bot.PlayRequest(leave=bot.Leave(reason="x" * 5_000_000)))
        assert await guests[0].status() is grpc.StatusCode.RESOURCE_EXHAUSTED
        await guests[0].close()
        guests[0] = await enter_when_there_is_room(place, "ann")
        async with place.channel("players") as channel:
            answer = await HealthStub(channel).Check(health_pb2.HealthCheckRequest())
            assert answer.status == health_pb2.HealthCheckResponse.SERVING
        async with place.runner(place.spec(1)) as runner:
            await asyncio.gather(runner.finish(), *[one.play_match() for one in guests])
        assert_sound(runner)
        assert runner.faults == []
        await asyncio.gather(*[one.close() for one in guests])

    service.run(scenario())


def test_an_address_that_comes_too_often_waits(service, public: MakePublic) -> None:
    place = public(ERQI_REFEREE_JOINS_PER_MINUTE="4")

    async def scenario() -> None:
        spec = place.spec(1, remote=1)
        runner = service.Runner(place.referee, spec)
        spec.players[0].token_sha256 = sha256(SECRETS["ann"])
        async with runner:
            guest = await place.player("ann").enter()
            codes = []
            async with place.channel("players") as channel:
                for _ in range(4):
                    call = BotServiceStub(channel).Play()
                    await call.write(bot.PlayRequest(join=bot.Join(token="guess", protocol_version=1)))
                    codes.append(await call.code())
            assert codes == [grpc.StatusCode.UNAUTHENTICATED] * 3 + [grpc.StatusCode.RESOURCE_EXHAUSTED]
            players = [service.Player(runner, number) for number in (1, 2, 3)]
            await asyncio.gather(*[player.join() for player in players])
            await asyncio.gather(runner.finish(), guest.play_match(), *[one.play() for one in players])
            await asyncio.gather(*[player.close() for player in [guest, *players]])
        assert_sound(runner)

    service.run(scenario())


# What a host looks at.


async def services_of(channel: grpc.aio.Channel) -> list[str]:
    from grpc_reflection.v1alpha import reflection_pb2
    from grpc_reflection.v1alpha.reflection_pb2_grpc import ServerReflectionStub

    call = ServerReflectionStub(channel).ServerReflectionInfo()
    await call.write(reflection_pb2.ServerReflectionRequest(list_services=""))
    response = await call.read()
    call.cancel()
    return [service.name for service in response.list_services_response.service]


def test_services_are_described_only_where_that_was_asked_for(service, public: MakePublic) -> None:
    pytest.importorskip("grpc_reflection")

    async def scenario() -> None:
        async with public().channel("players") as channel:
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await services_of(channel)
            assert caught.value.code() is grpc.StatusCode.UNIMPLEMENTED
        async with public("--reflection").channel("players") as channel:
            names = await services_of(channel)
            assert "erqiwang.v1.BotService" in names
            assert "erqiwang.v1.MatchService" not in names

    service.run(scenario())


def test_the_metrics_count_what_was_played(service) -> None:
    referee = service.referee("--metrics", "127.0.0.1:0")

    async def scenario() -> None:
        async with service.Runner(referee, service.spec(2)) as runner:
            players = [service.Player(runner, number) for number in range(4)]
            await asyncio.gather(*[player.join() for player in players])
            await asyncio.gather(runner.finish(), *[player.play() for player in players])
            await asyncio.gather(*[player.close() for player in players])
        decisions = sum(len(record.decisions) for record in runner.records.values())
        text = await asyncio.to_thread(scrape, referee.offers["metrics"])
        assert f'erqiwang_referee_decisions_total{{by="bot"}} {decisions}.0' in text
        assert f"erqiwang_referee_decision_seconds_count {decisions}.0" in text
        assert f'erqiwang_referee_decision_seconds_bucket{{le="+Inf"}} {decisions}.0' in text
        assert "erqiwang_referee_tables_total 2.0" in text
        assert 'erqiwang_referee_matches_total{outcome="completed"} 1.0' in text

    service.run(scenario())


def scrape(address: str) -> str:
    with contextlib.closing(urllib.request.urlopen(f"http://{address}/metrics")) as answer:
        return str(answer.read().decode())
