from itertools import combinations, permutations

import pytest

from erqiwang_runner.seating import (
    KLEIN,
    SET_TYPES,
    SetType,
    default_set_type,
    get_set_type,
    is_seat_balanced,
    pair_counts,
    seat_counts,
)

SIZES = {
    # name: (seats, tables, columns, entries, cycle)
    "klein4": (4, 4, 4, 4, 3),
    "klein4h": (4, 4, 4, 4, 3),
    "cyclic4": (4, 4, 4, 4, 6),
    "a4": (4, 12, 4, 4, 1),
    "all24": (4, 24, 4, 4, 1),
    "double3": (4, 4, 6, 3, 9),
    "pair22": (4, 2, 4, 2, 3),
    "six22": (4, 6, 4, 2, 1),
    "lone8": (4, 8, 6, 2, 1),
    "all14": (4, 14, 6, 2, 1),
    "field8": (4, 8, 5, 5, 3),
    "cyc3": (3, 3, 3, 3, 2),
    "all6": (3, 6, 3, 3, 1),
    "pair21": (3, 2, 4, 2, 3),
    "six21": (3, 6, 4, 2, 1),
}


def seatings(set_type, boards=None):
    group = tuple(range(set_type.entries))
    count = set_type.cycle if boards is None else boards
    return [row for n in range(count) for row in set_type.seating(group, n)]


@pytest.mark.parametrize("name", SET_TYPES)
def test_sizes(name):
    each = SET_TYPES[name]
    assert (each.seats, each.tables, each.columns, each.entries, each.cycle) == SIZES[name]


@pytest.mark.parametrize("name", SET_TYPES)
def test_every_entry_has_every_seat_equally_often_on_every_board(name):
    each = SET_TYPES[name]
    for n in range(2 * each.cycle):
        assert is_seat_balanced(each.seating(tuple(range(each.entries)), n))


@pytest.mark.parametrize("name", SET_TYPES)
def test_a_column_sits_once_at_a_table_and_keeps_its_entry(name):
    each = SET_TYPES[name]
    for n in range(each.cycle):
        for row, seated in zip(each.square(n), each.seating(tuple(range(each.entries)), n), strict=True):
            assert len(set(row)) == each.seats
            assert tuple(each.place(column) for column in row) == seated


def test_klein_squares_are_those_of_the_design():
    assert KLEIN[0] == ((0, 1, 2, 3), (1, 0, 3, 2), (2, 3, 0, 1), (3, 2, 1, 0))
    assert KLEIN[1] == ((0, 2, 3, 1), (1, 3, 2, 0), (2, 0, 1, 3), (3, 1, 0, 2))
    assert KLEIN[2] == ((0, 3, 1, 2), (1, 2, 0, 3), (2, 1, 3, 0), (3, 0, 2, 1))


def test_klein_squares_are_pairwise_orthogonal():
    for first, second in combinations(KLEIN, 2):
        cells = {(first[r][s], second[r][s]) for r in range(4) for s in range(4)}
        assert len(cells) == 16


def test_klein_squares_together_are_the_alternating_group():
    rows = {row for square in KLEIN for row in square}
    even = {row for row in permutations(range(4)) if sum(a > b for a, b in combinations(row, 2)) % 2 == 0}
    assert rows == even


@pytest.mark.parametrize("name", ["klein4", "a4"])
def test_every_ordered_pair_has_every_ordered_pair_of_seats_once_in_a_cycle(name):
    counts = pair_counts(seatings(SET_TYPES[name]))
    assert len(counts) == 144
    assert set(counts.values()) == {1}


@pytest.mark.parametrize(
    "name", ["klein4", "a4", "all24", "pair22", "six22", "cyc3", "all6", "pair21", "six21"]
)
def test_neighbours_are_balanced_in_a_cycle(name):
    counts = pair_counts(seatings(SET_TYPES[name]))
    by_pair = {(i, j) for i, j, _, _ in counts}
    seats = set(permutations(range(SET_TYPES[name].seats), 2))
    for i, j in by_pair:
        assert len({counts[i, j, s, t] for s, t in seats}) == 1


def test_one_cyclic_order_always_has_the_same_predecessor():
    rows = SET_TYPES["cyclic4"].seating((0, 1, 2, 3), 0)
    assert {(row[seat - 1], row[seat]) for row in rows for seat in range(4)} == {
        (3, 0),
        (0, 1),
        (1, 2),
        (2, 3),
    }


