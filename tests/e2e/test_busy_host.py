"""On a host that is far too busy nobody is blamed for time: many spinners, or many matches at once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

BUSY_PER_CORE = 4
BOTS = ("counter", "lowest", "cautious", "random")
SPIN = "while True: pass"


@pytest.fixture
def busy_host() -> Iterator[None]:
    cores = len(os.sched_getaffinity(0))
    spinners = [subprocess.Popen([sys.executable, "-c", SPIN]) for _ in range(BUSY_PER_CORE * cores)]
    try:
        yield
        assert all(spinner.poll() is None for spinner in spinners)
    finally:
        for spinner in spinners:
            spinner.kill()
            spinner.wait()


def start(out: Path, clock: str, boards: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "erqiwang_runner.cli", "play", *BOTS, "--seed", out.name]
    command += ["--boards", str(boards), "--clock", clock, "--workers", "1", "--out", str(out)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def assert_nobody_is_blamed(play: subprocess.Popen[str], out: Path, boards: int) -> None:
    told, _ = play.communicate()
    assert play.returncode == 0, told
    lines = [json.loads(line) for line in (out / "games.jsonl").read_text().splitlines()]
    assert [line for line in lines if line["kind"] == "fault"] == []
    assert sum("record" in line for line in lines) == 4 * boards


@pytest.mark.usefixtures("busy_host")
@pytest.mark.parametrize(
    ("clock", "boards"),
    [
        ("fast", 1),
        pytest.param("fast", 24, marks=pytest.mark.nightly),
        pytest.param("normal", 24, marks=pytest.mark.nightly),
        pytest.param("slow", 4, marks=pytest.mark.nightly),
    ],
)
def test_nobody_is_blamed_for_a_busy_host(tmp_path: Path, clock: str, boards: int) -> None:
    assert_nobody_is_blamed(start(tmp_path / "out", clock, boards), tmp_path / "out", boards)


@pytest.mark.parametrize(
    ("clock", "plays"),
    [
        ("fast", 3),
        pytest.param("fast", 9, marks=pytest.mark.nightly),
        pytest.param("normal", 9, marks=pytest.mark.nightly),
        pytest.param("slow", 6, marks=pytest.mark.nightly),
    ],
)
def test_nobody_is_blamed_for_many_matches_at_once(tmp_path: Path, clock: str, plays: int) -> None:
    outs = [tmp_path / str(number) for number in range(plays)]
    running = [start(out, clock, 1) for out in outs]
    for play, out in zip(running, outs, strict=True):
        assert_nobody_is_blamed(play, out, 1)
