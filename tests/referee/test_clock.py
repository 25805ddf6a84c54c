"""The player's clock, the referee's time and the heap of deadlines, with a clock that only tests move."""

import pytest

from erqiwang_referee.clock import PlayerClock
from erqiwang_referee.deadlines import Deadline, Deadlines
from erqiwang_referee.timekeeper import Timekeeper


class FakeMonotonic:
    def __init__(self) -> None:
        self.instant = 1000.0

    def __call__(self) -> float:
        return self.instant


def clock() -> PlayerClock:
    return PlayerClock(limit_s=1.0, latency_s=0.05)


def test_the_clock_starts_with_the_first_turn_that_is_owed() -> None:
    player = clock()
    assert player.deadline(None, 0) is None
    player.start(10.0)
    player.start(10.4)
    assert player.deadline(None, 2) == pytest.approx(11.05)


def test_an_accepted_answer_restarts_the_clock() -> None:
    player = clock()
    player.start(10.0)
    assert player.charge(10.0, 10.7, 1, still_owing=True) == pytest.approx(0.7)
    assert player.deadline(None, 1) == pytest.approx(11.75)
    assert player.charge(10.0, 10.9, 1, still_owing=True) == pytest.approx(0.2)


def test_the_clock_stops_when_nothing_is_owed() -> None:
    player = clock()
    player.start(10.0)
    player.charge(10.0, 10.7, 1, still_owing=False)
    assert not player.is_running
    assert player.deadline(None, 0) is None


def test_a_batch_divides_its_time_equally() -> None:
    player = clock()
    player.start(10.0)
    assert player.charge(10.0, 10.8, 4, still_owing=False) == pytest.approx(0.2)


def test_a_turn_that_was_sent_later_is_charged_from_its_own_writing() -> None:
    player = clock()
    player.start(10.0)
    assert player.charge(10.5, 10.8, 1, still_owing=True) == pytest.approx(0.3)


def test_a_bank_ends_patience_before_the_limit() -> None:
    player = clock()
    player.start(10.0)
    assert player.deadline(0.2, 1) == pytest.approx(10.25)
    assert player.is_bank_out(0.2, 1)
    assert player.deadline(5.0, 1) == pytest.approx(11.05)
    assert not player.is_bank_out(5.0, 1)


def test_a_bank_is_measured_by_the_share_of_a_batch() -> None:
    player = clock()
    player.start(10.0)
    assert player.deadline(0.2, 3) == pytest.approx(10.65)


def test_time_in_which_the_referee_stood_still_is_no_time() -> None:
    monotonic = FakeMonotonic()
    keeper = Timekeeper(monotonic, late_s=0.1)
    keeper.expect_tick(0.02)
    start = keeper.now()
    monotonic.instant += 0.1
    assert keeper.now() - start == pytest.approx(0.1)
    monotonic.instant += 3.0
    assert keeper.now() - start == pytest.approx(0.02)
    assert keeper.stalls == 1
    monotonic.instant += 0.05
    assert keeper.now() - start == pytest.approx(0.07)
    assert keeper.stalls == 1


def test_without_a_tick_time_just_passes() -> None:
    monotonic = FakeMonotonic()
    keeper = Timekeeper(monotonic, late_s=0.1)
    keeper.expect_tick(0.02)
    keeper.rest()
    start = keeper.now()
    monotonic.instant += 60.0
    assert keeper.now() - start == pytest.approx(60.0)
    assert keeper.stalls == 0


def test_a_deadline_is_called_when_it_had_passed_at_the_tick_before() -> None:
    deadlines, called = Deadlines(), list[float]()
    deadlines.tick(1.0)
    deadlines.set(Deadline(called.append), 1.5)
    deadlines.tick(2.0)
    assert called == []
    deadlines.tick(3.0)
    assert called == [3.0]
    deadlines.tick(4.0)
    assert called == [3.0]
    assert len(deadlines) == 0


def test_a_deadline_that_moved_is_looked_at_again() -> None:
    deadlines, called = Deadlines(), list[float]()

    def check(now: float) -> float | None:
        called.append(now)
        return 10.0 if len(called) == 1 else None

    deadlines.set(Deadline(check), 1.0)
    for now in (2.0, 3.0, 9.0, 11.0, 12.0, 13.0):
        deadlines.tick(now)
    assert called == [3.0, 12.0]


def test_moved_and_cancelled_deadlines_leave_nothing_behind() -> None:
    deadlines, called = Deadlines(), list[float]()
    moved, cancelled = Deadline(called.append), Deadline(called.append)
    deadlines.set(moved, 1.0)
    deadlines.set(moved, 5.0)
    deadlines.look_by(moved, 7.0)
    deadlines.set(cancelled, 1.0)
    deadlines.cancel(cancelled)
    for now in (2.0, 3.0, 6.0, 7.0, 8.0, 9.0):
        deadlines.tick(now)
    assert called == [7.0]
    assert len(deadlines) == 0
