"""Playing a regression test until it is decided."""

from __future__ import annotations

from collections.abc import Callable

from erqiwang_runner.local.games_log import GamesLog
from erqiwang_runner.local.play import LocalPlay
from erqiwang_runner.local.pool import LocalPool
from erqiwang_runner.played import PlayedSet
from erqiwang_runner.regress.plan import PlannedTest
from erqiwang_runner.regress.watch import Watch
from erqiwang_runner.results import BoardSet


def play_test(planned: PlannedTest, log: GamesLog, hear: Callable[[Watch], None]) -> Watch:
    """Play what is missing for a verdict; `hear` is called after each board set.

    The workers may be ahead of the verdict: what they played is kept, and changes nothing of it.
    """
    watch = Watch(planned.test, log.board_sets())
    if watch.is_decided:
        return watch
    with LocalPool(planned.workers) as pool:
        play = LocalPlay(planned.spec, log, pool)
        for played in play.sets():
            is_decided = watch.take(board_of(played))
            hear(watch)
            if is_decided:
                break
    return watch


def board_of(played: PlayedSet) -> BoardSet:
    """Give what the statistics need of a board set."""
    return BoardSet(played.slot, played.generation, tuple(table.result for table in played.tables))
