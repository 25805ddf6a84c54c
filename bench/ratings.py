"""Ratings at size: 1 000 bots, 1 000 000 comparisons of board sets, error bars included."""

from __future__ import annotations

import resource
import statistics
import time
from itertools import combinations

import numpy as np

from erqiwang_runner.bradley_terry import ELO_PER_NAT
from erqiwang_runner.comparisons import Comparisons, Floats
from erqiwang_runner.ratings import rate

BOTS = 1_000
BOARDS = 166_667
RUNS = 5
GOAL_S = 5.0
GOAL_MB = 1_000.0


def main() -> None:
    """Measure the whole rating of a large pool, the pairwise errors and the rank intervals."""
    rows, theta = _pool()
    walls, cpus = [], []
    for _ in range(RUNS):
        wall, cpu = time.perf_counter(), time.process_time()
        (scale,) = rate(rows, anchors=(0, 1, 2, 3))
        scale.elo.pair_errors()
        scale.elo.rank_intervals()
        walls.append(time.perf_counter() - wall)
        cpus.append(time.process_time() - cpu)
    lead = (scale.elo.values - scale.elo.values.mean()) / ELO_PER_NAT - (theta - theta.mean())
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{len(rows):,} comparisons of {BOTS:,} bots, median of {RUNS} runs")
    print(
        f"  wall {statistics.median(walls):.2f} s, CPU {statistics.median(cpus):.2f} s (goal: {GOAL_S:.0f} s)"
    )
    print(f"  peak memory of the process {peak:.0f} MB (goal: {GOAL_MB:.0f} MB)")
    print(f"  root mean square error {ELO_PER_NAT * float(np.sqrt((lead**2).mean())):.1f} Elo")


def _pool() -> tuple[Comparisons, Floats]:
    """Play boards of four bots whose order follows the model exactly."""
    rng = np.random.default_rng(0)
    theta = rng.normal(size=BOTS)
    # Three steps round the circle of bots that never go all the way round: four different bots.
    steps = np.cumsum(rng.integers(1, BOTS // 3, (BOARDS, 3)), axis=1)
    start = rng.integers(0, BOTS, (BOARDS, 1))
    groups = np.concatenate((start, (start + steps) % BOTS), axis=1)
    luck = theta[groups] - np.log(rng.exponential(size=groups.shape))
    sides = list(combinations(range(4), 2))
    first, second = (np.concatenate([groups[:, pair[end]] for pair in sides]) for end in (0, 1))
    margin = np.concatenate([luck[:, a] - luck[:, b] for a, b in sides])
    score = (np.sign(margin) + 1) / 2
    weight = np.full(len(first), 0.5)
    deals = np.tile(np.arange(BOARDS), len(sides))
    return Comparisons(tuple(range(BOTS)), first, second, score, margin, weight, deals), theta


if __name__ == "__main__":
    main()
