"""What the kernel knows of a player's process: how long it computed, how long it waited to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

_NS = 1_000_000_000
_SHARE = 0.5
_REST = 0.9
"""Time and run-queue wait are read a moment apart from the clock: the rest need not be explained wholly."""

Times = Mapping[int, tuple[int, int]]
"""By thread: nanoseconds on a processor, nanoseconds in the run queue, both since its start."""


@dataclass(frozen=True, slots=True)
class _Sample:
    since: float
    at: float
    times: Times


class RunQueue:
    """Proves, where it can, that a player was late because the host gave it no processor.

    Costs nothing while answers come quickly: it is asked only when a deadline is looked at. `read` gives the
    cumulative times of the player's process with all its threads and descendants.
    """

    __slots__ = ("_read", "_sample")

    def __init__(self, read: Callable[[], Times]) -> None:
        self._read = read
        self._sample: _Sample | None = None

    def observe(self, since: float, now: float) -> None:
        """Remember the times for a clock that runs since a moment, unless they are remembered already."""
        if self._sample is None or self._sample.since != since:
            self._sample = _Sample(since, now, self._read())

    def excuses(self, since: float, now: float) -> bool:
        """Tell whether less than half of the observed charge was computing and waiting was the rest.

        False where less than half of the charge was observed.
        """
        sample = self._sample
        if sample is None or sample.since != since:
            return False
        observed = now - sample.at
        if observed <= 0 or observed < _SHARE * (now - since):
            return False
        cpu_s, wait_s = _elapsed(sample.times, self._read())
        return cpu_s < _SHARE * observed and cpu_s + wait_s >= _REST * observed


def times_of(pid: int) -> Times:
    """Read the times of a process, its threads and its descendants; what is gone is left out."""
    times: dict[int, tuple[int, int]] = {}
    waiting = [pid]
    while waiting:
        for thread in _threads(waiting.pop()):
            with suppress(OSError, ValueError):
                cpu, wait, _ = (thread / "schedstat").read_text().split()
                times[int(thread.name)] = int(cpu), int(wait)
                waiting += [int(child) for child in (thread / "children").read_text().split()]
    return times


def _threads(pid: int) -> list[Path]:
    with suppress(OSError):
        return list(Path("/proc", str(pid), "task").iterdir())
    return []


def _elapsed(before: Times, after: Times) -> tuple[float, float]:
    cpu = wait = 0
    for thread, (cpu_then, wait_then) in after.items():
        cpu_before, wait_before = before.get(thread, (0, 0))
        cpu += max(0, cpu_then - cpu_before)
        wait += max(0, wait_then - wait_before)
    return cpu / _NS, wait / _NS
