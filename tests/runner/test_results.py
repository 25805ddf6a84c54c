import dataclasses
import random

import pytest

from erqiwang_runner.results import BoardSet, Slot, TableResult, board_sets


def table(
    n=0,
    number=0,
    *,
    epoch=0,
    group=0,
    generation=0,
    scores=(3, -1, -1, -1),
    forfeits=(False,) * 4,
    declarer=0,
):
    return TableResult(
        epoch, group, n, generation, number, (5, 6, 7, 8), (0, 1, 2, 3), scores, declarer, forfeits
    )


def test_tables_come_together_in_slot_order_however_they_arrive():
    tables = [
        table(n, number, epoch=epoch, group=group, generation=generation)
        for epoch in (0, 1)
        for group in (0, 1)
        for n in (0, 1)
        for generation in (0, 1)
        for number in (0, 1)
    ]
    expected = board_sets(tables)
    random.Random(1).shuffle(tables)
    assert board_sets(tables) == expected
    assert [each.key for each in expected] == sorted(each.key for each in expected)
    assert [t.table for t in expected[0].tables] == [0, 1]


def test_board_set_knows_its_entries_and_offenders():
    board = BoardSet(Slot(0, 0, 0), 0, (table(), table(number=1, forfeits=(False, True, False, False))))
    assert board.entries == (5, 6, 7, 8)
    assert board.offenders == {6}
    assert board.seats == 4


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"scores": (1, 1, 1, 1)}, "sum to 0"),
        ({"scores": (0, 0, 0)}, "different lengths"),
        ({"declarer": 4}, "no seat 4"),
    ],
)
def test_impossible_tables_are_refused(change, message):
    with pytest.raises(ValueError, match=message):
        dataclasses.replace(table(), **change)


@pytest.mark.parametrize(
    "tables", [(), (table(number=1),), (table(), table()), (table(n=1),), (table(generation=1),)]
)
def test_incomplete_board_sets_are_refused(tables):
    with pytest.raises(ValueError, match=r"board set without tables|is not table"):
        BoardSet(Slot(0, 0, 0), 0, tables)
