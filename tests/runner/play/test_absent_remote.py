"""A remote bot that does not come: it is to blame after its start limit, and nobody else."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest

from erqiwang.rules import FaultCause, verify_record
from erqiwang_runner import match_plan
from erqiwang_runner.contestants import remote, starter
from erqiwang_runner.errors import UsageError
from erqiwang_runner.match_runner import MatchRun
from erqiwang_runner.referee_address import target_of, trouble_with
from erqiwang_runner.set_collector import MatchVoid
from erqiwang_runner.stage import Stage

NAMES = ("ann", "ben")


def digest(name):
    return hashlib.sha256(f"secret of {name}".encode()).hexdigest()


@pytest.fixture
def folder():
    directory = Path(tempfile.mkdtemp(prefix="erqi-test-"))
    yield directory
    shutil.rmtree(directory)


@pytest.fixture
def referee(folder):
    """A public referee of this machine, by its folder; nobody ever comes to it."""
    tokens = folder / "tokens.json"
    tokens.touch(0o600)
    listed = [
        {"name": name, "kind": "bot", "sha256": digest(name), "created": "2026-01-01T00:00:00Z"}
        for name in NAMES
    ]
    tokens.write_text(json.dumps({"format": "erqiwang.tokens/1", "tokens": listed}))
    words = ("--socket-dir", str(folder), "--tokens", str(tokens), "--listen", "127.0.0.1:0")
    process = subprocess.Popen(
        [sys.executable, "-m", "erqiwang_referee", *words], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    process.stdout.readline()
    yield target_of(str(folder))
    process.kill()
    process.wait()
    process.stdout.close()


@pytest.fixture
def stage(folder):
    stage = Stage(folder)
    yield stage
    stage.close()


def at(referee, claim):
    return replace(claim, conditions=replace(claim.conditions, referee=referee))


def test_who_does_not_come_forfeits_and_two_of_them_are_nobodys_fault(
    make_claim, stage, referee, monkeypatch
):
    # Time enough for the players of this machine, however busy it is.
    monkeypatch.setattr(match_plan, "START_LIMIT_MS", 20_000)
    ann, ben = (remote(name, digest(name)) for name in NAMES)
    assert trouble_with(stage.channel(referee), referee) is None
    stored = []
    claim = at(referee, make_claim(ann, starter("lowest"), boards=1, set_type="pair22"))
    faults = MatchRun(claim, stage, stored.append).play()
    (played,) = stored
    for table in played.tables:
        lost = {entry for entry, out in zip(table.result.entries, table.result.forfeits, strict=True) if out}
        assert lost == {0}
        assert verify_record(table.record) is None
    notes = [*played.faults, *faults]
    assert {(note.entry, note.cause) for note in notes} == {(0, FaultCause.NEVER_JOINED)}

    monkeypatch.setattr(match_plan, "START_LIMIT_MS", 100)
    both = at(referee, make_claim(ann, ben, boards=1, set_type="pair22"))
    with pytest.raises(MatchVoid, match="different players never joined"):
        MatchRun(both, stage, stored.append).play()
    assert len(stored) == 1
    assert stage.launcher.is_alive

    # The same stage plays at a referee of its own, too.
    own = make_claim(starter("random"), starter("lowest"), boards=1, set_type="pair22")
    monkeypatch.undo()
    assert MatchRun(own, stage, stored.append).play() == ()
    assert len(stored) == 2


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("http://referee.example:70", "a referee of the network is tls://HOST:PORT"),
        ("tls://referee.example", "a referee of the network is tls://HOST:PORT"),
        ("tls://:7070", "a referee of the network is tls://HOST:PORT"),
        ("tls://referee.example:0", "a referee of the network is tls://HOST:PORT"),
        ("/nowhere", "no referee runs there"),
    ],
)
def test_what_is_no_address_is_refused(place, said):
    with pytest.raises(UsageError, match=said):
        target_of(place)
