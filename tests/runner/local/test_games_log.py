"""The log of a local play: whole board sets or nothing, and no play into the wrong file."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from erqiwang.bots.lowest import LowestBot
from erqiwang.rules import FaultCause, record_of
from erqiwang.testing import play_board
from erqiwang_runner.contestants import starter
from erqiwang_runner.errors import BadInputError, UsageError
from erqiwang_runner.local.games_log import GamesLog
from erqiwang_runner.played import FaultNote, PlayedSet, PlayedTable
from erqiwang_runner.results import Slot, TableResult
from erqiwang_runner.standings import read_standings
from erqiwang_runner.tournament_spec import EntrySpec, TournamentSpec


@pytest.fixture
def spec():
    return TournamentSpec(
        name="t",
        seed_text="s",
        entries=(EntrySpec(starter("lowest")), EntrySpec(starter("lowest"))),
        boards=4,
        boards_per_match=2,
        set_type="pair22",
    )


@pytest.fixture
def path(tmp_path):
    return tmp_path / "out" / "games.jsonl"


def played_set(spec, n):
    record = record_of(play_board([LowestBot] * 4, n))
    slot = Slot(0, 0, n)
    tables = tuple(
        PlayedTable(
            TableResult(
                0, 0, n, 0, number, entries, spec.set.square(n)[number], record.scores, 0, (False,) * 4
            ),
            record,
            "d" * 64,
        )
        for number, entries in enumerate(spec.set.seating((0, 1), n))
    )
    fault = FaultNote(1, FaultCause.TIMED_OUT_MOVE, None, "late", (slot, 0), 1, "its last words")
    return PlayedSet(slot, 0, tables, (fault,))


@pytest.fixture
def written(path, spec):
    log = GamesLog.open(path, spec)
    for n in (1, 0):
        log.store_set(played_set(spec, n))
    log.close()
    return path


def test_what_is_stored_is_read_again(written, spec):
    log = GamesLog.read(written)
    assert [board.slot.n for board in log.board_sets()] == [0, 1]
    assert [entry.bot for entry in log.entries()] == ["lowest@1 (A)", "lowest@1 (B)"]
    assert log.faults() == {1: {FaultCause.TIMED_OUT_MOVE: 2}}
    assert [note.log for note in log.fault_notes()] == ["its last words"] * 2
    assert [result.n for result, _ in log.records()] == [1, 1, 0, 0]
    assert read_standings(log).board_sets == 2


def test_a_line_tells_the_table_its_hashes_and_its_time(written):
    fields = json.loads(written.read_text().splitlines()[2])
    assert fields["kind"] == "table"
    assert (fields["n"], fields["deal_index"], fields["table"]) == (1, 1, 0)
    assert len(fields["moves_hash"]) == len(fields["deal_hash"]) == 64
    assert len(fields["ms"]) == 4


@pytest.mark.parametrize("cut", [1, 3000, 9000])
def test_what_a_crash_left_of_a_board_set_is_cut_off(written, spec, cut):
    whole = written.read_bytes()
    assert len(whole) > cut
    written.write_bytes(whole[:-cut])
    assert len(list(GamesLog.read(written).board_sets())) < 2
    log = GamesLog.open(written, spec)
    missing = {Slot(0, 0, 0), Slot(0, 0, 1)} - log.finished_slots()
    for slot in missing:
        log.store_set(played_set(spec, slot.n))
    log.close()
    assert len(list(GamesLog.read(written).board_sets())) == 2


def test_a_play_with_other_settings_is_refused_and_says_which(written, spec):
    with pytest.raises(UsageError, match="seed is 's' there and 'other' here"):
        GamesLog.open(written, replace(spec, seed_text="other"))


def test_more_boards_are_no_other_settings(written, spec):
    log = GamesLog.open(written, replace(spec, boards=9, boards_per_match=1))
    assert len(log.finished_slots()) == 2
    log.close()


def test_two_plays_cannot_write_to_one_file(written, spec):
    log = GamesLog.open(written, spec)
    with pytest.raises(UsageError, match="another play"):
        GamesLog.open(written, spec)
    log.close()


def test_a_broken_line_is_named(written):
    lines = written.read_text().splitlines(keepends=True)
    lines[2] = lines[2].replace('"scores":[', '"scores":["x",', 1)
    written.write_text("".join(lines))
    with pytest.raises(BadInputError, match=r"games\.jsonl:3: scores: expected a whole number"):
        GamesLog.read(written)


def test_no_games_file(tmp_path):
    file = tmp_path / "x.jsonl"
    file.write_text("{}\n")
    with pytest.raises(BadInputError, match="not the first line"):
        GamesLog.read(file)
    with pytest.raises(BadInputError, match="No such file"):
        GamesLog.read(tmp_path / "none")
