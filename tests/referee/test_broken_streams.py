"""However many streams break, in whatever way, the referee process stays as large as it was."""

import asyncio
import contextlib
from pathlib import Path

import grpc.aio
import pytest

from erqiwang.v1 import bot_service_pb2 as bot
from erqiwang.v1.bot_service_pb2_grpc import BotServiceStub

GROWTH_KB = 4096
"""What the allocator may keep for itself: a stream that stays costs tens of kilobytes."""
STRANGER = bot.PlayRequest(join=bot.Join(token="stranger", protocol_version=1))


def own_channel(address: str) -> grpc.aio.Channel:
    return grpc.aio.insecure_channel(address, options=[("grpc.use_local_subchannel_pool", 1)])


def resident_kb(referee) -> int:
    status = Path(f"/proc/{referee.process.pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0])


async def lose_connection(player, address: str) -> None:
    """Return on a new connection after the old one was dropped."""
    await player.channel.close()
    player.channel = own_channel(address)
    player.call = BotServiceStub(player.channel).Play()
    await player.join(token="", resume_token=player.joined.resume_token)


async def go_away(address: str, *requests: bot.PlayRequest) -> None:
    """Open a stream, say what lets nobody in, or nothing, and drop the connection."""
    async with own_channel(address) as channel:
        call = BotServiceStub(channel).Play()
        await call.wait_for_connection()
        with contextlib.suppress(grpc.aio.AioRpcError):
            for request in requests:
                await call.write(request)
                await call.read()


async def break_streams(player, address: str, rounds: int) -> None:
    """Break four streams a round, each in another way."""
    for _ in range(rounds):
        await player.reconnect()
        await lose_connection(player, address)
        await go_away(address, STRANGER)
        await go_away(address)


@pytest.mark.parametrize("streams", [480, pytest.param(10_000, marks=pytest.mark.nightly)])
def test_broken_streams_leave_nothing_behind(service, streams: int) -> None:
    many = str(2 * streams)
    referee = service.referee(ERQI_REFEREE_RESUMES=many, ERQI_REFEREE_GRACE_MS="60000", ERQI_LOG_LEVEL="INFO")

    async def scenario() -> None:
        async with service.Runner(referee, service.spec(2, move_limit_ms=600_000)) as runner:
            players = [service.Player(runner, number) for number in range(4)]
            await asyncio.gather(*[player.join() for player in players])

            async def break_all(count: int) -> None:
                pairs = zip(players, runner.addresses, strict=True)
                await asyncio.gather(*[break_streams(*pair, count // 16) for pair in pairs])

            await break_all(streams // 2)  # these fill caches and pools; later ones must add nothing
            descriptors, size = referee.descriptors(), resident_kb(referee)
            await break_all(streams)
            while referee.descriptors() > descriptors + 2:
                await asyncio.sleep(0.01)
            assert resident_kb(referee) - size < GROWTH_KB
            await asyncio.gather(runner.finish(), *[player.play() for player in players])
            await asyncio.gather(*[player.close() for player in players])
        assert runner.faults == []
        assert len(runner.records) == 2

    service.run(scenario())
