from __future__ import annotations

import random

import pytest

from erqiwang_runner.exit_codes import ExitCode
from erqiwang_runner.regress.watch import Watch, history
from erqiwang_runner.sequential import Question

NEW, OLD = 0, 1


def follow(test, boards):
    """Take boards until the test is decided, as a play does."""
    watch = Watch(test)
    for taken, board in enumerate(boards, 1):
        if watch.take(board):
            return watch, taken
    return watch, len(boards)


def test_a_gain_is_seen_at_the_first_look(test_of, boards_of):
    watch, taken = follow(test_of(), boards_of(80, lead=3))
    assert taken == 36
    assert watch.is_decided
    assert watch.report().exit_code is ExitCode.YES


@pytest.mark.parametrize("lead", [-1, 1])
@pytest.mark.parametrize("question", list(Question))
def test_the_verdict_does_not_depend_on_who_finishes_first(question, lead, test_of, boards_of):
    test, boards = test_of(question), boards_of(240, lead=lead)
    wanted, _ = follow(test, boards)
    assert wanted.is_decided
    for workers in (2, 5, 16):
        rng = random.Random(workers)
        queue, order, waiting = list(boards), [], []
        while queue or waiting:
            while queue and len(waiting) < 12 * workers:
                waiting.append(queue.pop(0))
            order.append(waiting.pop(rng.randrange(len(waiting))))
        found, _ = follow(test, order)
        assert found.report() == wanted.report()
        assert list(history(test, found.boards())) == list(history(test, wanted.boards()))


def test_a_test_that_was_interrupted_goes_on_as_if_it_had_not_been(test_of, boards_of):
    boards = boards_of(240, lead=1)
    wanted, taken = follow(test_of(), boards)
    for stop in (1, 35, 36, taken - 1, taken, taken + 9):
        resumed = Watch(test_of(), boards[:stop])
        for board in boards[stop:]:
            if resumed.is_decided:
                break
            resumed.take(board)
        assert resumed.report() == wanted.report()


def test_three_spoiled_boards_of_the_new_version_reject_it(test_of, boards_of):
    boards = boards_of(80, lead=3, spoilt={4: NEW, 9: NEW, 20: NEW})
    watch, taken = follow(test_of(), boards)
    assert taken == 21
    assert watch.report().exit_code is ExitCode.NO


def test_three_spoiled_boards_of_the_old_version_make_it_invalid(test_of, boards_of):
    watch, taken = follow(test_of(), boards_of(80, lead=3, spoilt={4: OLD, 9: OLD, 20: OLD}))
    assert taken == 21
    assert watch.report().exit_code is ExitCode.INVALID_DATA


def test_a_spoiled_board_costs_the_new_version_and_leaves_the_old_one_out(test_of, boards_of):
    good = Watch(test_of(), boards_of(12, lead=3)).report().judgement
    spoiled = Watch(test_of(), boards_of(12, lead=3, spoilt={3: NEW})).report().judgement
    left_out = Watch(test_of(), boards_of(12, lead=3, spoilt={3: OLD})).report().judgement
    assert spoiled.sets == good.sets == left_out.sets + 1
    assert spoiled.mean < good.mean
    plain = [test_of().margin(board) for board in boards_of(12, lead=3)]
    assert spoiled.mean == pytest.approx((sum(plain) - plain[3] - 24) / 12)


def test_after_the_most_boards_it_stays_open(test_of, boards_of):
    watch, taken = follow(test_of(limit=40), boards_of(80))
    assert taken == 40
    assert watch.report().exit_code is ExitCode.INCONCLUSIVE
    points = list(history(test_of(limit=40), watch.boards()))
    assert [point.sets for point in points] == [6, 12, 18, 24, 30, 36, 40]
    assert points[-1].llr == pytest.approx(watch.llr())
