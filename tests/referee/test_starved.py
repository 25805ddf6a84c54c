"""A real player that gets next to no processor: the kernel's word is enough to blame nobody."""

import asyncio
import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from erqiwang.v1 import match_service_pb2

SPINNERS = 3
BANK_MS = 300


@contextlib.contextmanager
def starved(pid: int) -> Iterator[None]:
    """Pin a process to one processor, at the lowest priority, with many that never rest."""
    cpu = {min(os.sched_getaffinity(0))}
    for thread in Path(f"/proc/{pid}/task").iterdir():
        os.sched_setaffinity(int(thread.name), cpu)
        os.setpriority(os.PRIO_PROCESS, int(thread.name), 19)
    pin = f"import os; os.sched_setaffinity(0, {cpu})\nwhile True: pass"
    spinners = [subprocess.Popen([sys.executable, "-c", pin]) for _ in range(SPINNERS)]
    try:
        yield
    finally:
        for spinner in spinners:
            spinner.kill()
            spinner.wait()


async def play_starved(service, runner) -> None:
    """Player 3 is a process of its own, and starves from its join on."""
    async with runner:
        process = service.start_player(runner, 3, "erqiwang.bots.lowest")
        while 3 not in runner.joined:
            await runner.wait_for("player_joined")
        started = match_service_pb2.PlayerStarted(player=3, pid=process.pid)
        await runner.call.write(match_service_pb2.RunMatchRequest(player_started=started))
        with starved(process.pid):
            players = [service.Player(runner, number) for number in range(3)]
            await asyncio.gather(*[player.join() for player in players])
            await asyncio.gather(runner.finish(), *[player.play() for player in players])
            await asyncio.gather(*[player.close() for player in players])
        process.kill()
    assert [fault for fault in runner.faults if fault[0] == 3] == []


def test_a_bank_outlasts_proven_waiting(service) -> None:
    runner = service.Runner(service.referee(), service.spec(1, move_limit_ms=100_000, bank_ms=BANK_MS))
    service.run(play_starved(service, runner))
    assert runner.finished.outcome == match_service_pb2.MATCH_OUTCOME_COMPLETED
    (record,) = runner.records.values()
    assert sum(decision.ms for decision in record.decisions) > BANK_MS


@pytest.mark.nightly
def test_a_move_that_waited_voids_the_attempt(service) -> None:
    runner = service.Runner(service.referee(), service.spec(1, move_limit_ms=200))
    service.run(play_starved(service, runner))
    assert runner.finished.outcome == match_service_pb2.MATCH_OUTCOME_VOID
    assert "player 3 was late because it had to wait" in runner.finished.detail
