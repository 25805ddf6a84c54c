"""A tournament in a storm: something of the platform is killed every few seconds."""

from __future__ import annotations

import os
import random
import signal
import time

import pytest

from erqiwang_runner.store.tournaments import Progress

BOARDS = 150
KILLS = 12
VICTIMS = ("erqiwang_runner.worker", "erqiwang_runner.launcher", "erqiwang_referee", "redis-server", "demo")


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(2))
def test_a_tournament_survives_a_storm(make_demo, seed):
    calm = make_demo("calm", BOARDS)
    assert calm.run() == 0, calm.output
    demo = make_demo("storm", BOARDS)
    chance = random.Random(seed)
    demo.start()
    for _ in range(KILLS):
        # Longer than a match takes to get going, shorter than it takes to finish.
        time.sleep(chance.uniform(4.0, 12.0))
        victim = chance.choice(VICTIMS)
        if victim == "demo":
            demo.kill()
            demo.wait_until_gone()
            demo.start()
        elif found := demo.find(victim):
            os.kill(chance.choice(found), signal.SIGKILL)
    code = demo.finish()
    if code != 0:
        assert demo.run() == 0, demo.output
    assert demo.progress() == Progress(BOARDS, BOARDS, 0)
    assert demo.tables() == calm.tables()
    assert demo.processes() == []
    assert demo.leftovers() == []
