"""How the window of the coordinator is shared: nobody starves, nothing lies idle, the first has most."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from erqiwang_runner.shares import EQUAL_PART, Claimant, alternating, shares

windows = st.integers(1, 64)


@st.composite
def fields(draw):
    pairs = draw(st.lists(st.tuples(st.integers(-2, 3), st.integers(0, 80)), max_size=9))
    return [Claimant(number, *pair) for number, pair in enumerate(pairs)]


@given(windows, fields())
def test_nobody_starves_and_nothing_lies_idle(window, field):
    given_ = shares(window, field)
    assert set(given_) == {each.id for each in field}
    for each in field:
        assert min(1, each.wants) <= given_[each.id] <= each.wants
    wanting = [each for each in field if each.wants]
    assert sum(given_.values()) == min(max(window, len(wanting)), sum(each.wants for each in field))


@given(windows, fields())
def test_everybody_keeps_an_equal_part_whatever_the_others_are(window, field):
    given_ = shares(window, field)
    wanting = [each for each in field if each.wants]
    for each in wanting:
        assert given_[each.id] >= min(each.wants, window // EQUAL_PART // len(wanting))


@given(windows, fields())
def test_a_higher_priority_has_at_least_as_much_and_equal_ones_the_same(window, field):
    given_ = shares(window, field)
    for one, two in combinations(field, 2):
        first, second = sorted((one, two), key=lambda each: (-each.priority, each.id))
        if given_[first.id] < first.wants:
            assert given_[first.id] >= given_[second.id] - (first.id > second.id)
            if first.priority == second.priority and given_[second.id] < second.wants:
                assert abs(given_[first.id] - given_[second.id]) <= 1


def test_what_is_first_leaves_to_others_what_it_cannot_use():
    assert shares(32, [Claimant(1, 0, 99)]) == {1: 32}
    assert shares(32, [Claimant(1, 9, 3), Claimant(2, 5, 99), Claimant(3, 0, 99)]) == {1: 3, 2: 27, 3: 2}
    assert shares(32, [Claimant(1, 0, 99), Claimant(2, 0, 99)]) == {1: 16, 2: 16}
    assert shares(2, [Claimant(number, number, 9) for number in range(3)]) == {0: 1, 1: 1, 2: 1}


def test_matches_of_several_tournaments_alternate_in_the_queue():
    assert alternating([["a", "b", "c"], [], ["d"]]) == ["a", "d", "b", "c"]
