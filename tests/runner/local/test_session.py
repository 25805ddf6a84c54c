"""`erqi play --session`: played with real processes, continued, verified, tampered with."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from dataclasses import replace
from itertools import pairwise

import pytest

from erqiwang.deals import board_seed, deals_of_board, master_key
from erqiwang.rules import Bid, PassOut, apply, fallback, open_table, record_of
from erqiwang_runner.cli.__main__ import run
from erqiwang_runner.contestants import starter
from erqiwang_runner.errors import BadInputError, UsageError
from erqiwang_runner.local.session_log import FILE, SessionLog
from erqiwang_runner.played import PlayedSet, PlayedTable
from erqiwang_runner.results import TableResult
from erqiwang_runner.tournament_spec import EntrySpec, TournamentSpec

BOTS = ["lowest", "cautious", "lowest", "cautious"]


def spec_of(profile="qq", seed="s"):
    return TournamentSpec(
        name="evening",
        seed_text=seed,
        entries=tuple(EntrySpec(starter(name)) for name in BOTS),
        boards=1,
        boards_per_match=1,
        profile=profile,
        pass_out=PassOut.REDEAL,
    )


def play_deal(log, opening=None):
    """Play the next deal of a log; `opening` is bid by its opener, else everybody passes where they may."""
    session = log.session
    seed = board_seed(master_key(log.header.seed), session.tables)
    first, *others = deals_of_board(session.profile, seed, PassOut.REDEAL)
    deals = (replace(first, opener=session.opener), *others)
    state, _ = open_table(session.profile, deals, pass_out=PassOut.REDEAL)
    if opening is not None:
        state, _ = apply(state, session.opener, Bid(opening))
    while (turn := state.turn) is not None:
        state, _ = apply(state, turn.seat, fallback(state))
    record = record_of(state)
    zeros = (False,) * session.profile.seats
    seats = tuple(range(session.profile.seats))
    result = TableResult(0, 0, session.tables, 0, 0, seats, seats, record.scores, record.declarer, zeros)
    log.store(PlayedSet(result.slot, 0, (PlayedTable(result, record, ""),)))


@pytest.fixture
def session_file(tmp_path):
    log = SessionLog.open(tmp_path / "evening" / FILE, spec_of())
    for opening in (100, None, 60, 115):
        play_deal(log, opening)
    log.close()
    return log.path


def lines_of(file):
    return [json.loads(line) for line in file.read_text().splitlines()]


def write(file, lines):
    file.write_text("".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines))


def test_a_session_is_verified_and_continues_where_it_stopped(session_file, capsys):
    assert run(["verify", str(session_file.parent)]) == 0
    assert capsys.readouterr().out == "4 records, 0 differ\n"
    records = [line["record"] for line in lines_of(session_file) if line["kind"] == "table"]
    assert len(records[1]["redeals"]) == 3
    for before, after in pairwise(records):
        opener = after["redeals"][0]["opener"] if after["redeals"] else after["opener"]
        assert opener == before["next_opener"]
    with session_file.open("ab") as file:
        file.write(b'{"kind":"fault","cut off')
    log = SessionLog.open(session_file, spec_of())
    totals = [sum(scores) for scores in zip(*[record["scores"] for record in records], strict=True)]
    assert (log.session.tables, list(log.session.scores)) == (4, totals)
    play_deal(log, 90)
    with pytest.raises(UsageError, match="written by another play"):
        SessionLog.open(session_file, spec_of())
    log.close()
    assert run(["verify", str(session_file)]) == 0
    assert capsys.readouterr().out == "5 records, 0 differ\n"


def test_other_settings_are_refused(session_file):
    with pytest.raises(UsageError, match="seed is 's' there and 't' here"):
        SessionLog.open(session_file, spec_of(seed="t"))
    with pytest.raises(UsageError, match="profile is 'qq' there and 'classic' here"):
        SessionLog.open(session_file, spec_of(profile="classic"))


def test_a_deal_that_another_seat_opened_is_found_out(session_file, tmp_path, capsys):
    log = SessionLog.open(tmp_path / "other" / FILE, spec_of())
    for opening in (100, None):
        play_deal(log, opening)
    wrong = (log.session.opener + 1) % 4
    log.session = replace(log.session, opener=wrong)
    play_deal(log, 60)
    log.close()
    assert run(["verify", str(log.path)]) == 1
    told = capsys.readouterr().out
    assert f"{log.path}:4: opener: recorded {wrong}, but seat" in told
    assert "(R-05)" in told
    assert "3 records, 1 differ" in told
    with pytest.raises(BadInputError, match="deal 2: opener: recorded"):
        SessionLog.open(log.path, spec_of())


def without(number):
    return lambda lines: [line for line in lines if line.get("deal") != number]


def swapped(lines):
    return [*lines[:2], lines[3], lines[2], *lines[4:]]


def of_another_seed(lines):
    return [{**lines[0], "seed": "t"}, *lines[1:]]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (without(0), "deal: 1 stands where deal 0 belongs"),
        (without(2), "deal: 3 stands where deal 2 belongs"),
        (swapped, "deal: 2 stands where deal 1 belongs"),
        (of_another_seed, "of the seed 't'"),
        (lambda lines: [{**lines[0], "pass_out": "zero"}, *lines[1:]], "not those of the session"),
    ],
)
def test_what_was_done_to_the_order_is_said(session_file, capsys, change, said):
    write(session_file, change(lines_of(session_file)))
    assert run(["verify", str(session_file)]) == 1
    assert said in capsys.readouterr().out


def test_what_is_no_session_ends_with_65(session_file, capsys):
    lines = lines_of(session_file)
    write(session_file, [{**lines[0], "format": "erqiwang.session/9"}, *lines[1:2]])
    assert run(["verify", str(session_file)]) == 65
    assert "not the first line of a session" in capsys.readouterr().err


def test_a_session_has_no_ratings(session_file, erqi):
    done = erqi("rate", str(session_file))
    assert done.returncode == 65
    assert "no duplicate play" in done.stderr


def test_real_bots_play_it_and_an_interrupted_one_continues(erqi, tmp_path, capsys):
    words = ["play", *BOTS, "--session", "3", "--profile", "qq", "--seed", "x", "--out", "out"]
    with subprocess.Popen(
        [sys.executable, "-m", "erqiwang_runner.cli", *words],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        first = process.stdout.readline()
        process.send_signal(signal.SIGINT)
        _, said = process.communicate()
    assert process.returncode == 130, said
    assert first.startswith("deal 1: seat ")
    assert "of 3 deals are stored; continue with" in said
    assert "Traceback" not in said
    done = erqi(*words, "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert "no duplicate play" in done.stderr
    assert found["is_duplicate"] is False
    assert len(found["deals"]) == 3
    assert [sum(scores) for scores in zip(*[deal["scores"] for deal in found["deals"]], strict=True)] == (
        found["totals"]
    )
    assert len(found["levels"]) == 4
    assert run(["verify", str(tmp_path / "out")]) == 0
    seen = erqi("watch", "out", "--board", "2")
    assert "board 2, table 0" in seen.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["lowest", "lowest"], "a session of classic has 4 seats, not 2 bots"),
        ([*BOTS, "--boards", "3"], "--boards does not go with --session"),
        ([*BOTS, "--set-type", "klein4"], "--set-type does not go with --session"),
        ([*BOTS, "--deals", "x.jsonl"], "--deals does not go with --session"),
        ([*BOTS, "--human", "1"], "--human does not go with --session"),
    ],
)
def test_what_does_not_go_together_is_one_line(words, said, capsys):
    assert run(["play", *words, "--session", "2"]) == 64
    told = capsys.readouterr().err
    assert said in told
    assert len(told.splitlines()) == 1
