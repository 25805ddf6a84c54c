"""Each limit of a referee of the network has its status, and hurts nobody but who oversteps it."""

import asyncio

import grpc
import grpc.aio
from grpc_health.v1 import health_pb2
from grpc_health.v1.health_pb2_grpc import HealthStub

from erqiwang.v1 import bot_service_pb2 as bot
from erqiwang.v1.bot_service_pb2_grpc import BotServiceStub
from public_referee import SECRETS, MakePublic, Public, assert_sound, assert_they_play, sha256


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
        await assert_they_play(place, guests)
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


def test_streams_that_break_give_back_what_they_took(service, public: MakePublic) -> None:
    place = public(ERQI_REFEREE_TOKEN_SESSIONS="2", ERQI_REFEREE_STREAMS="3")

    async def scenario() -> None:
        await (await place.player("ben").enter()).close()
        fresh = place.referee.descriptors()
        for _ in range(20):
            guests = [await enter_when_there_is_room(place, "ann") for _ in range(2)]
            for guest in guests:
                guest.call.cancel()  # without a word
                await guest.channel.close()
        await (await enter_when_there_is_room(place, "ann")).close()
        while place.referee.descriptors() > fresh + 2:
            await asyncio.sleep(0.01)

    service.run(scenario())
