"""A ladder on real processes: newcomers are validated, epochs go on over kills, everything adds up."""

from __future__ import annotations

import json
import os
import signal
import time
from contextlib import closing

import pytest

from erqiwang_runner.launcher.process_tree import descendants
from erqiwang_runner.store import ladder_summary
from erqiwang_runner.store.engine import Database
from process_table import command

PATIENCE_S = 240.0
QUICK = ("--validation-boards", "1", "--clock", "slow")


def folder(place, name, words):
    place.mkdir()
    command = json.dumps(["python", "-m", *words])
    (place / "bot.toml").write_text(f'name = "{name}"\nversion = "1"\ncommand = {command}\n')
    return str(place)


@pytest.fixture
def asked(erqi):
    def ask(*words):
        code, out, err = erqi.run(*words)
        assert code == 0, out + err
        return json.loads(out) if "--json" in words else out

    return ask


@pytest.fixture
def wait_for(erqi):
    def wait(holds):
        with closing(Database(f"sqlite:///{erqi.home.data / 'erqi.sqlite3'}")) as database:
            limit = time.monotonic() + PATIENCE_S
            while not holds(found := ladder_summary.summarise(database, "l")):
                assert time.monotonic() < limit, found.text()
                time.sleep(0.3)
        return {each.bot: each for each in found.bots}

    return wait


def test_a_ladder_goes_on_over_kills(erqi, asked, wait_for, tmp_path):
    asked("ladder", "create", "l", "--epoch-sets", "2", "--boards", "1", "--deals", "committed", *QUICK)
    asked("ladder", "join", "l", folder(tmp_path / "good", "good", ["erqiwang.bots.lowest"]))
    asked("ladder", "join", "l", folder(tmp_path / "bad", "bad", ["erqiwang.testing.bad", "crash"]))
    up = erqi.start("up", "--workers", "1")
    wait_for(lambda found: found.epoch is not None)
    for word in ("coordinator", "launcher"):
        # Whoever died is started again by the platform, and nothing is lost.
        for pid in [each for each in descendants(up.pid) if word in command(each)]:
            os.kill(pid, signal.SIGKILL)
    bots = wait_for(
        lambda found: (
            all(each.state in ("admitted", "refused") for each in found.bots)
            and any(each.bot == "good@1" and each.rating is not None for each in found.bots)
        )
    )
    assert bots["good@1"].state == "admitted"
    assert bots["bad@1"].state == "refused"
    assert "crashed" in bots["bad@1"].reason
    assert "ladder l: refused" in asked("bot", "log", "bad")
    asked("ladder", "close", "l")
    wait_for(lambda found: found.state == "closed")
    up.send_signal(signal.SIGTERM)
    up.communicate(timeout=PATIENCE_S)
    assert erqi.home.processes() == []

    epochs = [each for each in asked("tournament", "list", "--json") if each["name"].startswith("l.e")]
    assert {(each["state"], each["played"] + each["explained"]) for each in epochs} == {("finished", 2)}
    last = epochs[-1]["name"]
    asked("tournament", "export", last, "--out", str(tmp_path / "export"))
    said = asked("tournament", "verify", str(tmp_path / "export"))
    assert f"epoch {len(epochs) - 1} of the ladder l" in said
    (table,) = asked("ladder", "standings", "l", "--json")["tables"]
    assert len(table["rows"]) == 5
