"""A table as pages, and stepping through them."""

from __future__ import annotations

import pytest

from erqiwang.bots.lowest import LowestBot
from erqiwang.rules import record_of
from erqiwang.testing import play_board
from erqiwang_runner.cli.__main__ import run
from erqiwang_runner.contestants import starter
from erqiwang_runner.local.games_log import GamesLog
from erqiwang_runner.local.local_claims import open_claims
from erqiwang_runner.local.table_pages import table_pages
from erqiwang_runner.local.tables_file import follow_tables
from erqiwang_runner.played import PlayedSet, PlayedTable
from erqiwang_runner.results import TableResult
from erqiwang_runner.tournament_spec import EntrySpec, TournamentSpec


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


def test_what_a_play_adds_is_followed_until_it_ends(tmp_path):
    spec = TournamentSpec(
        name="t",
        seed_text="s",
        entries=tuple(EntrySpec(starter(name)) for name in ("lowest", "random", "cautious", "counter")),
        boards=3,
        boards_per_match=3,
    )
    (claim,) = open_claims(spec, frozenset())
    file = tmp_path / "games.jsonl"
    log = GamesLog.open(file, spec)
    steps = [lambda: log.store_set(a_set(claim, 0)), lambda: log.store_set(a_set(claim, 1)), log.close]
    waits = iter(steps)
    seen = []
    for each in follow_tables(tmp_path, lambda: next(waits)()):
        seen.append((each.board, each.table))
        assert each.names[each.record.declarer or 0]
    assert seen == [(board, table) for board in (0, 1) for table in range(4)]
    assert next(waits, None) is None
    assert [(each.board, each.table) for each in follow_tables(file, seen.clear)] == seen


def a_set(claim, n):
    tables = []
    for number in range(4):
        record = record_of(play_board([LowestBot] * 4, n))
        seated = (0, 1, 2, 3)
        result = TableResult(0, 0, n, 0, number, seated, seated, record.scores, record.declarer, (False,) * 4)
        tables.append(PlayedTable(result, record, "0" * 64))
    return PlayedSet(claim.slots[n].slot, 0, tuple(tables))


def test_what_is_no_table(tmp_path, file, capsys):
    assert run(["watch", str(tmp_path / "none")]) == 65
    assert run(["watch", str(tmp_path / "none"), "--follow"]) == 65
    assert run(["watch", str(file), "--board", "7"]) == 64
    file.write_text("{}\n")
    assert run(["watch", str(file)]) == 65
    assert len(capsys.readouterr().err.splitlines()) == 4
