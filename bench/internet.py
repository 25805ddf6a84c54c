"""Queue, database and Redis of a platform of thousands of workers, computed from measured costs.

Time passes in steps of a second. In each the workers that are free take matches from the queue; a match lasts
as long as drawn; its board sets are stored when it ends; the coordinator refills the window at its tick. The
costs are arguments, with what was measured on one small machine as defaults; nothing of it is a promise.
"""

from __future__ import annotations

import argparse
import heapq
import random
from dataclasses import dataclass

DAY_S = 86_400


@dataclass(frozen=True, slots=True)
class Load:
    """A platform and what its parts cost.

    `match_s` is the mean length of a match, `sets` its board sets, `tick_s` the coordinator's period, and
    `refill_s` its time to plan and queue a match. `message_bytes` is a message in Redis, and `unacked_bytes`
    what a worker's message takes beside it. `commit_s` is one commit of a database connection, of which
    `writers` work side by side.
    """

    workers: int = 4_000
    match_s: float = 60.0
    sets: int = 60
    window: int = 12_000
    tick_s: float = 5.0
    refill_s: float = 0.002
    message_bytes: int = 1_300
    unacked_bytes: int = 1_600
    commit_s: float = 0.007
    writers: int = 64
    seconds: int = 3_600

    @property
    def commits_a_match(self) -> int:
        """To take it, to store each set, to complete it, and its share of the coordinator's."""
        return 3 + self.sets


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of it: totals, peaks and means."""

    matches: int
    queue_max: int
    queue_min: int
    idle_share: float
    commits_s: float
    writers_busy: float
    redis_bytes: int
    coordinator_busy: float


def simulate(load: Load, seed: int = 0) -> Outcome:
    """Let an hour pass."""
    chance = random.Random(seed)
    ends: list[float] = []
    queue = done = active = 0
    idle = commits = coordinator_s = 0.0
    longest, shortest, redis = 0, load.window, 0
    for second in range(load.seconds):
        while ends and ends[0] <= second:
            heapq.heappop(ends)
            done, active = done + 1, active - 1
            commits += load.commits_a_match
        if second % max(1, round(load.tick_s)) == 0:
            # It cannot plan more in a tick than the tick is long.
            new = min(load.window - queue - active, int(load.tick_s / load.refill_s))
            queue += max(0, new)
            coordinator_s += max(0, new) * load.refill_s
        begun = min(queue, load.workers - active)
        for _ in range(begun):
            heapq.heappush(ends, second + max(1.0, chance.lognormvariate(0, 0.4) * load.match_s))
        queue, active = queue - begun, active + begun
        idle += load.workers - active
        longest = max(longest, queue)
        if second > 2 * load.match_s:
            shortest = min(shortest, queue)
        redis = max(redis, queue * load.message_bytes + active * load.unacked_bytes)
    return Outcome(
        matches=done,
        queue_max=longest,
        queue_min=shortest,
        idle_share=idle / load.workers / load.seconds,
        commits_s=commits / load.seconds,
        writers_busy=commits * load.commit_s / load.writers / load.seconds,
        redis_bytes=redis,
        coordinator_busy=coordinator_s / load.seconds,
    )


def main() -> None:
    """Print one line for each size of a platform."""
    print(
        "workers  window  sets/match  matches/day   queue min..max  idle  commits/s  db busy  redis MB  coord"
    )
    for workers, window, sets in (
        *((100, 300, 60), (1_000, 3_000, 60), (4_000, 12_000, 60), (4_000, 4_000, 60)),
        *((4_000, 12_000, 6), (10_000, 30_000, 6)),
    ):
        load = Load(workers=workers, window=window, sets=sets)
        found = simulate(load)
        print(
            f"{workers:7d} {window:7d} {load.sets:11d} {found.matches * DAY_S // load.seconds:12,d} "
            f"{found.queue_min:7d}..{found.queue_max:<6d} {found.idle_share:5.1%} {found.commits_s:10.0f} "
            f"{found.writers_busy:8.0%} {found.redis_bytes / 1e6:9.1f} {found.coordinator_busy:7.1%}"
        )


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__).parse_args()
    main()
