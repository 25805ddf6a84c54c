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
_FRESH_S = 1.0
"""A sample serves every table that opens so soon after it: reading one takes almost a millisecond."""

_AGAIN_S = 0.5
"""A second look must follow the first so soon."""

Times = Mapping[int, tuple[int, int]]
"""By thread: nanoseconds on a processor, nanoseconds in the run queue, both since its start."""


@dataclass(frozen=True, slots=True)
class _Observation:
    since: float
    at: float
    times: Times


@dataclass(frozen=True, slots=True)
class _Queued:
    at: float
    times: Times


@dataclass(frozen=True, slots=True)
class Sample:
    """What was known of a player when a table opened, to judge the whole time since.

    `charged_s` is what it had been charged at all its tables, `own_wait_s` how long the referee itself had
    waited for a processor.
    """

    at: float
    charged_s: float
    times: Times
    own_wait_s: float


class RunQueue:
    """Proves, where it can, that a player was late because the host gave it no processor.

    Costs next to nothing while answers come quickly: it is asked when a deadline is looked at, and at most
    once a second when a table opens. `read` gives the cumulative times of the player's process with all its
    threads and descendants, `own_wait` the seconds that the referee has waited, `is_runnable` whether a
    thread computes or waits to.

    The kernel counts a wait when it ends. So one that still lasts is proven by two looks: a thread that is
    runnable at both and did not run in between waits.
    """

    __slots__ = ("_is_runnable", "_observation", "_own_wait", "_queued", "_read", "_sample")

    def __init__(
        self, read: Callable[[], Times], own_wait: Callable[[], float], is_runnable: Callable[[int], bool]
    ) -> None:
        self._read = read
        self._own_wait = own_wait
        self._is_runnable = is_runnable
        self._queued: _Queued | None = None
        self._observation: _Observation | None = None
        self._sample: Sample | None = None

    def observe(self, since: float, now: float) -> None:
        """Remember the times for a clock that runs since a moment, unless they are remembered already."""
        if self._observation is None or self._observation.since != since:
            self._observation = _Observation(since, now, self._read())

    def wants_second_look(self, now: float) -> bool:
        """Tell, once, whether to look again a tick later: a thread may be waiting at this very moment."""
        queued = self._queued
        if queued is not None and now - queued.at < _AGAIN_S:
            return False
        times = {thread: both for thread, both in self._read().items() if self._is_runnable(thread)}
        self._queued = _Queued(now, times)
        return bool(times)

    def excuses(self, since: float, now: float) -> bool:
        """Tell whether less than half of the observed charge was computing and waiting was the rest.

        False where less than half of the charge was observed.
        """
        seen = self._observation
        if seen is None or seen.since != since:
            return False
        observed = now - seen.at
        if observed <= 0 or observed < _SHARE * (now - since):
            return False
        times = self._read()
        cpu_s, wait_s = _elapsed(seen.times, times)
        return _is_waiting(observed, cpu_s, observed if self._still_waits(times, now) else wait_s)

    def sample(self, now: float, charged_s: float) -> Sample:
        """Remember how things stand, or give what was remembered a moment ago."""
        sample = self._sample
        if sample is None or now - sample.at >= _FRESH_S:
            sample = self._sample = Sample(now, charged_s, self._read(), self._own_wait())
        return sample

    def computed_share(self, sample: Sample, charged_s: float, pending_s: float, now: float) -> float:
        """Tell which part of the charge since a sample the player computed; 1 where no waiting is proven.

        The last `pending_s` of `charged_s` are those of the open turns.

        Waiting is proven as in `excuses`, but the referee's own waiting explains up to half of the charge: it
        delays every answer a little, and a bank adds that up.
        """
        charge = charged_s - sample.charged_s
        if charge <= 0:
            return 1.0
        times = self._read()
        cpu_s, wait_s = _elapsed(sample.times, times)
        if self._still_waits(times, now):
            wait_s += pending_s
        wait_s += min(self._own_wait() - sample.own_wait_s, _SHARE * charge)
        return cpu_s / charge if _is_waiting(charge, cpu_s, wait_s) else 1.0

    def _still_waits(self, times: Times, now: float) -> bool:
        queued = self._queued
        if queued is None or not 0 < now - queued.at < _AGAIN_S:
            return False
        return any(times.get(each) == both and self._is_runnable(each) for each, both in queued.times.items())


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


def is_runnable(thread: int) -> bool:
    """Tell whether a thread computes or waits for a processor, and does not sleep."""
    with suppress(OSError):
        return Path(f"/proc/{thread}/stat").read_text().rpartition(")")[2].split()[:1] == ["R"]
    return False


def own_wait_s() -> float:
    """Read how long the calling thread has waited for a processor since its start, in seconds."""
    with suppress(OSError, ValueError):
        return int(Path("/proc/thread-self/schedstat").read_text().split()[1]) / _NS
    return 0.0


def _is_waiting(charge_s: float, cpu_s: float, wait_s: float) -> bool:
    return cpu_s < _SHARE * charge_s and cpu_s + wait_s >= _REST * charge_s


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
