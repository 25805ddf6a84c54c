from itertools import combinations
from random import Random

import numpy as np
import pytest

from erqiwang_runner.imps import butler, cross, imps, imps_table
from erqiwang_runner.results import EntryRole, FaultPolicy
from erqiwang_runner.running_elo import running_elo
from erqiwang_runner.scoring import ScoringRule, raw_tallies, score_set

RULE = ScoringRule(FaultPolicy.FORFEIT, 24)


def luck(seed):
    rng = Random(seed)

    def scores(n, table, entries):
        raw = [rng.randint(-9, 9) + entry for entry in entries]
        return [len(raw) * each - sum(raw) for each in raw]

    return scores


@pytest.mark.parametrize(
    ("set_type", "group"),
    [
        ("klein4", (1, 2, 3, 4)),
        ("a4", (1, 2, 3, 4)),
        ("pair22", (1, 2)),
        ("cyc3", (1, 2, 3)),
        ("pair21", (1, 2)),
    ],
)
def test_without_weighing_both_are_the_points(set_type, group, play_set):
    board = play_set(set_type, group, 4, luck(1))
    points = {entry: tally.mean for entry, tally in raw_tallies(board).items()}
    assert butler(board, float) == pytest.approx(points)
    tables = len(board.tables)
    scale = tables / (tables - 1)
    assert cross(board, float) == pytest.approx({entry: scale * each for entry, each in points.items()})


def test_the_hand_and_the_seat_mean_nothing(play_set):
    board = play_set("klein4", (1, 2, 3, 4), 2, lambda n, table, entries: (30, -10, -18, -2))
    assert set(butler(board).values()) == set(cross(board).values()) == {0.0}


def test_a_large_difference_counts_less_than_its_size(play_set):
    board = play_set(
        "pair22", (1, 2), 0, lambda n, table, entries: [5 if each == 1 else -5 for each in entries]
    )
    assert cross(board) == pytest.approx({1: imps(10), 2: -imps(10)})
    assert butler(board) == pytest.approx({1: imps(5), 2: -imps(5)})
    assert imps(0) == 0
    assert [imps(d) + imps(-d) for d in (1, 7, 300)] == [0, 0, 0]


def test_means_are_over_undisturbed_boards_and_rated_entries(play_set):
    boards = [play_set("klein4", (1, 2, 3, 4), n, luck(n), forfeits=[(0, 0)] * (n == 3)) for n in range(6)]
    roles = {4: EntryRole.FILLER}
    table = imps_table((board, score_set(board, roles, RULE)) for board in boards)
    assert sorted(table) == [1, 2, 3]
    scores = [cross(board)[2] for n, board in enumerate(boards) if n != 3]
    assert table[2].cross.value == pytest.approx(np.mean(scores))
    assert table[2].cross.error == pytest.approx(np.std(scores, ddof=1) / np.sqrt(5))


def test_running_elo_follows_the_order_of_the_boards_and_no_other(play_set):
    boards = [
        play_set("klein4", group, n, luck(n), group_id=k) for n in range(8) for k, group in enumerate(GROUPS)
    ]
    scored = [score_set(board, {}, RULE) for board in boards]
    found = running_elo(scored)
    assert running_elo(scored[::-1]) == found
    expected = dict.fromkeys(range(1, 6), 1500.0)
    for each in scored:
        before = dict(expected)
        for pair in each.comparisons:
            p = 1 / (1 + 10 ** ((before[pair.second] - before[pair.first]) / 400))
            expected[pair.first] += 8 * (pair.score - p)
            expected[pair.second] += 8 * (p - pair.score)
    assert found == pytest.approx(expected)
    assert sum(found.values()) == pytest.approx(5 * 1500)
    assert found[5] > found[1]


GROUPS = list(combinations(range(1, 6), 4))
