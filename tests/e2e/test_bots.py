"""A bot of an author on a platform: stored, fetched by a worker, played, and heard."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys

import pytest

BOT = """
import sys
import helper
from erqiwang import Bot, run


class Loud(Bot):
    def bid(self, view):
        return helper.opening(view)

    def name_trump(self, view):
        return view.legal_trumps()[0]

    def bury(self, view):
        return view.hand[-view.profile.kitty_size :]

    def play(self, view):
        return next(iter(view.legal_plays()))


print("printed by", sys.argv[1])
print("logged", file=sys.stderr)
run(Loud)
"""
HELPER = """
def opening(view):
    return view.legal_bids()[0] if view.standing_bid is None else None
"""
TOML = 'name = "loud"\nversion = "7"\ncommand = ["python", "loud.py", "{voice}"]\n[options]\nvoice = "alto"\n'


@pytest.fixture
def erqi(tmp_path, require):
    require("redis-server")

    def run(*words: str, code: int = 0) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "erqiwang_runner.cli", "--data", str(tmp_path / "data"), *words],
            capture_output=True,
            text=True,
            timeout=240,
            env={**os.environ, "COLUMNS": "200"},
        )
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout + done.stderr

    return run


@pytest.fixture
def folder(tmp_path):
    place = tmp_path / "loud"
    place.mkdir()
    (place / "loud.py").write_text(BOT)
    (place / "helper.py").write_text(HELPER)
    (place / "bot.toml").write_text(TOML)
    return place


def test_a_bot_is_played_from_the_store_and_heard_by_its_author(erqi, folder, tmp_path):
    assert erqi("bot", "add", str(folder)) == erqi("bot", "add", str(folder))
    (folder / "helper.py").write_text(HELPER + "\n")
    assert "a changed bot needs a new version" in erqi("bot", "add", str(folder), code=64)
    (tmp_path / "t.toml").write_text(
        'name = "t"\nboards = 2\nset_type = "pair22"\n[[entries]]\nbot = "loud@7"\n'
        'options = {voice = "bass"}\n[[entries]]\nbot = "lowest"\n'
    )
    erqi("tournament", "create", "--file", str(tmp_path / "t.toml"))
    # Workers have nothing but the store.
    shutil.rmtree(folder)
    erqi("tournament", "run", "t", "--workers", "1")
    status = json.loads(erqi("tournament", "status", "t", "--json"))
    assert (status["played"], status["faults"]) == (2, [])
    logs = json.loads(erqi("bot", "log", "loud", "--json"))
    assert {(log["text"], log["fault"], log["tournament"]) for log in logs} == {
        ("printed by bass\nlogged\n", None, "t")
    }
    erqi("bot", "retire", "loud@7")
    assert "loud@7 is retired" in erqi(
        *("tournament", "create", "u", "--set-type", "pair22", "--entry", "loud@7", "--entry", "lowest"),
        code=64,
    )
