"""What duplicate play is worth: measured on the duplicate results themselves, without a game more.

For a pair of entries let d_(b,r) be the points of the one less those of the other at table r on board b, and
D̄_b the mean of d_(b,r) over the T tables. A single table of a fresh deal has the same law as table r, so::

    VR = [ Σ_r s²(d_r) / T² ] / s²(D̄)         variance with T independent deals / variance with the duplicate
    set

with s² the variance over boards. VR > 1 is what duplicate play gains; below 1.1 the game or the bots are too
noisy for it. Variances are taken within the boards of one group and pooled, over groups and pairs, by degrees
of freedom. The interval is by jackknife over boards, a board left out with all its pairs. The signal of a
pair is t = mean(D̄) / s(D̄) per board set; t²/T, per table, decides between sets.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import exp, nan, sqrt
from statistics import NormalDist
from typing import Final

import numpy as np

from erqiwang_runner.comparisons import Floats
from erqiwang_runner.results import BoardSet, TableResult

WORTHWHILE: Final = 1.1
"""Below this ratio duplicate play hardly helps."""


@dataclass(frozen=True, slots=True)
class VarianceRatio:
    """VR with its 95 % interval; NaN where there are too few boards, or no variance."""

    ratio: float
    low: float
    high: float
    boards: int

    @property
    def is_worthwhile(self) -> bool:
        """Whether the ratio says that duplicate play helps."""
        return self.ratio >= WORTHWHILE


@dataclass(frozen=True, slots=True)
class Signal:
    """Size of a difference against its noise: `t` per board set, `per_table` = t²/T."""

    t: float
    per_table: float


UNKNOWN: Final = VarianceRatio(nan, nan, nan, 0)
"""What is known without results."""


def variance_ratio(groups: Iterable[Floats]) -> VarianceRatio:
    """Measure VR on arrays d of shape (boards, tables, pairs), one per group (of two boards at least).

    With the sums of squares S (single tables) and J (sets) and their parts without board b, the jackknife
    takes l_b = ln(S_b / J_b) and SE² = (B-1)/B Σ (l_b - mean l)²; the interval is VR·e^±1.96 SE.
    """
    parts = [_squares(each) for each in groups if len(each) > 1]
    if not parts:
        return UNKNOWN
    single, joint = (np.concatenate([part[side] for part in parts]) for side in (0, 1))
    freed = np.concatenate([np.full(len(part[0]), len(part[0]) / (len(part[0]) - 1)) for part in parts])
    total, remains = float(single.sum()), float(joint.sum())
    if total <= 0 or remains <= 0:
        return VarianceRatio(nan, nan, nan, len(single))
    ratio = total / remains
    factor = exp(
        NormalDist().inv_cdf(0.975) * _jackknife_error(total - freed * single, remains - freed * joint)
    )
    return VarianceRatio(ratio, ratio / factor, ratio * factor, len(single))


def signal(leads: Sequence[float] | Floats, tables: int) -> Signal:
    """Give t = mean / sd of the board-set margins D̄ and t² per table; NaN without variance."""
    values = np.asarray(leads, dtype=np.float64)
    deviation = float(values.std(ddof=1)) if len(values) > 1 else 0.0
    t = float(values.mean()) / deviation if deviation > 0 else nan
    return Signal(t, t * t / tables)


def table_leads(boards: Iterable[BoardSet], entries: Collection[int] | None = None) -> list[Floats]:
    """Give d of every pair of the wanted entries, one array (boards, tables, pairs) per group.

    Of an entry with two copies at a table the mean counts. Left out are boards with a forfeit and pairs of
    which one misses a table.
    """
    groups: defaultdict[tuple[int, int, tuple[tuple[int, int], ...]], list[Floats]] = defaultdict(list)
    for board in boards:
        if not board.offenders:
            present = [
                e for e in board.entries if _is_everywhere(board, e) and (entries is None or e in entries)
            ]
            pairs = tuple(combinations(present, 2))
            if pairs:
                groups[board.slot.epoch, board.slot.group, pairs].append(_leads(board, pairs))
    return [np.stack(arrays) for _, arrays in sorted(groups.items(), key=lambda item: item[0])]


def _squares(leads: Floats) -> tuple[Floats, Floats]:
    """Split Σ_r SS(d_r)/T² and SS(D̄), summed over pairs, by board."""
    tables = leads.shape[1]
    sets = leads.mean(axis=1)
    single = ((leads - leads.mean(axis=0)) ** 2).sum(axis=(1, 2)) / tables**2
    return single, ((sets - sets.mean(axis=0)) ** 2).sum(axis=1)


def _jackknife_error(single: Floats, joint: Floats) -> float:
    """Give the standard error of ln VR from the sums without each board."""
    if single.min() <= 0 or joint.min() <= 0:
        return nan
    logs = np.log(single / joint)
    count = len(logs)
    return sqrt((count - 1) / count * float(((logs - logs.mean()) ** 2).sum()))


def _is_everywhere(board: BoardSet, entry: int) -> bool:
    return all(entry in table.entries for table in board.tables)


def _leads(board: BoardSet, pairs: tuple[tuple[int, int], ...]) -> Floats:
    rows = [[_mean_at(table, i) - _mean_at(table, j) for i, j in pairs] for table in board.tables]
    return np.array(rows, dtype=np.float64)


def _mean_at(table: TableResult, entry: int) -> float:
    points = [score for each, score in zip(table.entries, table.scores, strict=True) if each == entry]
    return sum(points) / len(points)
