"""A referee of the network: TLS, a lobby, runners with a credential."""

import asyncio
import contextlib
import json
import signal
import urllib.request
from pathlib import Path

import grpc
import grpc.aio
import pytest
from grpc_health.v1 import health_pb2
from grpc_health.v1.health_pb2_grpc import HealthStub

from certificates import Certificates
from erqiwang.v1 import bot_service_pb2 as bot
from erqiwang.v1.match_service_pb2_grpc import MatchServiceStub
from public_referee import SECRETS, MakePublic, assert_sound, assert_they_play, sha256

STARTERS = ("random", "lowest", "cautious", "counter")


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
        await assert_they_play(place, guests)
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
    own = {"ERQI_CERT": certificates.path("client.pem"), "ERQI_KEY": certificates.path("client.key")}
    process = place.start_bot("lowest", SECRETS["ann"], **own)
    assert process.stderr is not None
    assert process.stderr.readline() == "erqiwang: in the lobby as 'ann': waiting for matches\n"
    process.terminate()
    assert process.wait(30) == 130
    process.stderr.close()


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
