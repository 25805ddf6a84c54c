"""The strengths that other programs publish of their own data, and an optimiser of another kind on ours."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from erqiwang_runner.bradley_terry import fit
from erqiwang_runner.comparisons import Totals

BASEBALL = (
    (0, 7, 9, 7, 7, 9, 11),
    (6, 0, 7, 5, 11, 9, 9),
    (4, 6, 0, 7, 7, 8, 12),
    (6, 8, 6, 0, 6, 7, 10),
    (6, 2, 6, 7, 0, 7, 12),
    (4, 4, 5, 6, 6, 0, 6),
    (2, 4, 1, 3, 1, 7, 0),
)
"""Wins of the row over the column, of seven teams in 1987, from Milwaukee to Baltimore.

From A. Agresti, Categorical Data Analysis (2002), section 10.6.
"""

FOUR_TEAMS = ((0, 2, 0, 1), (3, 0, 5, 0), (0, 3, 0, 1), (4, 0, 3, 0))
"""The worked example of the article "Bradley-Terry model" in Wikipedia."""


def totals(wins):
    wins = np.asarray(wins, dtype=np.float64)
    low, high = (each.astype(np.int64) for each in np.nonzero(np.triu(wins + wins.T)))
    return Totals(low, high, (wins + wins.T)[low, high], wins[low, high], np.zeros(len(low)))


def test_baseball_as_bradleyterry2_rates_it():
    found = fit(totals(BASEBALL), 7, prior=0)
    relative = found.strengths - found.strengths[6]
    assert relative[:6] == pytest.approx([1.5814, 1.4364, 1.2945, 1.2476, 1.1077, 0.6839], abs=5e-5)
    v = found.bread
    errors = [np.sqrt(v[6, 6] + v[place, place] - 2 * v[6, place]) for place in range(6)]
    assert errors == pytest.approx([0.3433, 0.3396, 0.3367, 0.3359, 0.3339, 0.3319], abs=5e-5)


def test_four_teams_as_an_encyclopaedia_rates_them():
    worth = np.exp(fit(totals(FOUR_TEAMS), 4, prior=0).strengths)
    assert worth / worth.sum() == pytest.approx([0.139, 0.226, 0.143, 0.492], abs=5e-4)


def minorise(wins, prior, steps=20_000):
    """Maximise the same likelihood by minorisation (Hunter 2004), which knows no derivative.

    The prior is a bot more, of worth 1, that drew `prior` boards against everybody.
    """
    size = len(wins)
    full = np.zeros((size + 1, size + 1))
    full[:size, :size] = wins
    full[size, :size] = full[:size, size] = prior / 2
    met, won = full + full.T, full.sum(axis=1)
    worth = np.ones(size + 1)
    for _ in range(steps):
        after = won / (met / (worth[:, None] + worth[None, :])).sum(axis=1)
        after /= after[size]
        if np.abs(np.log(after / worth)).max() < 1e-13:
            break
        worth = after
    return np.log(worth[:size])


@given(st.integers(2, 6), st.integers(0, 10**6), st.sampled_from([0.5, 1.0, 4.0]))
def test_another_optimiser_finds_the_same_strengths(size, seed, prior):
    rng = np.random.default_rng(seed)
    wins = rng.integers(0, 9, (size, size)) / 2 * (rng.random((size, size)) < 0.8)
    np.fill_diagonal(wins, 0)
    if not wins.any():
        wins[0, 1] = 1
    assert fit(totals(wins), size, prior).strengths == pytest.approx(minorise(wins, prior), abs=1e-6)
