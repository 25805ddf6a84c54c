from collections import Counter
from itertools import combinations
from math import inf, sqrt

import pytest

from erqiwang.deals import random_words
from erqiwang_runner.ladder import BOARDS_OF_A_GROUP, Ranked, Standing, error_after, next_group, next_groups


def words(seed):
    return random_words(bytes([seed]) * 32)


def ladder(bots, board_sets=0, meetings=lambda a, b: 0, pair_error=lambda a, b: 50.0):
    return Standing(tuple(bots), board_sets, meetings, pair_error)


def settled(count, boards=400, error=20.0, **changes):
    return [Ranked(entry, 1500.0 + 40 * entry, error, boards, **changes) for entry in range(count)]


class Simulation:
    """A ladder whose errors shrink as 186/√boards; joining bots are unknown."""

    def __init__(self, bots, seed=1):
        self.boards = Counter()
        self.met = Counter()
        self.bots = list(range(bots))
        self.sets = 0
        self.groups = []
        self._words = words(seed)

    def ranked(self, entry):
        boards = self.boards[entry]
        error = 186 / sqrt(boards) if boards else inf
        return Ranked(entry, 1500.0 + 25 * (entry % 20), error, boards, is_anchor=entry < 2)

    def step(self, times=1):
        for _ in range(times):
            standing = ladder(
                [self.ranked(entry) for entry in self.bots],
                self.sets,
                lambda a, b: self.met[min(a, b), max(a, b)],
                lambda a, b: 186 / sqrt(1 + min(self.boards[a], self.boards[b])),
            )
            group = next_group(standing, 4, self._words)
            self.groups.append(group)
            self.sets += BOARDS_OF_A_GROUP
            for entry in group:
                self.boards[entry] += BOARDS_OF_A_GROUP
            for a, b in combinations(sorted(group), 2):
                self.met[a, b] += BOARDS_OF_A_GROUP


def test_the_least_known_bot_is_seated_first():
    bots = [*settled(6), Ranked(6, 1500.0, 30.0, 400)]
    assert next_group(ladder(bots), 4, words(1))[0] == 6


def test_a_share_is_that_of_the_boards_of_this_epoch():
    """Who played much in earlier epochs gets its share of this one, and a newcomer no more than that."""
    bots = [
        *(Ranked(entry, 1500.0, 20.0, 1100, earlier=1000) for entry in range(5)),
        Ranked(5, 1500.0, 10.0, 5000, earlier=5000),
        Ranked(6, 1500.0, 20.0, 100),
    ]
    assert [bot.recent for bot in bots] == [100] * 5 + [0, 100]
    assert next_group(ladder(bots, board_sets=150), 4, words(1))[0] == 5
    assert next_group(ladder(bots[:5] + bots[6:], board_sets=150), 4, words(1))[0] != 5


def test_error_counts_double_until_a_bot_has_settled():
    bots = [*settled(5), Ranked(5, 1500.0, 30.0, 400), Ranked(6, 1500.0, 16.0, 29)]
    assert next_group(ladder(bots), 4, words(1))[0] == 6


def test_a_group_has_no_entry_twice_and_is_repeatable():
    for seed in range(50):
        group = next_group(ladder(settled(8)), 4, words(seed))
        assert len(set(group)) == 4
        assert group == next_group(ladder(settled(8)), 4, words(seed))


def test_newcomer_always_meets_an_anchor_or_a_long_rated_bot():
    young = [Ranked(entry, 1500.0, 60.0, 20) for entry in range(10)]
    bots = [*young, Ranked(10, 900.0, 10.0, 20, is_anchor=True), Ranked(11, 1500.0, inf, 0)]
    for seed in range(60):
        group = next_group(ladder(bots), 4, words(seed))
        assert group[0] == 11
        assert 10 in group


def test_opponents_of_like_strength_and_few_meetings_are_preferred():
    bots = [Ranked(0, 1500.0, 90.0, 400)] + [
        Ranked(entry, 1500.0 if entry < 5 else 2300.0, 20.0, 400) for entry in range(1, 10)
    ]
    met = {1: 400}
    counts = Counter()
    for seed in range(256):
        standing = ladder(bots, meetings=lambda a, b: met.get(max(a, b), 0))
        counts.update(next_group(standing, 4, words(seed))[1:])
    assert counts[2] > 5 * counts[9]
    assert counts[2] > 3 * counts[1]
    assert min(counts[entry] for entry in range(1, 10)) > 0


def test_starving_bot_goes_before_everybody():
    bots = [*settled(5), Ranked(5, 1500.0, 0.1, 5)]
    assert next_group(ladder(bots, board_sets=1000), 4, words(1))[0] == 5


def test_new_bot_gets_its_first_thirty_boards_soon():
    simulation = Simulation(40)
    simulation.step(400)
    simulation.bots.append(99)
    before = simulation.sets
    while simulation.boards[99] < 30:
        simulation.step()
    assert (simulation.sets - before) / BOARDS_OF_A_GROUP <= 20


def test_wave_of_newcomers_does_not_starve_the_others():
    simulation = Simulation(30)
    simulation.step(300)
    veterans = list(simulation.bots)
    simulation.bots += range(100, 130)
    start = Counter(simulation.boards)
    simulation.step(400)
    assert min(simulation.boards[entry] - start[entry] for entry in veterans) > 0
    assert min(simulation.boards[entry] for entry in range(100, 130)) >= 30


def test_everybody_gets_a_share_and_all_are_connected():
    simulation = Simulation(24)
    simulation.step(600)
    least = min(simulation.boards[entry] for entry in simulation.bots)
    assert least >= 0.01 * simulation.sets
    reached, front = {0}, [0]
    while front:
        node = front.pop()
        for a, b in simulation.met:
            other = b if a == node else a if b == node else None
            if other is not None and other not in reached:
                reached.add(other)
                front.append(other)
    assert reached == set(simulation.bots)


def test_too_few_bots_are_refused():
    with pytest.raises(ValueError, match="cannot seat 4"):
        next_group(ladder(settled(3)), 4, words(1))


@pytest.mark.parametrize("boards", [1, 3])
def test_groups_on_one_fit_share_the_boards(boards):
    bots = [Ranked(entry, 1500.0, inf, 0) for entry in range(12)]
    found = list(next_groups(ladder(bots), 4, 60, boards, words(5)))
    seated = Counter(entry for group in found for entry in group)
    assert sum(seated.values()) == 240
    assert max(seated.values()) <= 2 * min(seated.values())
    assert found == list(next_groups(ladder(bots), 4, 60, boards, words(5)))


def test_groups_on_one_fit_do_not_chase_the_same_bot():
    bots = [*settled(8), Ranked(8, 1500.0, 45.0, 100)]
    found = [group[0] for group in next_groups(ladder(bots), 4, 16, 3, words(2))]
    assert found[0] == 8
    assert len(found) == 16
    # 45 · √(100 / b) stays above 20 until b = 506.
    assert set(found) == {8}
    sharper = [*settled(8), Ranked(8, 1500.0, 20.5, 100)]
    assert len({group[0] for group in next_groups(ladder(sharper), 4, 16, 3, words(2))}) > 4


def test_errors_are_foreseen():
    assert error_after(inf, 0, 0) == inf
    assert error_after(inf, 0, 4) == error_after(inf, 3, 4) == 200.0
    assert error_after(30.0, 9, 9) == 30.0
    assert error_after(30.0, 9, 36) == 15.0