def test_pair22_swaps_sides_and_cycles_the_splits():
    rows = [SET_TYPES["pair22"].seating((5, 9), n) for n in range(4)]
    assert rows == [
        ((5, 9, 5, 9), (9, 5, 9, 5)),
        ((5, 5, 9, 9), (9, 9, 5, 5)),
        ((5, 9, 9, 5), (9, 5, 5, 9)),
        ((5, 9, 5, 9), (9, 5, 9, 5)),
    ]


@pytest.mark.parametrize("name", ["pair22", "six22", "lone8", "all14", "pair21", "six21"])
def test_lower_copy_sits_on_the_lower_seat_of_its_side(name):
    each = SET_TYPES[name]
    for n in range(each.cycle):
        for row in each.square(n):
            for letter in "AB":
                columns = [column for column in row if each.letters[column] == letter]
                first = each.letters.index(letter)
                assert columns == list(range(first, first + len(columns)))


def test_pair21_cycles_the_lone_seat():
    rows = [SET_TYPES["pair21"].seating((0, 1), n) for n in range(3)]
    lone = [{tuple(seat for seat in range(3) if row.count(row[seat]) == 1) for row in pair} for pair in rows]
    assert lone == [{(0,)}, {(1,)}, {(2,)}]
    assert [sorted(sum(row) for row in pair) for pair in rows] == [[1, 2]] * 3


def test_cyc3_alternates_its_orientation():
    assert SET_TYPES["cyc3"].square(0) == ((0, 1, 2), (1, 2, 0), (2, 0, 1))
    assert SET_TYPES["cyc3"].square(1) == ((0, 2, 1), (2, 1, 0), (1, 0, 2))
    assert SET_TYPES["cyc3"].square(2) == SET_TYPES["cyc3"].square(0)


def test_double3_gives_each_entry_the_second_copy_in_turn():
    each = SET_TYPES["double3"]
    for start in range(0, 9, 3):
        doubled = set()
        for n in range(start, start + 3):
            counts = {entry: sum(seats) for entry, seats in seat_counts(each.seating((0, 1, 2), n)).items()}
            assert sorted(counts.values()) == [4, 4, 8]
            doubled |= {entry for entry, total in counts.items() if total == 8}
        assert doubled == {0, 1, 2}
    both = {(n % 3, max(column % 2 * column for column in each.square(n)[0])) for n in range(9)}
    assert len(both) == 9


def test_lone8_and_all24_and_six22_contain_every_split_once():
    assert len(set(seatings(SET_TYPES["all24"]))) == 24
    assert len(set(seatings(SET_TYPES["six22"]))) == 6
    assert len(set(seatings(SET_TYPES["lone8"]))) == 8
    assert len(set(seatings(SET_TYPES["all14"]))) == 14


def test_field8_seats_each_of_two_against_the_same_three():
    for n in range(3):
        rows = SET_TYPES["field8"].seating((0, 1, 2, 3, 4), n)
        first, second = rows[:4], rows[4:]
        assert [tuple(1 if each == 0 else each for each in row) for row in first] == list(second)


def test_every_rotation_of_a_group_is_distinct():
    for each in SET_TYPES.values():
        for n in range(each.cycle):
            assert len(set(each.square(n))) == each.tables


def test_unfair_data_is_refused():
    with pytest.raises(ValueError, match="equally often"):
        SetType("favourite", "AB", (((0, 1), (0, 1)),))
    with pytest.raises(ValueError, match="two seats"):
        SetType("twice", "AB", (((0, 0), (1, 1)),))


def test_lookups():
    assert get_set_type("klein4") is SET_TYPES["klein4"]
    with pytest.raises(LookupError, match="known: klein4"):
        get_set_type("klein5")
    names = {size: default_set_type(*size).name for size in [(4, 4), (4, 3), (4, 2), (3, 3), (3, 2)]}
    assert list(names.values()) == ["klein4", "klein4h", "pair22", "cyc3", "pair21"]
    with pytest.raises(LookupError, match="5 entries at 4 seats"):
        default_set_type(4, 5)
    with pytest.raises(ValueError, match="4 entries"):
        SET_TYPES["klein4"].seating((1, 2, 3), 0)
