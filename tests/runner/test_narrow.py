"""Transcripts on narrow terminals: nothing is lost, no suit is broken that fits into a line."""

from __future__ import annotations

import io

import pytest

from erqiwang.bots.counter import CounterBot
from erqiwang.rules import record_of
from erqiwang.testing import play_board
from erqiwang_runner.cli.__main__ import run
from erqiwang_runner.narrow import columns_of, narrowed
from erqiwang_runner.transcript import transcript


@pytest.fixture(scope="module")
def record():
    return record_of(play_board([CounterBot] * 4, 3))


@pytest.mark.parametrize("columns", [40, 60, 80])
def test_lines_are_short_and_suits_are_whole(record, columns):
    text = transcript(record, ["a bot with a long name"] * 4)
    narrow = narrowed(text, columns)
    assert narrow.split() == text.split()
    lines = narrow.split("\n")
    assert max(map(len, lines)) <= columns < max(map(len, text.split("\n")))
    suits = [suit for line in text.split("\n") for suit in line.split(" | ")[1:]]
    assert all(suit in narrow for suit in suits if len(suit) <= columns - 8)


def test_replay_and_watch_obey_columns(record, tmp_path, capsys, monkeypatch):
    file = tmp_path / "record.json"
    file.write_text(record.to_json())
    for command in ("replay", "watch"):
        monkeypatch.setenv("COLUMNS", "60")
        assert run([command, str(file)]) == 0
        narrow = capsys.readouterr().out
        monkeypatch.delenv("COLUMNS")
        assert run([command, str(file)]) == 0
        wide = capsys.readouterr().out
        assert max(map(len, narrow.split("\n"))) <= 60 < max(map(len, wide.split("\n")))
        assert narrow.split() == wide.split()


def test_what_is_no_terminal_has_no_width(monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)
    assert columns_of(io.StringIO()) is None
    monkeypatch.setenv("COLUMNS", "0")
    assert columns_of(io.StringIO()) is None
    assert narrowed("a " * 200, None) == "a " * 200
