"""A player that the host gave no processor is not blamed; one that computed, slept or was stopped is."""

import os
import subprocess
import sys

import pytest

from erqiwang_referee.exits import Exit
from erqiwang_referee.match import Outcome
from erqiwang_referee.run_queue import RunQueue, times_of

S = 1_000_000_000


class Kernel:
    def __init__(self) -> None:
        self.cpu = self.wait = self.own = 0.0
        self.runnable = False

    def own_wait(self) -> float:
        return self.own

    def is_runnable(self, _thread: int) -> bool:
        return self.runnable

    def read(self) -> dict[int, tuple[int, int]]:
        return {1: (int(self.cpu * S), int(self.wait * S))}


@pytest.mark.parametrize(
    ("cpu", "wait", "excused"),
    [
        (0.2, 0.8, True),
        (0.0, 1.0, True),
        (0.6, 0.4, False),  # it computed for most of the charge
        (0.2, 0.1, False),  # it slept, or was stopped
        (0.0, 0.0, False),
    ],
)
def test_waiting_excuses_only_where_it_explains_the_rest(cpu: float, wait: float, excused: bool) -> None:
    kernel = Kernel()
    queue = RunQueue(kernel.read, kernel.own_wait, kernel.is_runnable)
    queue.observe(10.0, 10.1)
    queue.observe(10.0, 10.5)  # the first observation counts
    kernel.cpu, kernel.wait = cpu, wait
    assert queue.excuses(10.0, 11.1) is excused


def test_nothing_is_excused_by_what_was_not_observed() -> None:
    kernel = Kernel()
    queue = RunQueue(kernel.read, kernel.own_wait, kernel.is_runnable)
    assert not queue.excuses(10.0, 11.0)
    queue.observe(10.0, 10.9)
    kernel.wait = 5.0
    assert not queue.excuses(10.0, 11.0)
    assert not queue.excuses(10.5, 11.0)


def test_the_times_of_a_process_include_its_descendants() -> None:
    """A shell's child computes until its parent's input closes."""
    code = "import sys; sum(range(3_000_000)); print('done', flush=True); sys.stdin.read()"
    shell = subprocess.Popen(
        ["/bin/sh", "-c", f'"{sys.executable}" -c "{code}"; exit 0'],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert shell.stdin is not None
    assert shell.stdout is not None
    assert shell.stdout.readline() == b"done\n"
    times = times_of(shell.pid)
    assert shell.pid in times
    assert len(times) >= 2
    assert sum(cpu for cpu, _ in times.values()) > 0
    shell.stdin.close()
    shell.stdout.close()
    shell.wait()
    assert times_of(shell.pid) == {}


def test_a_player_that_waited_for_a_processor_voids_the_attempt(make_stage) -> None:
    stage, kernel = make_stage(1), Kernel()
    for player in stage.match.players:
        player.run_queue = RunQueue(kernel.read, kernel.own_wait, kernel.is_runnable)
    stage.join_all()
    stage.advance(0.3)
    kernel.wait = 1.0
    stage.advance(1.2)
    assert stage.faults == []
    assert stage.end is not None
    assert stage.end[0] is Outcome.VOID
    assert "wait for a processor" in stage.end[1]


@pytest.mark.parametrize("runs", [False, True])
def test_a_wait_that_still_lasts_is_seen_by_two_looks(make_stage, runs: bool) -> None:
    """The kernel counts a wait when it ends: until then a thread is runnable and its times stand still."""
    stage, kernel = make_stage(1), Kernel()
    for player in stage.match.players:
        player.run_queue = RunQueue(kernel.read, kernel.own_wait, kernel.is_runnable)
    stage.join_all()
    kernel.runnable = True
    while not stage.faults and stage.end is None:
        stage.advance(0.02)
        kernel.cpu += 0.005 if runs else 0.0
    assert bool(stage.faults) is runs
    assert (stage.end is not None) is not runs


@pytest.mark.parametrize(
    ("cpu", "wait", "own", "cause"),
    [
        (0.01, 0.09, 0.0, None),
        (0.01, 0.05, 0.08, None),  # the referee itself waited too
        (0.06, 0.04, 0.0, "TIMED_OUT_BANK"),  # it computed
        (0.01, 0.02, 0.0, "TIMED_OUT_BANK"),  # it slept
        (0.01, 0.02, 9.9, "TIMED_OUT_BANK"),  # it slept, and the referee waited
        (0.04, 0.06, 0.0, "TIMED_OUT_BANK"),  # what it computed is too much alone
    ],
)
def test_a_bank_is_not_charged_for_proven_waiting(make_stage, cpu, wait, own, cause) -> None:
    """Every answer takes a tenth of a second; none of them comes near the limit of a move."""
    stage, kernel = make_stage(1, bank_ms=600), Kernel()
    slow = stage.actors[2]
    stage.match.players[2].run_queue = RunQueue(kernel.read, kernel.own_wait, kernel.is_runnable)
    stage.join_all()
    while stage.end is None:
        stage.play(2, until=lambda: bool(slow.turns) or stage.end is not None)
        kernel.cpu, kernel.wait, kernel.own = kernel.cpu + cpu, kernel.wait + wait, kernel.own + own
        stage.advance(0.1)
        slow.answer()
        stage.flush()
    assert [(player, fault.cause.name) for player, _, fault in stage.faults] == (
        [(2, cause)] if cause else []
    )
    assert stage.end == (Outcome.COMPLETED, "1 tables")
    assert stage.forfeits[0] == ([2] if cause else [])


def test_a_process_that_is_stopped_is_not_excused(make_stage) -> None:
    stopped = subprocess.Popen(["/bin/sh", "-c", "kill -STOP $$"])
    try:
        os.waitid(os.P_PID, stopped.pid, os.WSTOPPED | os.WNOWAIT)
        stage = make_stage(1)
        for player in range(4):
            stage.match.started(player, stopped.pid)
        stage.join_all()
        stage.advance(1.3)
        assert [fault.cause.name for _, _, fault in stage.faults[:1]] == ["TIMED_OUT_MOVE"]
    finally:
        stopped.kill()
        stopped.wait()


@pytest.mark.parametrize(("end", "cause"), [(Exit(signal=9), "CRASHED"), (Exit(code=2), "NEVER_JOINED")])
def test_an_end_before_the_join_is_one_fault_however_often_it_is_started(make_stage, end, cause) -> None:
    stage = make_stage(2)
    for actor in stage.actors[:3]:
        actor.join()
    stage.match.exited(3, end)
    assert stage.match.restarted(3)
    stage.match.exited(3, end)
    stage.play(3)
    stage.advance(0.7)
    stage.play(3)
    assert [(player, fault.cause.name) for player, _, fault in stage.faults] == [(3, cause)]
    assert stage.end == (Outcome.COMPLETED, "2 tables")
    assert stage.forfeits == {0: [3], 1: [2]}


def test_a_death_by_the_platform_before_the_join_is_nobodys(make_stage) -> None:
    stage = make_stage(1)
    stage.match.exited(3, Exit(signal=9, by_us=True))
    assert stage.faults == []
    assert stage.end is not None
    assert stage.end[0] is Outcome.VOID


def test_two_bots_that_are_killed_before_the_join_are_nobodys_fault(make_stage) -> None:
    stage = make_stage(1)
    stage.match.exited(2, Exit(signal=9))
    stage.match.exited(3, Exit(signal=9))
    assert stage.end is not None
    assert stage.end[0] is Outcome.VOID
    assert "cat@1, dog@1" in stage.end[1]
