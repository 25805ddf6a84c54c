"""The pool leaves nothing behind, however it ends."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from contextlib import suppress

import pytest

from erqiwang_runner.contestants import foreign, starter
from erqiwang_runner.launcher.process_tree import descendants
from erqiwang_runner.local.games_log import GamesLog
from erqiwang_runner.local.play import LocalPlay, PlayFailed
from erqiwang_runner.local.pool import LocalPool, WorkerLost
from erqiwang_runner.tournament_spec import EntrySpec, TournamentSpec

PATIENCE_MS = 60_000


def plan(*contestants, boards=1):
    return TournamentSpec(
        name="t",
        seed_text="s",
        entries=tuple(map(EntrySpec, contestants)),
        boards=boards,
        boards_per_match=boards,
        set_type="pair22",
    )


def watch(pids):
    for pid in pids:
        with suppress(ProcessLookupError):
            yield os.pidfd_open(pid)


def await_end(descriptors):
    for descriptor in descriptors:
        poll = select.poll()
        poll.register(descriptor, select.POLLIN)
        assert poll.poll(PATIENCE_MS), "a process outlived the play"
        os.close(descriptor)


def test_a_killed_play_leaves_no_process(tmp_path):
    play = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "erqiwang_runner.cli",
            "play",
            "lowest",
            "lowest",
            "--boards",
            "50",
            "--out",
            "out",
        ],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert play.stderr is not None
    while "board sets" not in play.stderr.readline():
        pass
    for line in play.stderr:  # the first finished sets: players are there
        if "of 50 board sets" in line:
            break
    below = list(watch(descendants(play.pid)))
    assert below
    play.send_signal(signal.SIGKILL)
    play.wait()
    play.stderr.close()
    await_end(below)


def test_a_worker_that_dies_is_an_error_in_one_line(tmp_path):
    spec = plan(starter("lowest"), starter("lowest"))
    log = GamesLog.open(tmp_path / "games.jsonl", spec)
    with LocalPool(1) as pool:
        sets = LocalPlay(spec, log, pool).sets()
        play = iter(sets)
        pool.receive(timeout_s=0)
        victims = []

        def kill_first_child():
            victims.extend(pid for pid in descendants(os.getpid()) if is_worker(pid))
            os.kill(victims[0], signal.SIGKILL)

        submit = pool.submit
        pool.submit = lambda claim: (submit(claim), kill_first_child())
        with pytest.raises(WorkerLost, match="worker process died"):
            next(play)
    log.close()


def is_worker(pid):
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as words:
            return b"erqiwang_runner.local.pool_worker" in words.read()
    except OSError:
        return False


def test_bots_that_never_come_are_named_with_their_last_words(tmp_path):
    broken = []
    for name in ("one", "two"):
        file = tmp_path / f"{name}.py"
        file.write_text(f"raise SystemExit('{name} has no weights')\n")
        broken.append(foreign(name, (sys.executable, str(file))))
    spec = plan(*broken)
    log = GamesLog.open(tmp_path / "games.jsonl", spec)
    with LocalPool(1) as pool, pytest.raises(PlayFailed) as failed:
        list(LocalPlay(spec, log, pool).sets())
    log.close()
    assert "never joined" in str(failed.value)
    assert "one has no weights" in str(failed.value)
    assert "two has no weights" in str(failed.value)
