from collections import Counter

import pytest

from erqiwang.chance import TableRandom


def test_a_seed_gives_the_same_choices_for_ever():
    chance = TableRandom(bytes(range(32)))
    assert [chance.below(1000) for _ in range(5)] == GOLDEN
    assert TableRandom(bytes(32)).shuffled("SHCD") == GOLDEN_ORDER


def test_numbers_are_below_the_limit_and_even():
    chance = TableRandom(bytes(32))
    drawn = Counter(chance.below(6) for _ in range(6000))
    assert set(drawn) == set(range(6))
    assert all(850 < count < 1150 for count in drawn.values())


def test_choice_and_shuffle_keep_their_items():
    chance = TableRandom(b"\1" * 32)
    items = list(range(10))
    assert chance.choice(items) in items
    assert sorted(chance.shuffled(items)) == items
    assert items == list(range(10))


def test_nothing_to_choose_from():
    with pytest.raises(IndexError):
        TableRandom(bytes(32)).choice([])


GOLDEN = [513, 857, 715, 860, 937]
GOLDEN_ORDER = ["D", "H", "S", "C"]
