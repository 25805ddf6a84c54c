"""A tournament in a storm: something of the platform is killed every few seconds."""

from __future__ import annotations

import os
import random
import signal
import time

import pytest

from chaos.cluster import assert_same, play_calmly

BOARDS = 150
KILLS = 12
VICTIMS = ("erqiwang_runner.worker", "erqiwang_runner.launcher", "erqiwang_referee", "redis-server", "up")


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(2))
def test_a_tournament_survives_a_storm(make_cluster, seed):
    calm = play_calmly(make_cluster, BOARDS)
    storm = make_cluster("storm")
    storm.create(BOARDS)
    storm.start("up", "up", "--workers", "2")
    chance = random.Random(seed)
    for _ in range(KILLS):
        # Longer than a match takes to get going, shorter than the tournament.
        time.sleep(chance.uniform(4.0, 12.0))
        victim = chance.choice(VICTIMS)
        if victim == "up":
            storm.kill("up")
            storm.wait_until(lambda: not storm.processes(), "orphans of a killed platform")
        elif found := storm.find(victim):
            os.kill(chance.choice(found), signal.SIGKILL)
        if storm.running["up"].poll() is not None:
            storm.start("up")
    storm.wait_until_finished()
    assert_same(storm, calm, BOARDS)
