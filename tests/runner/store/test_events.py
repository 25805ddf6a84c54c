"""What goes wrong in play is told."""

from __future__ import annotations

import time

import pytest

from erqiwang_runner.store import claims, planning
from erqiwang_runner.store.extension import extend
from erqiwang_runner.store.planning import IDLE_ATTEMPTS

ON_SQLITE = pytest.mark.parametrize("database", ["sqlite"], indirect=True)


@ON_SQLITE
def test_boards_that_are_given_up(database, running, worker, told):
    tournament = running(boards=2, boards_per_match=2)
    extend(database, tournament, 1)
    for _ in range(IDLE_ATTEMPTS):
        claims.fail(database, claims.take(database, 1, worker), "void")
        planning.reopen(database, tournament, now=time.time() + 1000)
    (given_up,) = [data for kind, data in told() if kind == "boards.given_up"]
    reason = f"given up after {IDLE_ATTEMPTS} attempts; the last: void"
    assert given_up == {"tournament": "t", "board_sets": 2, "reason": reason}


@ON_SQLITE
def test_a_bot_that_is_suspended(season, running, told):
    running(boards=12, boards_per_match=1, look_back=0)
    season.play("t", forfeits=lambda entry, _slot: entry == 1)
    assert [data for kind, data in told() if kind == "bot.suspended"] == [
        {"tournament": "t", "bot": "bot1@1"}
    ]
