"""A table as pages, and stepping through them."""

from __future__ import annotations

import pytest

from erqiwang.bots.lowest import LowestBot
from erqiwang.rules import record_of
from erqiwang.testing import play_board
from erqiwang_runner.cli.__main__ import run
from erqiwang_runner.local.table_pages import table_pages


@pytest.fixture
def record():
    return record_of(play_board([LowestBot] * 4, 0))


@pytest.fixture
def file(tmp_path, record):
    path = tmp_path / "records.jsonl"
    path.write_text(record.to_json() + "\n" + record.to_json() + "\n")
    return path


def test_a_page_for_the_deal_each_trick_and_the_result(record):
    pages = list(table_pages(record, ["a", "b", "c", "d"]))
    assert len(pages) == len(record.tricks) + 2
    assert "auction" in pages[0]
    assert "buried" in pages[1]
    assert " 1. " in pages[1]
    assert "scores" in pages[-1]
    lead = record.tricks[-1].plays[0]
    assert all(str(card) in pages[-2] for card in lead)


def test_without_a_terminal_everything_is_printed(file, capsys):
    assert run(["watch", str(file)]) == 0
    shown = capsys.readouterr().out
    assert "board 0, table 0" in shown
    assert "board 1, table 0" in shown


def test_keys_step_skip_and_leave(file, capsys, monkeypatch):
    keys = iter(["", "t", "", "q"])
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    monkeypatch.setattr("builtins.input", lambda prompt: next(keys))
    assert run(["watch", str(file)]) == 0
    shown = capsys.readouterr().out
    assert shown.count("auction") == 2
    assert " 1. " in shown
    assert " 3. " not in shown


def test_what_is_no_table(tmp_path, file, capsys):
    assert run(["watch", str(tmp_path / "none")]) == 65
    assert run(["watch", str(file), "--board", "7"]) == 64
    file.write_text("{}\n")
    assert run(["watch", str(file)]) == 65
    assert len(capsys.readouterr().err.splitlines()) == 3
