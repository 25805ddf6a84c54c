"""On a host with four times as many busy processes as processors, no bot is blamed for time."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

BUSY_PER_CORE = 4
BOTS = ("counter", "lowest", "cautious", "random")


@pytest.fixture
def busy_host() -> Iterator[None]:
    cores = len(os.sched_getaffinity(0))
    spinners = [
        subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(BUSY_PER_CORE * cores)
    ]
    try:
        yield
        assert all(spinner.poll() is None for spinner in spinners)
    finally:
        for spinner in spinners:
            spinner.kill()
            spinner.wait()


@pytest.mark.usefixtures("busy_host")
@pytest.mark.parametrize(
    ("clock", "boards"),
    [
        ("fast", 2),
        pytest.param("fast", 24, marks=pytest.mark.nightly),
        pytest.param("normal", 24, marks=pytest.mark.nightly),
    ],
)
def test_nobody_is_blamed_for_a_busy_host(tmp_path: Path, clock: str, boards: int) -> None:
    command = [sys.executable, "-m", "erqiwang_runner.cli", "play", *BOTS]
    command += ["--boards", str(boards), "--clock", clock, "--workers", "1", "--out", str(tmp_path / "out")]
    played = subprocess.run(command, capture_output=True, text=True, check=False)
    assert played.returncode == 0, played.stderr
    lines = [json.loads(line) for line in (tmp_path / "out" / "games.jsonl").read_text().splitlines()]
    assert [line for line in lines if line["kind"] == "fault"] == []
    assert sum("record" in line for line in lines) == 4 * boards
