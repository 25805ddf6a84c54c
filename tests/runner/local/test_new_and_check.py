"""From nothing to a bot that plays, and what `erqi check` finds wrong with others."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from erqiwang.rules import PROFILES
from erqiwang_runner.cli.check import profiles_for
from erqiwang_runner.local.bot_toml import read_bot_toml

BAD = """
import random
from erqiwang import Bot, run

print("hello")

class Bad(Bot):
    def bid(self, view):
        return random.choice(view.legal_bids()[:1])

    def name_trump(self, view):
        return random.choice(view.legal_trumps())

    def bury(self, view):
        return view.hand[: view.profile.kitty_size]

    def play(self, view):
        return view.hand[:1]

run(Bad)
raise SystemExit(4)
"""


def test_a_new_bot_plays_at_once_and_beats_random(erqi, tmp_path):
    done = erqi("new", "my-bot")
    assert done.returncode == 0, done.stderr
    assert "erqi play my-bot random random random" in done.stdout
    assert "erqi check my-bot" in done.stdout
    own = subprocess.run(
        [sys.executable, "test_bot.py"], cwd=tmp_path / "my-bot", capture_output=True, text=True, check=False
    )
    assert own.stdout == "all is well\n", own.stderr
    played = erqi(
        "play", "my-bot", "random", "random", "random", "--boards", "1", "--json", "--option", "A.courage=14"
    )
    assert played.returncode == 0, played.stderr
    rows = json.loads(played.stdout)["tables"][0]["rows"]
    assert {row["bot"] for row in rows} >= {"my-bot@1"}
    assert not any(row["faults"] for row in rows)


@pytest.mark.parametrize(
    ("name", "said"), [("counter", "bundled"), ("1st", "no name for a bot"), ("there", "exists already")]
)
def test_a_folder_that_cannot_be(erqi, tmp_path, name, said):
    (tmp_path / "there").mkdir()
    done = erqi("new", name)
    assert done.returncode == 64
    assert said in done.stderr


def test_a_good_bot_passes(erqi, tmp_path):
    chosen = ("classic", "jiangxi-3p")
    words = [word for profile in chosen for word in ("--profile", profile)]
    done = erqi("check", "lowest", "--boards", "1", "--json", *words)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    levels = {each["check"]: each["level"] for each in found["checks"]}
    assert found["ok"]
    assert set(levels) == {
        *(f"plays {profile}" for profile in chosen),
        *("start", "speed", "goodbye", "same again", "rejection"),
        # Of a process that had to be killed, on a busy machine, nothing else is known.
        *({"memory", "output"} & set(levels)),
    }
    assert {"memory", "output"} <= set(levels) or levels["goodbye"] == "warn"
    sure = {name for name in levels if name not in ("start", "speed", "memory", "goodbye")}
    assert {levels[name] for name in sure} == {"ok"}
    admitted = {"admitted": True, "reason": "it played 1 boards without a forfeit", "suspended_after": None}
    assert found["ladder"] == admitted


def test_without_a_word_every_profile_is_played(tmp_path):
    (tmp_path / "bot.toml").write_text('command = ["python", "bot.py"]\nprofiles = ["qq", "mobile"]\n')
    described = read_bot_toml(tmp_path)
    assert profiles_for((), None) == tuple(PROFILES)
    assert profiles_for((), described) == ("qq", "mobile")
    assert profiles_for(["classic"], described) == ("classic",)


def test_a_bad_bot_hears_what_it_would_cost(erqi, tmp_path):
    (tmp_path / "bad.py").write_text(BAD)
    done = erqi("check", "bad.py", "--boards", "3", "--profile", "classic")
    assert done.returncode == 1, done.stderr
    for text in ("illegal", "forfeited", "'hello'", "error code", "Mend what failed"):
        assert text in done.stdout
    assert "On a ladder it would not be admitted: it forfeited 3 of 3 boards: illegal" in done.stdout
    assert "once in, it would be suspended after 1 board." in done.stdout
