"""Every bad bot in every seat: the match ends, nobody else is blamed, and no process is left."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

GOOD = ("counter", "lowest", "cautious")
TIME = {"timed_out_move", "timed_out_bank"}
CAUSES = {
    "crash": {"crashed"},
    "exit0": {"left"},
    "leaves": {"left"},
    "hang": TIME,
    "slow": TIME,
    "deaf": TIME,
    "garbage": {"malformed"},
    "malformed": {"malformed"},
    "illegal": {"illegal"},
    "flood": {"flooded"},
    "joins_twice": {"protocol"},
    "never_joins": {"never_joined"},
    "forks": {"crashed"},
    "noisy": set[str](),
}
SELECTION = (("forks", 0), ("hang", 3))


def cases() -> list[object]:
    every = [(how, entry) for how in CAUSES for entry in range(4)]
    return [
        pytest.param(how, entry, marks=() if (how, entry) in SELECTION else pytest.mark.nightly)
        for how, entry in every
    ]


@pytest.mark.parametrize(("how", "entry"), cases())
def test_a_bad_bot_harms_only_itself(tmp_path: Path, how: str, entry: int) -> None:
    bots = list(GOOD)
    bots.insert(entry, f"{sys.executable} -m erqiwang.testing.bad {how}")
    out = tmp_path / "out"
    command = [sys.executable, "-m", "erqiwang_runner.cli", "play", *bots, "--boards", "1"]
    command += ["--clock", "fast", "--workers", "1", "--out", str(out)]
    (tmp_path / "tmp").mkdir()
    environment = {**os.environ, "TMPDIR": str(tmp_path / "tmp")}
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=400, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    lines = [json.loads(line) for line in (out / "games.jsonl").read_text().splitlines()]
    faults = [line for line in lines if line["kind"] == "fault"]
    assert {fault["entry"] for fault in faults} <= {entry}
    assert {fault["cause"] for fault in faults} <= CAUSES[how]
    assert bool(faults) is bool(CAUSES[how])
    if how not in ("hang", "slow", "deaf"):
        assert len(faults) <= 4  # one process a table, one event a process, however often it is started
    assert sum("record" in line for line in lines) == 4
    assert processes_of(tmp_path / "tmp") == []


def processes_of(temporary: Path) -> list[int]:
    mark = str(temporary).encode()
    return [int(path.parent.name) for path in Path("/proc").glob("[0-9]*/environ") if mark in read(path)]


def read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""
