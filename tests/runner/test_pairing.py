from collections import Counter
from itertools import combinations, islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from erqiwang_runner.pairing import BracketResult, advancing, bracket_round, gauntlet, swiss_round


def never(a, b):
    return 0


class Meetings:
    def __init__(self):
        self.counts = Counter()

    def __call__(self, a, b):
        return self.counts[min(a, b), max(a, b)]

    def play(self, groups):
        for group in groups:
            self.counts.update(combinations(sorted(group), 2))


def test_newcomer_meets_one_of_each_stratum():
    groups = list(islice(gauntlet(9, [9, *range(9)], 4), 9))
    for group in groups:
        assert group[0] == 9
        assert [entry // 3 for entry in group[1:]] == [0, 1, 2]
    assert set(Counter(entry for group in groups for entry in group[1:]).values()) == {3}
    assert len(set(groups)) == 9


def test_gauntlet_needs_opponents():
    with pytest.raises(ValueError, match="2 opponents"):
        next(gauntlet(0, [0, 1, 2], 4))


def test_first_swiss_round_goes_by_the_order():
    assert swiss_round(range(8), 4, never) == [(0, 1, 2, 3), (4, 5, 6, 7)]


def test_last_group_is_filled_up():
    assert swiss_round(range(6), 4, never, fillers=[90, 91, 92])[1] == (4, 5, 90, 91)
    with pytest.raises(ValueError, match="lacks 2 entries"):
        swiss_round(range(6), 4, never)


def test_swiss_avoids_repeated_meetings_by_small_exchanges():
    meetings = Meetings()
    meetings.play([(0, 1, 2, 3), (4, 5, 6, 7)])
    second = swiss_round(range(8), 4, meetings)
    repeated = sum(meetings(a, b) for group in second for a, b in combinations(group, 2))
    assert repeated <= 4
    assert sorted(entry for group in second for entry in group) == list(range(8))


@given(st.integers(8, 24), st.integers(1, 5), st.randoms(use_true_random=False))
def test_swiss_seats_everybody_once_and_meets_evenly(entries, rounds, random):
    meetings = Meetings()
    for _ in range(rounds):
        order = list(range(entries))
        random.shuffle(order)
        groups = swiss_round(order, 4, meetings, fillers=range(100, 104))
        assert groups == swiss_round(order, 4, meetings, fillers=range(100, 104))
        seated = [entry for group in groups for entry in group if entry < 100]
        assert sorted(seated) == list(range(entries))
        assert {len(group) for group in groups} == {4}
        meetings.play(groups)
    plain = Meetings()
    plain.play([tuple(range(start, min(start + 4, entries))) for start in range(0, entries, 4)] * rounds)
    assert max(meetings.counts.values()) <= max(plain.counts.values())


def test_bracket_keeps_the_best_seeds_apart():
    groups = bracket_round(range(16))
    assert groups == [(0, 7, 8, 15), (1, 6, 9, 14), (2, 5, 10, 13), (3, 4, 11, 12)]
    assert {sum(group) for group in groups} == {30}
    with pytest.raises(ValueError, match="do not fill"):
        bracket_round(range(6))


def test_two_of_four_advance_with_ties_broken_in_order():
    results = [
        BracketResult(1, 2.0, 0.9, 48),
        BracketResult(2, 1.0, 0.5, 48),
        BracketResult(3, 1.0, 0.6, 48),
        BracketResult(4, 1.0, 0.6, 60),
    ]
    assert advancing(results) == (1, 4)
    assert advancing(reversed(results), 3) == (1, 4, 3)
