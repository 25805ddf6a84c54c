from __future__ import annotations

import json
from dataclasses import replace

from erqiwang.rules import FaultCause
from erqiwang_runner.formats import Format, FormatSettings
from erqiwang_runner.played import FaultNote
from erqiwang_runner.store import claims
from erqiwang_runner.store.extension import extend
from erqiwang_runner.store.summary import summarise


def test_what_waits_runs_and_failed_are_different_states(database, running, worker, play_out):
    tournament = running(boards=9, boards_per_match=3)
    extend(database, tournament, 3)
    first = claims.take(database, 1, worker)
    for slot in first.slots:
        claims.store_set(database, first, play_out(first, slot))
    claims.complete(database, first)
    claims.take(database, 2, worker)
    claims.fail(database, claims.take(database, 3, worker), "the referee died")
    found = summarise(database, None)
    assert found.line() == "t: running, 3 of 9 board sets played"
    assert found.matches == {"finished": 1, "leased": 1, "retry": 1}
    assert found.attempts == {"completed": 1, "running": 1, "void": 1}
    assert "attempt failed (1): the referee died" in found.text()


def test_a_bot_that_does_not_start_is_shown_with_its_last_words(database, running, worker, play_out):
    extend(database, running(), 1)
    claim = claims.take(database, 1, worker)
    note = FaultNote(2, FaultCause.CRASHED, None, "exit code 1", log="python bot.py\nexit code 1\nno model")
    late = replace(note, detail="exit code 2")
    claims.store_set(database, claim, replace(play_out(claim, claim.slots[0]), faults=(note, late)))
    found = summarise(database, "t")
    assert "faults of bot2@1: 2 crashed; the latest: exit code 2\n    python bot.py\n" in found.text()
    assert json.loads(json.dumps(found.to_object()))["faults"][0]["log"] == note.log


def test_speed_suspensions_and_replacements_are_said(running, season, database):
    running(boards=40, boards_per_match=1, look_back=3)
    season.play("t", forfeits=lambda entry, slot: entry == 2, times=12)
    found = summarise(database, "t")
    assert found.suspended == ("bot2@1",)
    assert found.replaced >= 3
    assert found.board_sets_per_s is not None
    assert found.seconds_left is not None
    assert abs(found.seconds_left * found.board_sets_per_s - (40 - found.played)) < 1e-6
    text = found.text()
    assert "suspended for its faults: bot2@1" in text
    assert f"played again for those who did nothing wrong: {found.replaced}" in text
    assert "board sets a second, about 0:" in text


def test_what_does_not_run_has_no_speed(running, season, database):
    running(boards=2, boards_per_match=1)
    season.play("t")
    assert summarise(database, "t").board_sets_per_s is None


def test_the_round_is_said(running, season, database):
    running(entries=8, boards=3, boards_per_match=3, format=FormatSettings(format=Format.SWISS, rounds=2))
    season.play("t", times=1)
    assert "swiss: round 1 of 2" in summarise(database, "t").text()
    season.play("t", times=2)
    assert "swiss: round 2 of 2" in summarise(database, "t").text()
