"""The log-likelihood ratio of a regression test over its boards."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import isfinite
from pathlib import Path

from erqiwang_runner.plots.canvas import ACCENT, SOFT, picture, plot_width
from erqiwang_runner.regress.watch import history
from erqiwang_runner.regression import RegressionTest
from erqiwang_runner.results import BoardSet
from erqiwang_runner.sequential import FIRST_LOOK


def draw_llr(
    test: RegressionTest,
    boards: Sequence[BoardSet],
    title: str,
    *files: Path,
    explained: Collection[int] = (),
) -> None:
    """Draw its course up to the verdict, between the bounds; `explained` are boards that were given up."""
    points = list(history(test, boards, explained))
    hypotheses = test.hypotheses
    asked = f"{test.question.value}: t = {hypotheses.t0:g} or {hypotheses.t1:g}"
    reach = 1.15 * max(
        [hypotheses.upper, -hypotheses.lower, *(abs(p.llr) for p in points if isfinite(p.llr))]
    )
    with picture(files, plot_width(6, title) + 1, 4) as axes:
        axes.plot(
            [0.0, *(p.sets for p in points)], [0.0, *(p.llr for p in points)], color=ACCENT, linewidth=1.5
        )
        last = max([FIRST_LOOK, *(point.sets for point in points)])
        for bound, meaning in ((hypotheses.upper, "accepted"), (hypotheses.lower, "rejected")):
            axes.axhline(bound, color=SOFT, linestyle="--", linewidth=1)
            axes.text(0, bound, f" {meaning}: {bound:+.2f}", va="bottom" if bound > 0 else "top", color=SOFT)
        axes.axvline(FIRST_LOOK, color=SOFT, linestyle=":", linewidth=1)
        axes.set_xlim(0, 1.03 * last)
        axes.set_ylim(-reach, reach)
        axes.set_title(f"{title}\n{asked}")
        axes.set_xlabel(f"board sets in order (no verdict before {FIRST_LOOK})")
        axes.set_ylabel("log-likelihood ratio")
