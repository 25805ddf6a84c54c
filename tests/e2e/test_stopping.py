from __future__ import annotations

import signal

import pytest

from erqiwang_runner.store.tournaments import Progress

BOARDS = 8


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda each: each.name)
def test_an_interrupted_demo_stops_at_once_and_leaves_nothing(make_demo, number):
    demo = make_demo("demo", BOARDS)
    process = demo.start()
    demo.wait_until(lambda: len(demo.find("erqiwang.bots.")) >= 4)
    process.send_signal(number)
    assert demo.finish() == 130
    assert f"of {BOARDS} board sets are stored; the same command continues" in demo.output
    assert "Traceback" not in demo.output
    assert demo.processes() == []
    assert demo.leftovers() == []
    assert not (demo.data / "redis.json").exists()
    progress = demo.progress()
    assert progress == Progress(BOARDS, progress.played, 0)
