"""A tournament of a house profile: its rules lie in the database and in the export, and bind both."""

from __future__ import annotations

import json
from contextlib import closing

import pytest

from erqiwang.rules import read_profile
from erqiwang_runner.cli.__main__ import run
from erqiwang_runner.results import Isolation
from erqiwang_runner.store import tournaments
from erqiwang_runner.store.engine import Database
from erqiwang_runner.store.reader import SqlResults, pool_key

FRIDAY = """
slug = "friday-evening-at-the-harbour"
base = "classic"

[rules]
bid_high = 100
bid_bands = [{ floor = 85, value = 7 }, { floor = 0, value = 11 }]
kitty_multipliers = [2, 4, 8]
"""
BOTS = ("random", "lowest", "cautious", "counter")


@pytest.fixture
def host(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "friday.toml").write_text(FRIDAY)
    (tmp_path / "other.toml").write_text(FRIDAY.replace("harbour", "station"))
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "cup.toml").write_text(
        'name = "of-file"\nprofile = "../friday.toml"\nboards = 3\n'
        + "".join(f'[[entries]]\nbot = "{bot}"\n' for bot in BOTS)
    )
    return tmp_path


@pytest.fixture
def opened(host):
    with closing(Database(f"sqlite:///{host / 'erqi-data' / 'erqi.sqlite3'}")) as database:
        yield database


def create(name, profile, *more):
    entries = [word for bot in BOTS for word in ("--entry", bot)]
    return run(["tournament", "create", name, *entries, "--boards", "3", "--profile", profile, *more])


def row_of(database, name):
    with database.read() as connection:
        return tournaments.find(connection, name)


def test_the_rules_are_in_the_database_and_the_pool_is_that_of_their_content(host, opened, capsys):
    assert run(["tournament", "create", "--file", "elsewhere/cup.toml"]) == 0
    assert create("of-options", "friday.toml") == 0
    assert create("another-name", "other.toml") == 0
    (host / "friday.toml").write_text(FRIDAY.replace("value = 7", "value = 8"))
    assert create("changed", "friday.toml") == 0
    assert create("classic", "classic") == 0
    names = ("of-file", "of-options", "another-name", "changed", "classic")
    rows = {name: row_of(opened, name) for name in names}
    assert rows["of-file"].conditions.profile == read_profile(FRIDAY)
    pools = {name: pool_key(row, Isolation.ISOLATED) for name, row in rows.items()}
    assert pools["of-file"] == pools["of-options"] == pools["another-name"]
    assert len(set(pools.values())) == 3
    assert SqlResults(opened).tournament("of-file").profile == "friday-evening-at-the-harbour"


def test_what_is_wrong_with_a_house_profile_is_said_before_anything_is_written(host, capsys):
    (host / "friday.toml").write_text(FRIDAY.replace("bid_high", "bid_hihg"))
    assert create("t", "friday.toml") == 65
    assert "friday.toml: rules.bid_hihg: unknown key" in capsys.readouterr().err
    assert create("t", "gone.toml") == 65
    assert create("t", "classic", "--room", "5") == 64
    assert "profile classic has no room multiplier 5" in capsys.readouterr().err
    assert run(["tournament", "create", "--file", "elsewhere/cup.toml"]) == 65
    assert "bid_hihg" in capsys.readouterr().err
    assert run(["tournament", "status", "t"]) == 64


def test_it_is_played_exported_and_verified_from_the_export_alone(host, change, capsys):
    assert create("t", "friday.toml", "--deals", "committed") == 0
    assert run(["tournament", "run", "t", "--workers", "1"]) == 0
    assert run(["tournament", "export", "t", "--out", "out"]) == 0
    (host / "friday.toml").unlink()
    capsys.readouterr()
    assert run(["tournament", "verify", "out"]) == 0
    assert "12 records: played again" in capsys.readouterr().out
    assert run(["verify", "out"]) == 0
    assert run(["replay", "out", "--tricks", "1"]) == 0
    shown = capsys.readouterr()
    assert "bid multiplier 7" in shown.out or "bid multiplier 11" in shown.out
    assert shown.err == ""
    lines = [json.loads(line) for line in (host / "out" / "games.jsonl").read_text().splitlines()]
    assert lines[0]["definition"]["rules"]["bid_bands"][0]["value"] == 7
    assert {line["record"]["profile"] for line in lines[1:]} == {"friday-evening-at-the-harbour"}

    change(host / "out", lambda each: each[0].update(pool="0" * 16))
    assert run(["tournament", "verify", "out"]) == 1
    assert "pool: 0000000000000000, but its conditions are" in capsys.readouterr().out
    change(host / "out", lambda each: each[0].update(pool=lines[0]["pool"], isolation="open"))
    assert run(["tournament", "verify", "out"]) == 1
    assert "isolation: 'open', but with these bots it is 'isolated'" in capsys.readouterr().out

    def other_rules(each):
        each[0]["isolation"] = "isolated"
        each[0]["definition"]["rules"]["bid_bands"][0]["value"] = 8

    change(host / "out", other_rules)
    assert run(["tournament", "verify", "out", "--json"]) == 1
    found = json.loads(capsys.readouterr().out)["differences"]
    assert "definition: its rules are not those whose hash the switches have" in found
