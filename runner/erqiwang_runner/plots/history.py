"""Ratings over boards: at each point a fit to everything so far, never a running Elo.

A point is taken only where every group has played equally many boards. In between, a curve would show the
order of the opponents and not the strength of the bots.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from erqiwang_runner.comparisons import comparisons_of
from erqiwang_runner.plots.canvas import COLOURS, LINES, SOFT, picture, plot_width, width_of
from erqiwang_runner.ratings import rate
from erqiwang_runner.results import BoardSet, Entry, EntryRole, Tournament
from erqiwang_runner.scoring import ScoringRule, score_set

_POINTS: Final = 30
_LINE: Final = 0.2
"""Inches of a line of the legend."""


@dataclass(frozen=True, slots=True)
class Fit:
    """The Elo of each entry, with its error, after `boards` boards of every group."""

    boards: int
    elo: Mapping[int, tuple[float, float]]


def rating_history(
    tournament: Tournament, entries: Sequence[Entry], boards: Sequence[BoardSet]
) -> tuple[Fit, ...]:
    """Fit ratings to the boards of completed rounds, at some thirty points."""
    roles = {entry.id: entry.role for entry in entries}
    anchors = [entry.id for entry in entries if entry.role is EntryRole.ANCHOR]
    rule = ScoringRule(tournament.policy, tournament.forfeit_points)
    scored = [(board.slot.n, score_set(board, roles, rule)) for board in sorted(boards, key=lambda b: b.key)]
    fits: list[Fit] = []
    for rounds in _points(_completed_rounds(boards)):
        rows = comparisons_of(each for n, each in scored if n < rounds)
        scales = rate(rows, anchors, is_for_people=True)
        elo = {
            bot: (float(value), float(error))
            for scale in scales
            for bot, value, error in zip(scale.bots, scale.elo.values, scale.elo.errors, strict=True)
        }
        fits.append(Fit(rounds, elo))
    return tuple(fits)


def draw_history(fits: Sequence[Fit], entries: Sequence[Entry], title: str, *files: Path) -> None:
    """Draw the Elo of each entry over boards, with a band of one standard error; the best is named first."""
    final: Mapping[int, tuple[float, float]] = fits[-1].elo if fits else {}
    shown = sorted(
        (entry for entry in entries if entry.id in final), key=lambda entry: (-final[entry.id][0], entry.id)
    )
    title = f"{title}: Elo over boards"
    width = plot_width(5, title) + width_of(entry.bot for entry in shown) + 1.2
    with picture(files, width, max(4.2, 0.8 + _LINE * len(shown))) as axes:
        axes.axhline(1500, color=SOFT, linewidth=1, linestyle=":")
        for place, entry in enumerate(shown):
            known = [(float(fit.boards), *fit.elo[entry.id]) for fit in fits if entry.id in fit.elo]
            boards, values, errors = (list(column) for column in zip(*known, strict=True))
            low = [value - error for value, error in zip(values, errors, strict=True)]
            high = [value + error for value, error in zip(values, errors, strict=True)]
            style = LINES[place // len(COLOURS) % len(LINES)]
            colour = COLOURS[place % len(COLOURS)]
            axes.fill_between(boards, low, high, color=colour, alpha=0.15, linewidth=0)
            axes.plot(boards, values, color=colour, linestyle=style, linewidth=1.5, label=entry.bot)
        axes.set_title(title)
        axes.set_xlabel("boards of every group (each point fits all boards so far)")
        axes.set_ylabel("Elo ± one standard error")
        axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False)


def _completed_rounds(boards: Sequence[BoardSet]) -> int:
    """Count the rounds, from the first on, in which every group has played."""
    groups = {(board.slot.epoch, board.slot.group) for board in boards}
    played: dict[int, set[tuple[int, int]]] = {}
    for board in boards:
        played.setdefault(board.slot.n, set()).add((board.slot.epoch, board.slot.group))
    rounds = 0
    while played.get(rounds) == groups:
        rounds += 1
    return rounds


def _points(rounds: int) -> list[int]:
    step = max(1, -(-rounds // _POINTS))
    return sorted({*range(step, rounds + 1, step), rounds} - {0})
