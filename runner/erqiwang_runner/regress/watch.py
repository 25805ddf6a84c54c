"""Following a regression test while its boards come in, in whatever order they come."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from erqiwang_runner.regression import FORFEIT_LIMIT, RegressionReport, RegressionTest, prefix
from erqiwang_runner.results import BoardSet
from erqiwang_runner.sequential import (
    FIRST_LOOK,
    LOOK_EVERY,
    Verdict,
    judge,
    log_likelihood_ratio,
    standardised_mean,
)


@dataclass(frozen=True, slots=True)
class Point:
    """The log-likelihood ratio after so many board sets."""

    sets: int
    llr: float


class Watch:
    """Takes board sets and tells when the test is decided, by the unbroken prefix of the plan alone."""

    def __init__(self, test: RegressionTest, boards: Iterable[BoardSet] = ()) -> None:
        self._test = test
        self._boards: dict[int, BoardSet] = {}
        self._next = 0
        self._margins: list[float] = []
        self._spoiled = [0, 0]
        self._decided = False
        for board in boards:
            self.take(board)

    @property
    def is_decided(self) -> bool:
        """Whether the boards that are there decide the test."""
        return self._decided

    @property
    def in_order(self) -> int:
        """How many boards from the first one on are there."""
        return self._next

    def take(self, board: BoardSet) -> bool:
        """Take a board set; tells whether the test is decided now."""
        self._boards[board.slot.n] = board
        while not self._decided and self._next in self._boards:
            self._advance(self._boards[self._next])
        return self._decided

    def llr(self) -> float:
        """Give the log-likelihood ratio of the boards in order; it decides nothing between two looks."""
        return llr_of(self._margins, self._test)

    def boards(self) -> list[BoardSet]:
        """Give the boards that are there."""
        return list(self._boards.values())

    def report(self) -> RegressionReport:
        """Say what the boards say."""
        return self._test.report(self._boards.values())

    def _advance(self, board: BoardSet) -> None:
        self._next += 1
        margin = self._test.margin(board)
        if margin is not None:
            self._margins.append(margin)
        if self._test.new in board.offenders:
            self._spoiled[0] += 1
        elif self._test.old in board.offenders:
            self._spoiled[1] += 1
        self._decided = max(self._spoiled) >= FORFEIT_LIMIT or (margin is not None and self._look())

    def _look(self) -> bool:
        sets = len(self._margins)
        limit = self._test.hypotheses.limit if self._test.limit is None else self._test.limit
        if sets < limit and (sets < FIRST_LOOK or (sets - FIRST_LOOK) % LOOK_EVERY):
            return False
        found = judge(self._margins, self._test.hypotheses, self._test.limit)
        return found.verdict is not Verdict.OPEN


def history(
    test: RegressionTest, boards: Iterable[BoardSet], explained: Collection[int] = ()
) -> Iterator[Point]:
    """Give the course of the log-likelihood ratio over the boards that the verdict rests on."""
    counted = test.report(found := list(boards), explained).judgement.sets
    margins = [margin for board in prefix(found, explained) if (margin := test.margin(board)) is not None]
    for sets in range(LOOK_EVERY, counted + 1, LOOK_EVERY):
        yield Point(sets, llr_of(margins[:sets], test))
    if counted % LOOK_EVERY:
        yield Point(counted, llr_of(margins[:counted], test))


def llr_of(margins: list[float], test: RegressionTest) -> float:
    """Give the log-likelihood ratio of some margins; 0 without any."""
    if not margins:
        return 0.0
    return log_likelihood_ratio(
        len(margins), standardised_mean(np.asarray(margins, dtype=np.float64)), test.hypotheses
    )
