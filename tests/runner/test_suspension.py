import pytest

from erqiwang_runner.suspension import suspended_after


def boards(text):
    """Read `.` as a clean board, `x` as one with an event of its own, `-` as more of the last one."""
    events, last = [], 0
    for sign in text:
        last += sign == "x"
        events.append([] if sign == "." else [last])
    return events


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("", None),
        ("....", None),
        ("xx", None),
        ("xxx", 3),
        ("x.x.x", None),
        ("..xx.xxx.", 8),
        ("x--------", None),
        ("x--x-x", 6),
    ],
)
def test_three_events_in_a_row_suspend(text, moment):
    assert suspended_after(boards(text)) == moment


def test_three_events_on_one_board_suspend():
    assert suspended_after([[1, 2, 3]]) == 1


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("x." * 3 + "." * 94, 100),
        ("x." * 2 + "." * 300, None),
        ("x." * 40, None),
        ("." * 200 + "x." * 6, 209),
    ],
)
def test_more_than_two_percent_of_a_hundred_boards_suspend(text, moment):
    found = suspended_after(boards(text))
    assert found == moment


def test_what_comes_later_does_not_move_the_moment():
    assert suspended_after(boards("xxx" + "." * 500)) == 3
