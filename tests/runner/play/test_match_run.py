"""Whole matches with a real launcher, a real referee and real players; two entries, eight players."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
from pathlib import Path

import pytest

from erqiwang.rules import FaultCause, verify_record
from erqiwang_runner.contestants import starter
from erqiwang_runner.launcher.process_tree import descendants
from erqiwang_runner.match_runner import MatchRun
from erqiwang_runner.set_collector import MatchVoid
from erqiwang_runner.stage import Stage


@pytest.fixture
def stage():
    directory = Path(tempfile.mkdtemp(prefix="erqi-test-"))
    stage = Stage(directory)
    yield stage
    stage.close()
    assert list(directory.iterdir()) == []
    shutil.rmtree(directory)


def test_a_match_is_played_and_leaves_only_the_referee(make_claim, stage):
    stored = []
    claim = make_claim(starter("lowest"), starter("random"), boards=2, set_type="pair22")
    assert MatchRun(claim, stage, stored.append).play() == ()
    assert sorted(played.slot.n for played in stored) == [0, 1]
    for played in stored:
        assert [table.record.id for table in played.tables] == [
            f"t/0/0/{played.slot.n}/0/{number}" for number in range(2)
        ]
        assert [verify_record(table.record) for table in played.tables] == [None, None]
        assert not any(any(table.result.forfeits) for table in played.tables)
    (referee,) = descendants(stage.launcher.pid)
    assert "erqiwang_referee" in Path(f"/proc/{referee}/cmdline").read_text()


def test_a_bot_that_crashes_forfeits_and_says_why(make_claim, stage, python_bot):
    broken = python_bot("broken", "import sys; sys.exit('no model file')")
    stored = []
    faults = MatchRun(
        make_claim(starter("lowest"), broken, boards=1, set_type="pair22"), stage, stored.append
    ).play()
    (played,) = stored
    for table in played.tables:
        forfeited = {
            entry
            for entry, is_lost in zip(table.result.entries, table.result.forfeits, strict=True)
            if is_lost
        }
        assert forfeited == {1}
        assert verify_record(table.record) is None
    notes = [*played.faults, *faults]
    assert {note.entry for note in notes} == {1}
    assert {note.cause for note in notes} <= {FaultCause.CRASHED, FaultCause.NEVER_JOINED}
    assert all("exit code 1\nno model file" in (note.log or "") for note in notes)


def test_a_dead_referee_makes_the_match_void_and_the_next_one_gets_another(make_claim, stage):
    claim = make_claim(starter("lowest"), starter("random"), boards=1, set_type="pair22")
    stage.channel()
    (referee,) = descendants(stage.launcher.pid)
    os.kill(referee, signal.SIGKILL)
    with pytest.raises(MatchVoid, match="referee"):
        MatchRun(claim, stage, print).play()
    stored = []
    MatchRun(claim, stage, stored.append).play()
    assert len(stored) == 1


def test_what_the_store_refuses_ends_the_match_at_once(make_claim, stage):
    def refuse(_):
        raise RuntimeError("not mine any more")

    claim = make_claim(starter("lowest"), starter("random"), boards=1, set_type="pair22")
    with pytest.raises(RuntimeError, match="not mine"):
        MatchRun(claim, stage, refuse).play()
    assert descendants(stage.launcher.pid) == []
