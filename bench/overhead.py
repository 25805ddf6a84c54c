"""What records, metrics and deadlines take of a referee's time.

A match is played in one process, without a network: every player answers at once. The functions that make
records, count for the metrics and watch over deadlines are timed where they are called, once a table or once
a message; the rest of the time is what play itself takes. The network, which is missing here, would make
their share smaller.
"""

from __future__ import annotations

import statistics
import time
from collections import defaultdict
from collections.abc import Callable
from functools import wraps

from bench.referee import answer, spec_of
from erqiwang.rules import Fault
from erqiwang.v1 import bot_service_pb2 as bot
from erqiwang_referee.clock import PlayerClock
from erqiwang_referee.company import Company
from erqiwang_referee.deadlines import Deadlines
from erqiwang_referee.match import Match, Outcome
from erqiwang_referee.meter import Meter
from erqiwang_referee.plan import plan_match
from erqiwang_referee.player import Terms
from erqiwang_referee.settings import Limits
from erqiwang_referee.table import Table
from erqiwang_referee.timekeeper import Timekeeper

GOAL = 0.05
TABLES = 256
ROUNDS = 7
PARTS: dict[str, tuple[tuple[type, str], ...]] = {
    "records": ((Table, "encode_record"),),
    "metrics": ((Meter, "take_table"),),
    "deadlines": (
        (Company, "_deadline"),
        (Deadlines, "look_by"),
        (Deadlines, "tick"),
        (PlayerClock, "start"),
        (PlayerClock, "charge"),
    ),
}


class Stopwatches:
    """Seconds spent in the parts. A part that is called within another is counted once, there."""

    def __init__(self) -> None:
        self.spent: defaultdict[str, float] = defaultdict(float)
        self._is_running = False

    def watch(self, part: str, owner: type, name: str) -> None:
        """Time a method from now on."""
        method: Callable[..., object] = getattr(owner, name)

        @wraps(method)
        def timed(*arguments: object, **named: object) -> object:
            if self._is_running:
                return method(*arguments, **named)
            self._is_running, start = True, time.process_time()
            try:
                return method(*arguments, **named)
            finally:
                self.spent[part] += time.process_time() - start
                self._is_running = False

        setattr(owner, name, timed)


class Mailbox:
    """The link of a player that reads when it is asked to."""

    waiting_bytes = 0

    def __init__(self) -> None:
        self.messages: list[bytes] = []

    def send(self, message: bytes) -> None:
        self.messages.append(message)

    def close(self, breach: str | None = None) -> None:
        """Nothing is open."""

    def answers(self) -> list[bytes]:
        """Answer what came."""
        responses = [bot.PlayResponse.FromString(message) for message in self.messages]
        self.messages.clear()
        return [answer(response.turns) for response in responses if response.HasField("turns")]


class Desk:
    """The runner: takes the records."""

    def __init__(self) -> None:
        self.decisions = 0

    def joined(self, player: int, client: str) -> None:
        """Everybody comes."""

    def table_moved(self, table: Table) -> None:
        raise AssertionError(table.index)

    def table_finished(self, table: Table) -> None:
        table.encode_record()
        self.decisions += table.decision_count

    def faulted(self, player: int, table: int | None, fault: Fault) -> None:
        raise AssertionError(fault)

    def finished(self, outcome: Outcome, detail: str, messages: int) -> None:
        assert outcome is Outcome.COMPLETED, detail


def play() -> tuple[int, float]:
    """Play one match; gives the decisions, and the seconds that the referee's side took."""
    spec, _ = spec_of(1, TABLES, TABLES)
    later: list[Callable[[], None]] = []
    desk, deadlines, limits = Desk(), Deadlines(), Limits()
    match = Match(
        plan_match(spec, limits.tables_in_flight),
        reporter=Meter().listen(desk),
        timekeeper=Timekeeper(time.monotonic, limits.late_tick_ms / 1000),
        deadlines=deadlines,
        limits=limits,
        later=lambda _seconds, call: later.append(call),
    )
    boxes = [Mailbox() for _ in spec.players]
    start = time.process_time()
    match.open()
    for index, box in enumerate(boxes):
        match.join(index, box, Terms(TABLES, full_history=False), "bench")
    seconds = time.process_time() - start
    while match.outcome is None:
        for index, box in enumerate(boxes):
            answers = box.answers()
            start = time.process_time()
            for data in answers:
                match.receive(index, box, data)
            seconds += time.process_time() - start
        start = time.process_time()
        deadlines.tick(time.monotonic())
        calls, later[:] = later[:], []
        for call in calls:
            call()
        seconds += time.process_time() - start
    return desk.decisions, seconds


def main() -> None:
    """Print what each part takes, and the share of all three."""
    watches = Stopwatches()
    for part, methods in PARTS.items():
        for owner, name in methods:
            watches.watch(part, owner, name)
    rounds: list[tuple[float, dict[str, float]]] = []
    for _ in range(ROUNDS):
        watches.spent.clear()
        decisions, seconds = play()
        rounds.append((seconds / decisions, {part: watches.spent[part] / decisions for part in PARTS}))
    whole = statistics.median([seconds for seconds, _ in rounds])
    for part in PARTS:
        spent = statistics.median([parts[part] for _, parts in rounds])
        print(f"{part:10} {1e6 * spent:6.2f} µs of {1e6 * whole:.1f} µs per decision without the network")
    share = statistics.median([sum(parts.values()) / seconds for seconds, parts in rounds])
    verdict = "reached" if share <= GOAL else "missed"
    print(f"records, metrics and deadlines: {100 * share:.1f} % (goal {100 * GOAL:g} %, {verdict})")


if __name__ == "__main__":
    main()
