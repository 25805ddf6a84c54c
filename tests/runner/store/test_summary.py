from __future__ import annotations

import json
from dataclasses import replace

from erqiwang.rules import FaultCause
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
