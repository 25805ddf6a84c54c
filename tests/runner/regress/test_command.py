"""`erqi regress` with real processes; few boards, for players take time to start."""

from __future__ import annotations

import json
import subprocess

import pytest

BOT = "from erqiwang import run\nfrom erqiwang.bots.lowest import LowestBot\n\nrun(LowestBot)\n"
FEW = ["--max-boards", "4", "--delta", "0.5", "--seed", "s"]


def test_a_test_stops_continues_and_says_the_same(erqi, tmp_path):
    words = ["regress", "lowest", "lowest", *FEW, "--out", "t"]
    first = erqi(*words, "--json", "--workers", "1")
    assert first.returncode == 2, first.stderr
    found = json.loads(first.stdout)
    assert found["board_sets"] == 4
    assert found["tables"] == 8
    assert found["verdict"] == found["answer"] == "inconclusive"
    assert (found["new"], found["old"]) == ("lowest@1 (A)", "lowest@1 (B)")
    games = tmp_path / "t" / "games.jsonl"
    before = games.read_bytes()

    assert "at most 4 board sets: no verdict, for that takes 36" in first.stderr

    again = erqi(*words, "--json", "--workers", "2")
    assert again.returncode == 2
    assert json.loads(again.stdout) == found
    assert games.read_bytes() == before
    assert "board sets are there already" in again.stderr

    lines = before.splitlines(keepends=True)
    games.write_bytes(b"".join(lines[:4]))
    resumed = erqi(*words, "--json", "--workers", "1")
    assert json.loads(resumed.stdout) == found

    assert (tmp_path / "t" / "summary.md").read_text().startswith("**lowest@1 (A)** against **lowest@1 (B)**")
    other = erqi("regress", "lowest", "lowest", *FEW, "--out", "t", "--preset", "no-regression")
    assert other.returncode == 64
    assert erqi("tournament", "verify", "t").returncode == 0


def test_two_revisions_are_compared(erqi, tmp_path):
    bot = tmp_path / "bot.py"
    for version in ("one", "two"):
        bot.write_text(BOT + f"# {version}\n")
        commit = ["-c", "user.name=t", "-c", "user.email=t@t", "commit", "-qm", version]
        for words in (["init", "-q"], ["add", "bot.py"], commit):
            subprocess.run(["git", *words], cwd=tmp_path, check=True)
    done = erqi(
        *["regress", "--git", "HEAD", "HEAD~1", "--bot", "bot.py", "--build", "test -f bot.py", *FEW],
        *["--max-boards", "1", "--json"],
    )
    assert done.returncode == 2, done.stderr
    found = json.loads(done.stdout)
    assert found["new"].startswith("HEAD (")
    assert found["board_sets"] == 1
    listed = subprocess.run(["git", "worktree", "list"], cwd=tmp_path, capture_output=True, check=True)
    assert len(listed.stdout.splitlines()) == 1


@pytest.mark.parametrize(
    "words",
    [
        ["lowest"],
        ["lowest", "nobody"],
        ["lowest", "random", "--preset", "hope"],
        ["lowest", "random", "--build", "make"],
        ["lowest", "random", "--profile", "chess"],
        ["lowest", "random", "--delta", "-1"],
        ["lowest", "random", "--delta", "nan"],
        ["lowest", "random", "--delta", "inf"],
        ["lowest", "random", "--delta", "2"],
        ["lowest", "random", "--plot", "llr.gif"],
        ["lowest", "random", "--workers", "many"],
        ["lowest", "random", "--priority", "2"],
        ["lowest", "random", "--submit", "--out", "t"],
        ["lowest", "nobody", "--submit"],
        ["lowest", "random", "--submit", "--profile", "chess"],
    ],
    ids=" ".join,
)
def test_wrong_usage(words, tmp_path, monkeypatch, capsys):
    from erqiwang_runner.cli.__main__ import run

    monkeypatch.chdir(tmp_path)
    assert run(["regress", *words]) == 64
    assert capsys.readouterr().err.count("\n") == 1
    assert not (tmp_path / "erqi-regress").exists()
