"""What the referee counts of itself: plain numbers, taken up when a table or a match is over."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise

from erqiwang.rules import DecidedBy, Fault, FaultCause
from erqiwang_referee.match import Outcome, Reporter
from erqiwang_referee.table import Table

BOUNDS_S = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


@dataclass(slots=True)
class Histogram:
    """How many values fell at or below each bound; the last count is of those above all bounds."""

    bounds: tuple[float, ...] = BOUNDS_S
    total: float = 0.0
    counts: list[int] = field(default_factory=lambda: [0] * (len(BOUNDS_S) + 1))

    def add(self, values: Iterable[float]) -> None:
        """Count values."""
        ascending = sorted(values)
        below = [bisect_right(ascending, bound) for bound in self.bounds]
        for bucket, (low, high) in enumerate(pairwise((0, *below, len(ascending)))):
            self.counts[bucket] += high - low
        self.total += sum(ascending)


class Meter:
    """Counts of this process since its start."""

    def __init__(self) -> None:
        self.decision_seconds = Histogram()
        """Of decisions that players made themselves."""
        self.decisions: Counter[DecidedBy] = Counter()
        self.faults: Counter[FaultCause] = Counter()
        self.matches: Counter[Outcome] = Counter()
        self.tables = 0
        self.messages = 0

    def listen(self, reporter: Reporter) -> Reporter:
        """Count what a match reports on its way to somebody else."""
        return _Listener(self, reporter)

    def take_table(self, table: Table) -> None:
        """Count a table that is over."""
        self.tables += 1
        self.decisions[DecidedBy.BOT] += len(table.bot_seconds)
        self.decisions.update(table.decided_otherwise)
        self.decision_seconds.add(table.bot_seconds)


class _Listener:
    """A reporter that counts."""

    __slots__ = ("_meter", "_reporter")

    def __init__(self, meter: Meter, reporter: Reporter) -> None:
        self._meter = meter
        self._reporter = reporter

    def joined(self, player: int, client: str) -> None:
        self._reporter.joined(player, client)

    def table_moved(self, table: Table) -> None:
        self._reporter.table_moved(table)

    def table_finished(self, table: Table) -> None:
        self._meter.take_table(table)
        self._reporter.table_finished(table)

    def faulted(self, player: int, table: int | None, fault: Fault) -> None:
        self._meter.faults[fault.cause] += 1
        self._reporter.faulted(player, table, fault)

    def finished(self, outcome: Outcome, detail: str, messages: int) -> None:
        self._meter.matches[outcome] += 1
        self._meter.messages += messages
        self._reporter.finished(outcome, detail, messages)
