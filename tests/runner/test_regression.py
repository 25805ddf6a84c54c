import random

import pytest

from erqiwang_runner.exit_codes import ExitCode
from erqiwang_runner.regression import RegressionTest, prefix
from erqiwang_runner.sequential import Hypotheses, Question, Verdict

NEW, OLD = 0, 1
GAIN = RegressionTest(NEW, OLD, 24, Question.GAIN, Hypotheses.asking(Question.GAIN, 0.2))


@pytest.fixture
def play(play_set):
    """Boards of two versions; the new one gains `lead` points a play on average, with luck."""

    def boards(count, lead=0, forfeits=None, start=0):
        return [
            play_set("pair22", (NEW, OLD), n, points(lead), forfeits=(forfeits or {}).get(n, ()))
            for n in range(start, start + count)
        ]

    def points(lead):
        def scores(n, table, entries):
            rng = random.Random(f"{n}/{table}")
            raw = [rng.randint(-3, 3) + lead * (entry == NEW) for entry in entries]
            return [4 * each - sum(raw) for each in raw]

        return scores

    return boards


def spoil(n, who, play):
    """Find the (table, seat) at which a version sits on board n."""
    (board,) = play(1, start=n)
    return [(0, board.tables[0].entries.index(who))]


def test_a_better_version_is_accepted(play):
    found = GAIN.report(play(60, lead=2))
    assert found.judgement.verdict is Verdict.ACCEPTED
    assert found.exit_code is ExitCode.YES
    assert found.tables == 2 * found.judgement.sets
    assert "accepted" in "\n".join(found.lines())


def test_a_worse_version_is_rejected(play):
    found = GAIN.report(play(60, lead=-2))
    assert found.exit_code is ExitCode.NO
    assert found.to_object()["verdict"] == "rejected"


def test_only_the_unbroken_prefix_counts(play):
    boards = play(60, lead=2)
    missing = boards[:40] + boards[41:]
    assert [board.slot.n for board in prefix(missing)] == list(range(40))
    late = boards[:35] + boards[36:]
    assert GAIN.report(late).judgement.sets == 35
    assert GAIN.report(late).exit_code is ExitCode.INCONCLUSIVE
    assert GAIN.report(late, explained=[35]).judgement.sets == 36


def test_order_of_arrival_changes_nothing(play):
    boards = play(60, lead=1)
    shuffled = random.Random(3).sample(boards, len(boards))
    assert GAIN.report(shuffled) == GAIN.report(boards)


def test_last_generation_of_a_board_counts(play_set, play):
    boards = play(3)
    again = play_set("pair22", (NEW, OLD), 1, lambda *_: (3, -1, -1, -1), generation=1)
    assert [board.generation for board in prefix([again, *boards])] == [0, 1, 0]


def test_forfeit_of_the_new_version_costs_the_penalty(play):
    boards = play(36, forfeits={5: spoil(5, NEW, play)})
    found = GAIN.report(boards)
    plain = GAIN.report(play(36))
    assert found.forfeits_new == 1
    assert found.judgement.sets == 36
    assert found.judgement.mean < plain.judgement.mean


def test_board_spoiled_by_the_old_version_is_left_out(play):
    found = GAIN.report(play(37, lead=2, forfeits={5: spoil(5, OLD, play)}))
    assert (found.forfeits_old, found.judgement.sets) == (1, 36)
    assert found.exit_code is ExitCode.YES


def test_three_forfeits_of_the_new_version_reject_it(play):
    found = GAIN.report(play(30, lead=5, forfeits={n: spoil(n, NEW, play) for n in (2, 3, 9)}))
    assert found.exit_code is ExitCode.NO
    assert found.judgement.sets == 10


def test_three_forfeits_of_the_old_version_spoil_the_test(play):
    found = GAIN.report(play(30, lead=5, forfeits={n: spoil(n, OLD, play) for n in (2, 3, 9)}))
    assert found.exit_code is ExitCode.INVALID_DATA
    assert found.to_object()["verdict"] == "invalid"


def test_verdict_reached_before_the_forfeits_stays(play):
    forfeits = {n: spoil(n, OLD, play) for n in (50, 51, 52)}
    assert GAIN.report(play(60, lead=5, forfeits=forfeits)).exit_code is ExitCode.YES


def test_identical_versions_have_no_margin_at_all(play_set):
    boards = [play_set("pair22", (NEW, OLD), n, lambda *_: (3, -1, -1, -1)) for n in range(40)]
    found = GAIN.report(boards)
    assert (found.judgement.mean, found.judgement.t, found.exit_code) == (0.0, 0.0, ExitCode.INCONCLUSIVE)
    assert found.to_object()["variance_ratio"] is None


def test_nothing_played_yet():
    found = GAIN.report([])
    assert found.exit_code is ExitCode.INCONCLUSIVE
    assert found.to_object()["t"] is None
    assert list(found.lines())
