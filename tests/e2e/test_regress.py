"""A queue of regression tests on a running platform says what the same test says at home."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys

import pytest

PATIENCE_S = 240.0
BOT = "from erqiwang import run\nfrom erqiwang.bots.lowest import LowestBot\n\nrun(LowestBot)\n"
TOML = 'name = "mine"\nversion = "1"\ncommand = ["python", "bot.py"]\n'
TEST = ["regress", "--git", "HEAD", "HEAD~1", "--max-boards", "4", "--delta", "0.5", "--seed", "s"]
OF_THE_PLATFORM = {"test", "state", "priority", "max_board_sets", "decided_by"}


@pytest.fixture
def repository(tmp_path):
    """Two commits of a bot that calls both of them version 1."""
    place = tmp_path / "repository"
    place.mkdir()
    (place / "bot.toml").write_text(TOML)
    commit = ["-c", "user.name=t", "-c", "user.email=t@t", "commit", "-qm", "a version"]
    for words in (["init", "-q"], ["add", "."], commit, ["add", "."], commit):
        if words[0] == "add":
            (place / "bot.py").write_text(f"{BOT}# {len(list(place.glob('.git/objects/??')))}\n")
        subprocess.run(["git", *words], cwd=place, check=True)
    return place


@pytest.fixture
def erqi(make_demo, repository):
    """Start a command on one data directory, in the repository."""
    home = make_demo("data", 1)

    def start(*words, data=True):
        place = ["--data", str(home.data)] if data else []
        return subprocess.Popen(
            [sys.executable, "-m", "erqiwang_runner.cli", *place, *words],
            cwd=repository,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "TMPDIR": str(home.temporary)},
        )

    return start


@pytest.fixture
def run(erqi):
    """Run a command to its end: exit code, output, errors."""

    def run_(*words, **more):
        process = erqi(*words, **more)
        out, err = process.communicate(timeout=PATIENCE_S)
        return process.returncode, out, err

    return run_


def test_a_submitted_test_is_found_again_and_says_what_it_says_at_home(erqi, run, repository):
    code, _, err = run(*TEST, "--workers", "platform")
    assert code == 69
    assert "erqi up" in err
    code, out, err = run(*TEST, "--submit", "--priority", "-3", "--json")
    assert code == 0, err
    submitted = json.loads(out)
    name = submitted["test"]
    assert (submitted["state"], submitted["priority"], submitted["answer"]) == ("running", -3, "inconclusive")
    trees = subprocess.run(["git", "worktree", "list"], cwd=repository, capture_output=True, check=True)
    assert len(trees.stdout.splitlines()) == 1
    assert run("test", "stop", name)[0] == 0
    assert run("test", "priority", name, "7")[0] == 0
    (listed,) = json.loads(run("test", "list", "--json")[1])
    assert (listed["test"], listed["state"], listed["priority"]) == (name, "paused", 7)
    assert run("tournament", "create", "t", "--format", "regression", "--entry", "lowest")[0] == 64

    up = erqi("up", "--workers", "2")
    assert "2 workers" in up.stdout.readline()
    code, out, err = run(*TEST, "--workers", "platform", "--json")
    assert code == 2, err
    found = json.loads(out)
    assert (found["test"], found["state"], found["decided_by"], found["slots"]) == (name, "finished", 4, 4)
    assert run("test", "watch", name)[0] == 2
    assert len(json.loads(run("test", "list", "--json")[1])) == 1
    code, out, _ = run("test", "summary")
    assert code == 0
    assert out.startswith("**HEAD (")
    up.send_signal(signal.SIGTERM)
    up.communicate(timeout=PATIENCE_S)

    code, out, err = run(*TEST, "--workers", "2", "--json", data=False)
    assert code == 2, err
    at_home = json.loads(out)
    del at_home["games"]
    assert at_home == {key: each for key, each in found.items() if key not in OF_THE_PLATFORM}
    assert {each["answer"] for each in (at_home, found)} == {"inconclusive"}


@pytest.mark.nightly
def test_a_verdict_comes_at_the_same_slot_here_and_there(erqi, run):
    test = ["regress", "lowest", "random", "--delta", "0.3", "--seed", "s", "--json"]
    code, out, err = run(*test, "--workers", "1", data=False)
    assert code == 0, err
    at_home = json.loads(out)
    del at_home["games"]
    up = erqi("up", "--workers", "3")
    assert "3 workers" in up.stdout.readline()
    code, out, err = run(*test, "--workers", "platform")
    assert code == 0, err
    found = json.loads(out)
    assert found["decided_by"] == at_home["slots"] >= 36
    same = {key: each for key, each in found.items() if key not in OF_THE_PLATFORM}
    assert same == at_home
    up.send_signal(signal.SIGTERM)
    up.communicate(timeout=PATIENCE_S)
