"""Board sets without a game: what is on a table is given by a function of the hand, the seat and the bot."""

import pytest

from erqiwang_runner.results import BoardSet, Slot, TableResult
from erqiwang_runner.seating import get_set_type


@pytest.fixture
def play_set():
    """Play board n of a group: `points(board, table, entries)` gives the scores of a table."""

    def play(set_type, group, n, points, *, epoch=0, group_id=0, generation=0, declarer=0, forfeits=()):
        each = get_set_type(set_type)
        tables = tuple(
            TableResult(
                epoch,
                group_id,
                n,
                generation,
                number,
                entries,
                each.square(n)[number],
                tuple(points(n, number, entries)),
                declarer,
                tuple((number, seat) in set(forfeits) for seat in range(each.seats)),
            )
            for number, entries in enumerate(each.seating(group, n))
        )
        return BoardSet(Slot(epoch, group_id, n), generation, tables)

    return play
