"""Pictures of the standings: Elo with error bars, and every bot against every other."""

from __future__ import annotations

from math import isfinite, nan
from pathlib import Path
from typing import Final

from erqiwang_runner.plots.canvas import ACCENT, SOFT, picture
from erqiwang_runner.ratings import Bound
from erqiwang_runner.standings import PairStanding, Standing, StandingsTable

_NORMAL_95: Final = 1.96


def draw_elo(table: StandingsTable, title: str, *files: Path) -> None:
    """Draw the Elo of each entry with its 95 % interval, best first."""
    rows = list(reversed(table.rows))
    with picture(files, 7, 1.2 + 0.35 * len(rows)) as axes:
        values = [row.elo.value for row in rows]
        errors = [_NORMAL_95 * row.elo.error if isfinite(row.elo.error) else 0.0 for row in rows]
        places = [float(place) for place in range(len(rows))]
        axes.axvline(1500, color=SOFT, linewidth=1, linestyle=":")
        axes.errorbar(values, places, xerr=errors, fmt="o", color=ACCENT, capsize=3)
        for place, row in zip(places, rows, strict=True):
            axes.text(row.elo.value, place + 0.14, _label(row), ha="center", va="bottom")
        axes.set_yticks(places, [row.entry.bot for row in rows])
        axes.set_ylim(-0.6, len(rows) - 0.3)
        axes.set_title(f"{title}: Elo and 95 % interval")
        axes.set_xlabel(f"relative to {_zero(table)} = 1500")


def draw_crosstable(table: StandingsTable, title: str, *files: Path) -> None:
    """Draw the share of boards that each entry (row) won against each other (column), draws as halves."""
    order = [row.entry.id for row in table.rows]
    names = [row.entry.bot for row in table.rows]
    scores = _scores(table.pairs())
    cells = [[scores.get((one, other), (nan, 0))[0] for other in order] for one in order]
    size = 2.2 + 0.75 * len(order)
    with picture(files, size + 1, size) as axes:
        axes.imshow(cells, cmap="RdBu", vmin=0.0, vmax=1.0, alpha=0.55)
        for y, one in enumerate(order):
            for x, other in enumerate(order):
                if found := scores.get((one, other)):
                    axes.text(x, y, f"{100 * found[0]:.0f} %\n{found[1]}", ha="center", va="center")
        places = [float(place) for place in range(len(order))]
        axes.set_xticks(places, names, rotation=30, ha="right")
        axes.set_yticks(places, names)
        axes.set_title(f"{title}: boards won by the row")
        axes.set_xlabel("share of boards (draws half), number of boards")


def _scores(pairs: tuple[PairStanding, ...]) -> dict[tuple[int, int], tuple[float, int]]:
    found: dict[tuple[int, int], tuple[float, int]] = {}
    for pair in pairs:
        found[pair.first, pair.second] = (pair.score, pair.boards)
        found[pair.second, pair.first] = (1 - pair.score, pair.boards)
    return found


def _label(row: Standing) -> str:
    bound = "" if row.bound is Bound.NONE else row.bound.value
    return f"{bound}{row.elo.value:.0f}"


def _zero(table: StandingsTable) -> str:
    return f"the mean of {', '.join(table.anchors)}" if table.anchors else "the mean of the table"
