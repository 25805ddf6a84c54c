"""A referee that is told to end: what runs may finish, for a while; nothing new begins."""

import asyncio
import contextlib
import signal

import grpc
import grpc.aio
import pytest
from grpc_health.v1 import health_pb2
from grpc_health.v1.health_pb2_grpc import HealthStub

from erqiwang.v1 import match_service_pb2
from public_referee import MakePublic, assert_sound

COMPLETED = match_service_pb2.MATCH_OUTCOME_COMPLETED
VOID = match_service_pb2.MATCH_OUTCOME_VOID
SERVING = health_pb2.HealthCheckResponse.SERVING
NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING


async def health(channel: grpc.aio.Channel, name: str) -> int:
    answer = await HealthStub(channel).Check(health_pb2.HealthCheckRequest(service=name))
    return int(answer.status)


async def wait_for_drain(channel: grpc.aio.Channel) -> None:
    async for answer in HealthStub(channel).Watch(health_pb2.HealthCheckRequest()):
        if answer.status == NOT_SERVING:
            return


async def joined(service, runner) -> list:
    players = [service.Player(runner, number) for number in range(4)]
    await asyncio.gather(*[player.join() for player in players])
    return players


def test_the_health_service_tells_of_both_services_at_every_door(service) -> None:
    referee = service.referee()

    async def scenario() -> None:
        for socket in ("match", "bots"):
            async with grpc.aio.insecure_channel(f"unix:{referee.folder}/{socket}.sock") as channel:
                for name in ("", "erqiwang.v1.BotService", "erqiwang.v1.MatchService"):
                    assert await health(channel, name) == SERVING
                with pytest.raises(grpc.aio.AioRpcError) as caught:
                    await health(channel, "erqiwang.v1.NoService")
                assert caught.value.code() is grpc.StatusCode.NOT_FOUND

    service.run(scenario())


def test_running_matches_finish_and_nothing_new_begins(service) -> None:
    referee = service.referee(ERQI_REFEREE_DRAIN_MS="100000")

    async def scenario() -> None:
        async with service.Runner(referee, service.spec(2)) as runner:
            players = await joined(service, runner)
            first = await players[0].next_turns()
            referee.process.send_signal(signal.SIGTERM)
            await wait_for_drain(runner.channel)
            assert await health(runner.channel, "erqiwang.v1.MatchService") == NOT_SERVING
            async with service.Runner(referee, service.spec(1)) as late:
                assert await late.call.code() is grpc.StatusCode.UNAVAILABLE
                assert await late.call.details() == "the referee ends"
            await players[0].answer(first)
            await asyncio.gather(runner.finish(), *[player.play() for player in players])
            for player in players:
                assert player.match_over.tables == 2
                assert not player.match_over.aborted
                await player.close()
        assert runner.finished.outcome == COMPLETED

    service.run(scenario())
    assert referee.process.wait(20) == 0
    assert referee.sockets() == []


def test_after_the_limit_matches_are_broken_off_without_a_result(service) -> None:
    referee = service.referee(ERQI_REFEREE_DRAIN_MS="50")

    async def scenario() -> None:
        async with service.Runner(referee, service.spec(1)) as runner:
            player = await service.Player(runner, 0).join()
            referee.process.send_signal(signal.SIGTERM)
            assert await player.status() is grpc.StatusCode.OK
            assert player.match_over.aborted
            assert player.goodbye
            await player.close()
            await runner.finish()
            assert runner.finished.outcome == VOID
            assert runner.finished.detail == "the referee ends"

    service.run(scenario())
    assert referee.process.wait(20) == 0


def test_a_second_signal_ends_at_once(service) -> None:
    referee = service.referee(ERQI_REFEREE_DRAIN_MS="3600000")

    async def scenario() -> None:
        async with service.Runner(referee, service.spec(1)) as runner:
            player = await service.Player(runner, 0).join()
            referee.process.send_signal(signal.SIGTERM)
            await wait_for_drain(runner.channel)
            referee.process.send_signal(signal.SIGTERM)
            await player.status()
            assert player.match_over.aborted
            await player.close()
            with contextlib.suppress(grpc.aio.AioRpcError):
                await runner.finish()

    service.run(scenario())
    assert referee.process.wait(20) == 0


def test_a_referee_without_matches_ends_at_the_first_signal(service) -> None:
    referee = service.referee(ERQI_REFEREE_DRAIN_MS="3600000")
    referee.process.send_signal(signal.SIGTERM)
    assert referee.process.wait(20) == 0


def test_remote_bots_finish_their_match_and_go(service, public: MakePublic) -> None:
    place = public(ERQI_REFEREE_DRAIN_MS="100000")

    async def scenario() -> None:
        guests = [await place.player(name).enter() for name in ("ann", "ben", "ann", "ben")]
        idle = await place.player("ann").enter()
        async with place.runner(place.spec(1)) as runner:
            await runner.wait_for("player_joined")
            place.referee.process.send_signal(signal.SIGTERM)
            assert await idle.status() is grpc.StatusCode.OK
            assert idle.goodbye == "the referee ends"
            assert await place.player("ann").refusal() is grpc.StatusCode.UNAVAILABLE
            await asyncio.gather(runner.finish(), *[guest.play_match() for guest in guests])
        assert_sound(runner)
        for guest in guests:
            assert await guest.status() is grpc.StatusCode.OK
            assert guest.goodbye
        await asyncio.gather(*[guest.close() for guest in [*guests, idle]])

    service.run(scenario())
    assert place.referee.process.wait(20) == 0
