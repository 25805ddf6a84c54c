"""Elo that is corrected board by board, as live displays have it: a memory of the latest boards.

After a board R_i grows by K Σ_j w (s_ij - p_ij), for all its entries at once. It never settles: with K = 16 a
bot of constant strength wanders by some 37 Elo for ever, and most of that is the order of its boards. It is
computed anew from the results in the order of the boards, so no arrival and no worker changes it; nothing is
decided by it, and the ratings are those of `bradley_terry`.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Final

from erqiwang_runner.ratings import ORIGIN
from erqiwang_runner.scoring import ScoredSet

FACTOR: Final = 16.0
"""K: Elo of a whole surprise."""


def running_elo(scored: Iterable[ScoredSet], factor: float = FACTOR) -> Mapping[int, float]:
    """Give the running Elo of every entry after all boards, the n-th board of each group before the next."""
    elo: defaultdict[int, float] = defaultdict(lambda: ORIGIN)
    for board in sorted(
        scored, key=lambda each: (each.slot.epoch, each.slot.n, each.slot.group, each.generation)
    ):
        change: defaultdict[int, float] = defaultdict(float)
        for pair in board.comparisons:
            p = 1 / (1 + 10 ** ((elo[pair.second] - elo[pair.first]) / 400))
            step = factor * board.weight * (pair.score - p)
            change[pair.first] += step
            change[pair.second] -= step
        for entry, step in change.items():
            elo[entry] += step
    return dict(elo)
