"""A player that is stopped for longer than any ping waits, but not longer than its move, stays connected."""

import asyncio
import signal

import pytest

STILL_S = 25.0


@pytest.mark.nightly
def test_a_player_that_stands_still_within_its_move_is_not_disconnected(service) -> None:
    async def scenario() -> None:
        async with runner:
            process = service.start_player(runner, 3, "erqiwang.bots.lowest")
            while 3 not in runner.joined:
                await runner.wait_for("player_joined")
            process.send_signal(signal.SIGSTOP)
            players = [service.Player(runner, number) for number in range(3)]
            await asyncio.gather(*[player.join() for player in players])
            others = [asyncio.create_task(player.play()) for player in players]
            await asyncio.sleep(STILL_S)  # the time is what is tested
            process.send_signal(signal.SIGCONT)
            await asyncio.gather(runner.finish(), *others)
            await asyncio.gather(*[player.close() for player in players])

    runner = service.Runner(service.referee(), service.spec(1, move_limit_ms=60_000))
    service.run(scenario())
    assert runner.faults == []
    assert runner.joined.count(3) == 1
    assert max(decision.ms for decision in runner.records[0].decisions) >= 1000 * STILL_S / 2
