"""`erqi ladder`, as an operator types it."""

from __future__ import annotations

import json
from contextlib import closing

import pytest

from erqiwang.deals import SEED_BYTES
from erqiwang_runner.cli.__main__ import run
from erqiwang_runner.store import ladders
from erqiwang_runner.store.engine import Database
from erqiwang_runner.store.ladders import LadderState, Rated


@pytest.fixture
def erqi(tmp_path, capsys):
    def call(*words, code=0, command="ladder"):
        got = run(["--data", str(tmp_path / "data"), command, *words])
        said = capsys.readouterr()
        assert got == code, said
        return said.err if code else said.out

    return call


@pytest.fixture
def bot(tmp_path):
    def make(name="mine", version="1"):
        folder = tmp_path / f"{name}-{version}"
        folder.mkdir()
        (folder / "bot.toml").write_text(f'name = "{name}"\nversion = "{version}"\ncommand = ["./bot.sh"]\n')
        (folder / "bot.sh").write_text("#!/bin/sh\n")
        (folder / "bot.sh").chmod(0o755)
        return str(folder)

    return make


def change(tmp_path, act):
    """Change the ladder `l` in the store, as the coordinator would."""
    opened = Database(f"sqlite:///{tmp_path / 'data' / 'erqi.sqlite3'}")
    with closing(opened) as database, database.write() as connection:
        act(connection, ladders.find(connection, "l"))


def rated(tmp_path, *ratings):
    change(tmp_path, lambda to, ladder: ladders.add_ratings(to, ladder, ratings))


def test_a_ladder_from_its_making_to_its_end(erqi, bot):
    erqi("create", "l")
    assert json.loads(erqi("join", "l", bot(), "--json"))["state"] == "waiting"
    assert json.loads(erqi("leave", "l", "mine", "--json"))["reason"] == "it was taken out"
    assert json.loads(erqi("join", "l", "mine", "--json"))["reason"] == "it came again"
    assert json.loads(erqi("admit", "l", "mine@1", "--json"))["state"] == "admitted"
    found = json.loads(erqi("status", "--json"))
    assert [each["bot"] for each in found["bots"]] == [
        *("random@1", "lowest@1", "cautious@1", "counter@1", "mine@1")
    ]
    assert erqi("pause", "l") == "l: paused, no epoch yet, 5 bots\n"
    assert erqi("resume", "l") == "l: running, no epoch yet, 5 bots\n"
    assert erqi("close", "l") == "l: closing, no epoch yet, 5 bots\n"
    assert "the ladder l is closing: nobody joins it any more" in erqi("join", "l", "counter", code=64)
    assert json.loads(erqi("list", "--json"))[0]["state"] == "closing"
    assert "ladder l: admitted: the operator admitted it" in erqi("log", "mine", command="bot")


def test_a_challenge_is_a_tournament_that_runs_and_is_never_rated(erqi, bot):
    erqi("create", "l", "--seed", "s")
    said = json.loads(erqi("challenge", "l", bot(), "counter", "--boards", "6", "--json"))
    assert said == {"tournament": "l.c0", "boards": 6, "bots": ["mine@1", "counter@1"]}
    assert json.loads(erqi("status", "l.c0", "--json", command="tournament"))["planned"] == 6
    assert json.loads(erqi("challenge", "l", "mine", "counter", "--json"))["tournament"] == "l.c1"
    assert "different bots" in erqi("challenge", "l", "mine", "mine", code=64)
    assert "a challenge is of 2 to 4 bots, not 1" in erqi("challenge", "l", "mine", code=64)


def test_committed_secrets_are_published_as_a_chain(erqi, tmp_path):
    erqi("create", "l", "--deals", "committed", "--entropy-source", "a beacon")
    ((first, tip),) = json.loads(erqi("status", "l", "--json"))["tips"]
    assert (first, len(tip)) == (0, 2 * SEED_BYTES)
    assert tip in (tmp_path / "data" / "secrets.key").read_text()
    assert f"hash chain from epoch 0 on: {tip}" in erqi("status", "l")


def test_the_history_of_a_bot(erqi, tmp_path):
    erqi("create", "l")
    assert erqi("history", "l") == "l has no ratings yet\n"
    assert "the ladder l has no epoch yet: no board was played" in erqi("standings", "l", code=64)
    rated(tmp_path, Rated(0, 1, 1, 1612.0, 20.0, 30, 0.5), Rated(0, 2, 2, 1401.0, None, 30, -0.5))
    rated(tmp_path, Rated(1, 1, 1, 1600.0, 15.0, 60, 0.4))
    found = json.loads(erqi("history", "l", "--bot", "random", "--json"))
    assert [(each["epoch"], each["rating"], each["error"]) for each in found] == [
        (0, 1612.0, 20.0),
        (1, 1600.0, 15.0),
    ]
    assert json.loads(erqi("history", "l", "--json"))[1]["error"] is None
    assert "epoch 1        1. random@1" in erqi("history", "l")
    assert json.loads(erqi("status", "l", "--json"))["bots"][0]["boards"] == 60


CANNOT_BE = [
    (("create", "a.b"), "is no name for a ladder"),
    (("create", "m", "--profile", "whist"), "no such profile: 'whist'"),
    (("create", "m", "--switch", "x=y"), "profile classic has no switch 'x'"),
    (("create", "m", "--clock", "x"), "no clock class 'x'"),
    (("create", "m", "--policy", "x"), "no fault policy 'x'; there are: forfeit, autoplay"),
    (("create", "m", "--deals", "x"), "no kind of deals 'x'; there are: seeded, committed"),
    (
        ("create", "m", "--anchor", "random", "--anchor", "random"),
        "the anchors of a ladder are different",
    ),
    (("create", "m", "--entropy-source", "x"), "belongs to committed deals"),
    (("create", "m", "--epoch-hours", "0"), "epoch_hours is 0.0: a time above 0 is needed"),
    (("create", "l"), "there is a ladder 'l' already"),
    (("join", "l", "nobody"), "nobody"),
    (("leave", "l", "nobody"), "there is no bot 'nobody' in the ladder l"),
    (("leave", "l", "counter"), "counter@1 is an anchor of l: it stays"),
    (("admit", "l", "counter@9"), "there is no bot 'counter@9' in the ladder l"),
    (("pause", "m"), "there is no ladder 'm'"),
    (("status", "m"), "there is no ladder 'm'"),
]


def test_what_cannot_be_is_said_in_one_line(erqi):
    erqi("create", "l")
    for words, says in CANNOT_BE:
        said = erqi(*words, code=64)
        assert says in said
        assert said.count("\n") == 1, words


def test_a_ladder_that_closed_is_not_opened_again(erqi, tmp_path):
    erqi("create", "l")
    change(tmp_path, lambda to, ladder: ladders.set_state(to, ladder, LadderState.CLOSED))
    assert "the ladder l is closed: it does not go on" in erqi("resume", "l", code=64)
    assert "the ladder l is closed: it cannot be paused" in erqi("pause", "l", code=64)
    assert erqi("close", "l") == "l: closed, no epoch yet, 4 bots\n"


def test_without_a_ladder_there_is_nothing_to_see(erqi):
    erqi("list", command="tournament")
    assert erqi("list") == "there is no ladder yet\n"
    assert "there is no ladder yet" in erqi("status", code=64)
