"""Pictures of the standings: Elo with error bars, and every bot against every other."""

from __future__ import annotations

from math import isfinite, nan
from pathlib import Path
from typing import Final

from erqiwang_runner.plots.canvas import ACCENT, SOFT, picture, plot_width, width_of
from erqiwang_runner.ratings import Bound
from erqiwang_runner.standings import PairStanding, Standing, StandingsTable

_NORMAL_95: Final = 1.96
_CELL: Final = 0.65
"""Inches of a cell of the crosstable."""


def draw_elo(table: StandingsTable, title: str, *files: Path) -> None:
    """Draw the Elo of each entry with its 95 % interval, best first."""
    rows = list(reversed(table.rows))
    names = [row.entry.bot for row in rows]
    title = f"{title}: Elo and 95 % interval"
    zero = _zero(table)
    width = width_of(names) + max(plot_width(5, title), width_of([zero]))
    with picture(files, width + 0.5, 1.2 + 0.35 * len(rows)) as axes:
        values = [row.elo.value for row in rows]
        errors = [_NORMAL_95 * row.elo.error if isfinite(row.elo.error) else 0.0 for row in rows]
        places = [float(place) for place in range(len(rows))]
        axes.axvline(1500, color=SOFT, linewidth=1, linestyle=":")
        axes.errorbar(values, places, xerr=errors, fmt="o", color=ACCENT, capsize=3)
        for place, row in zip(places, rows, strict=True):
            axes.text(row.elo.value, place + 0.14, _label(row), ha="center", va="bottom")
        axes.set_yticks(places, names)
        axes.set_ylim(-0.6, len(rows) - 0.3)
        axes.set_title(title)
        axes.set_xlabel(zero)


def draw_crosstable(table: StandingsTable, title: str, *files: Path) -> None:
    """Draw the share of boards that each entry (row) won against each other (column), draws as halves."""
    order = [row.entry.id for row in table.rows]
    names = [row.entry.bot for row in table.rows]
    scores = _scores(table.pairs())
    cells = [[scores.get((one, other), (nan, 0))[0] for other in order] for one in order]
    title = f"{title}: boards won by the row"
    size, label = _CELL * len(order), width_of(names)
    with picture(files, label + plot_width(size, title) + 0.5, label + size + 1) as axes:
        axes.imshow(cells, cmap="RdBu", vmin=0.0, vmax=1.0, alpha=0.55)
        for y, one in enumerate(order):
            for x, other in enumerate(order):
                if found := scores.get((one, other)):
                    axes.text(x, y, f"{100 * found[0]:.0f} %\n{found[1]}", ha="center", va="center")
        places = [float(place) for place in range(len(order))]
        axes.set_anchor("W")
        axes.set_xticks(places, names, rotation=90)
        axes.set_yticks(places, names)
        axes.set_title(title)
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
    what = f"the mean of {', '.join(table.anchors)}" if table.anchors else "the mean of the table"
    return f"relative to {what} = 1500"
