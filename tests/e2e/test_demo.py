from __future__ import annotations

import os
import signal

from erqiwang_runner.store.tournaments import Progress

BOARDS = 12
WORKER = "erqiwang_runner.worker"


def test_a_disturbed_demo_ends_as_an_undisturbed_one(make_demo):
    """Kill a worker child, a whole worker, Redis and the demo itself: the same tables come out."""
    calm = make_demo("calm", BOARDS)
    assert calm.run() == 0, calm.output
    assert "not verifiable" in calm.output
    assert calm.progress() == Progress(BOARDS, BOARDS, 0)

    demo = make_demo("disturbed", BOARDS)
    demo.start()
    demo.wait_until(lambda: len(demo.find("erqiwang.bots.")) >= 16)
    (child, *_) = demo.find(WORKER, parent=WORKER)
    os.kill(child, signal.SIGKILL)
    demo.wait_for_sets(1)
    (worker, *_) = demo.find(WORKER, parent="erqiwang_runner.cli")
    os.kill(worker, signal.SIGKILL)
    demo.wait_for_sets(2)
    (redis,) = demo.find("redis-server")
    os.kill(redis, signal.SIGKILL)
    demo.wait_for_sets(4)
    demo.kill()
    demo.wait_until_gone()
    assert 0 < demo.progress().played < BOARDS
    assert demo.run() == 0, demo.output

    assert demo.progress() == Progress(BOARDS, BOARDS, 0)
    assert demo.tables() == calm.tables()
    assert len(demo.tables()) == 4 * BOARDS
    for each in (calm, demo):
        assert each.processes() == []
        assert each.leftovers() == []

    before = demo.tables()
    assert demo.run() == 0
    assert "is played already" in demo.output
    assert demo.tables() == before
