"""A house profile from its file to the referee, the bots, the records and back."""

from __future__ import annotations

import json

from erqiwang_runner.cli.__main__ import run
from erqiwang_runner.local.games_log import GamesLog

FRIDAY = """
slug = "friday"
base = "mobile"

[rules]
seats = 3
bid_high = 95
forced_bid = 95
bid_bands = [{ floor = 90, value = 7 }, { floor = 0, value = 11 }]
"""

# A starter that ends if it was not told the game it plays.
WATCHFUL = """
from erqiwang import run
from erqiwang.bots.lowest import LowestBot


class Watchful(LowestBot):
    def table_opened(self, view):
        assert view.profile.slug == "friday", view.profile.slug
        assert view.profile.bids[0] == 95
        assert [band.value for band in view.profile.bid_bands] == [7, 11]


run(Watchful())
"""


def test_a_house_profile_is_played_verified_and_shown(erqi, tmp_path, capsys, monkeypatch):
    house = tmp_path / "friday.toml"
    house.write_text(FRIDAY)
    (tmp_path / "watchful.py").write_text(WATCHFUL)
    words = ["play", "watchful.py", "cautious", "lowest", "--profile", "friday.toml", "--boards", "1"]
    done = erqi(*words, "--seed", "x", "--out", "out")
    assert done.returncode == 0, done.stderr
    log = GamesLog.read(tmp_path / "out" / "games.jsonl")
    assert not log.faults(), list(log.fault_notes())
    records = [record for _, record in log.records()]
    assert {record.profile for record in records} == {"friday"}
    assert all(
        abs(score) % 7 == 0 or abs(score) % 11 == 0
        for each in records
        if not each.surrender
        for score in each.play_scores
    )

    monkeypatch.chdir(tmp_path)
    count = len(records)
    assert run(["verify", "out"]) == 0
    assert capsys.readouterr().out == f"{count} records, 0 differ\n"
    assert run(["replay", "out", "--tricks", "1"]) == 0
    shown = capsys.readouterr()
    assert "bid multiplier" in shown.out
    assert shown.err == ""

    (tmp_path / "one.json").write_text(records[0].to_json())
    assert run(["verify", "one.json"]) == 1
    assert "a house profile: its definition has to be given" in capsys.readouterr().out
    assert run(["verify", "one.json", "--profile", "friday.toml"]) == 0
    capsys.readouterr()
    (tmp_path / "other.toml").write_text(FRIDAY.replace("value = 7", "value = 8"))
    for path in ("one.json", "out"):
        assert run(["verify", path, "--profile", "other.toml"]) == 1
        assert "but the given friday has definition=" in capsys.readouterr().out
    assert run(["replay", "one.json", "--profile", "other.toml"]) == 0
    assert "this record is not right" in capsys.readouterr().err
    assert run(["verify", "one.json", "--profile", "none.toml"]) == 65

    (tmp_path / "friday.toml").write_text(FRIDAY.replace("value = 7", "value = 8"))
    done = erqi(*words, "--seed", "x", "--out", "out")
    assert done.returncode == 64
    assert "is a play with other settings: switches" in done.stderr


def test_a_definition_that_was_changed_in_a_log_is_found_out(tmp_path, capsys, erqi):
    (tmp_path / "friday.toml").write_text(FRIDAY)
    words = ["play", "lowest", "lowest", "lowest", "--profile", "friday.toml", "--session", "1"]
    assert erqi(*words, "--seed", "x", "--out", "out").returncode == 0
    file = tmp_path / "out" / "session.jsonl"
    header, *lines = file.read_text().splitlines()
    told = json.loads(header)
    assert run(["verify", str(file)]) == 0
    told["definition"]["rules"]["bid_bands"][0]["value"] = 8
    file.write_text("\n".join([json.dumps(told, separators=(",", ":")), *lines]) + "\n")
    assert run(["verify", str(file)]) == 1
    assert "but the given friday has definition=" in capsys.readouterr().out
