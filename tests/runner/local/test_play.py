"""`erqi play` with real processes: play, stop, continue, look at it again."""

from __future__ import annotations

import json
import signal
import subprocess
import sys

import pytest

from erqiwang.rules import format_cards
from erqiwang.testing import deal_around
from erqiwang_runner.local.games_log import GamesLog


def moves(file):
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    return {(line["n"], line["table"]): line["moves_hash"] for line in lines if line["kind"] == "table"}


def test_a_stopped_play_continues_with_the_same_command_and_gives_the_same(erqi, tmp_path):
    words = ["play", "lowest", "cautious", "--boards", "3", "--seed", "x"]
    process = subprocess.Popen(
        [sys.executable, "-m", "erqiwang_runner.cli", *words, "--workers", "1", "--out", "stopped"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    for line in process.stderr:
        if "results go to" in line:
            break
    process.send_signal(signal.SIGINT)
    _, said = process.communicate()
    assert process.returncode == 130, said
    assert "of 3 board sets are stored; continue with" in said
    assert "Traceback" not in said

    done = erqi(*words, "--workers", "1", "--out", "stopped", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["board_sets"] == 3
    whole = erqi(*words, "--workers", "2", "--out", "whole")
    assert whole.returncode == 0, whole.stderr
    assert "not verifiable" in whole.stderr
    assert "Variance ratio" in whole.stdout
    assert moves(tmp_path / "stopped/games.jsonl") == moves(tmp_path / "whole/games.jsonl")

    before = (tmp_path / "whole/games.jsonl").read_bytes()
    assert erqi(*words, "--out", "whole").returncode == 0
    assert (tmp_path / "whole/games.jsonl").read_bytes() == before

    seen = erqi("watch", "whole", "--board", "1", "--table", "0")
    assert seen.returncode == 0
    assert "board 1, table 0" in seen.stdout
    assert "lowest@1" in seen.stdout


def test_deals_made_by_hand_and_a_bot_that_never_comes(erqi, tmp_path):
    deal = deal_around({0: "BJ BJ LJ LJ"}, opener=2)
    hands = [format_cards(hand) for hand in deal.hands]
    line = json.dumps({"hands": hands, "kitty": format_cards(deal.kitty), "opener": 2})
    (tmp_path / "deals.jsonl").write_text(line + "\n")
    (tmp_path / "broken.py").write_text("raise SystemExit('no weights file')\n")
    done = erqi("play", "broken.py", "lowest", "--deals", "deals.jsonl", "--out", "out", "--show")
    assert done.returncode == 0, done.stderr
    assert "deals made by hand" in done.stderr
    assert "board 0, table 0" in done.stderr
    assert "never_joined" in done.stdout
    assert "no weights file" in done.stdout
    log = GamesLog.read(tmp_path / "out" / "games.jsonl")
    assert {(record.hands, record.opener) for _, record in log.records()} == {(deal.hands, 2)}
    assert "no weights file" in next((tmp_path / "out" / "stderr").iterdir()).read_text()


def test_three_seats_and_a_person_who_leaves_everything_to_the_fallback(erqi):
    words = ["play", "lowest", "lowest", "--profile", "mobile", "--human", "2", "--seed", "x"]
    done = erqi(*words, stdin="nonsense\n")
    assert done.returncode == 0, done.stderr
    assert "'nonsense' is not one of them" in done.stdout
    assert "scores by seat" in done.stdout


def test_a_person_may_leave_in_the_middle(tmp_path):
    words = ["play", "lowest", "lowest", "--profile", "mobile", "--human", "0"]
    with subprocess.Popen(
        [sys.executable, "-m", "erqiwang_runner.cli", *words],
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if "you are seat 0" in line:
                break
        process.send_signal(signal.SIGINT)
        _, said = process.communicate()
    assert (process.returncode, said) == (130, "")


def test_a_room_multiplies_the_scores(erqi, tmp_path):
    bots = ("lowest", "cautious", "lowest", "cautious")
    scores = []
    for room in ("1", "5"):
        words = ("--session", "1", "--profile", "qq", "--room", room, "--seed", "x", "--json")
        done = erqi("play", *bots, *words)
        assert done.returncode == 0, done.stderr
        scores.append(json.loads(done.stdout)["deals"][0]["scores"])
    assert scores[1] == [5 * score for score in scores[0]]
    assert any(scores[0])


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["nonsense"], 64, "'nonsense' is no contestant"),
        (["counter"], 64, "no set type seats 1 entries"),
        (["counter", "counter", "--profile", "bridge"], 64, "bridge"),
        (["counter", "counter", "--clock", "sundial"], 64, "no clock class"),
        (["counter", "counter", "--deals", "none.jsonl"], 65, "No such file"),
        (["counter", "counter", "--human", "1"], 64, "3 bots to name, not 2"),
        (["counter", "--human", "7"], 64, "the seats are 0 to 3"),
        (["counter", "counter", "--profile", "none.toml"], 65, "No such file"),
        (["counter", "counter", "--room", "5"], 64, "profile classic has no room multiplier 5"),
    ],
)
def test_what_cannot_be_played_is_one_line(erqi, words, code, said):
    done = erqi("play", *words)
    assert done.returncode == code
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1
