from itertools import combinations

import numpy as np
import pytest

from erqiwang_runner import bootstrap
from erqiwang_runner.bradley_terry import ELO_PER_NAT, fit
from erqiwang_runner.comparisons import Comparisons, totals_of
from erqiwang_runner.ratings import rate


def played(rng, groups, theta, spread=1.0):
    """Boards of some groups of bots; margins are rounded, so that there are draws."""
    groups = np.asarray(groups)
    worth = np.round(theta[groups] - spread * np.log(rng.exponential(size=groups.shape)))
    sides = list(combinations(range(groups.shape[1]), 2))
    first, second = (np.concatenate([groups[:, side[k]] for side in sides]) for k in (0, 1))
    margin = np.concatenate([worth[:, a] - worth[:, b] for a, b in sides])
    return Comparisons(
        tuple(range(len(theta))),
        first.astype(np.int64),
        second.astype(np.int64),
        (np.sign(margin) + 1) / 2,
        margin,
        np.full(len(first), 2 / groups.shape[1]),
        np.tile(np.arange(len(groups)), len(sides)),
    )


def few_boards(seed, boards=9, bots=5):
    rng = np.random.default_rng(seed)
    groups = [rng.choice(bots, 4, replace=False) for _ in range(boards)]
    return played(rng, groups, np.linspace(0, 2, bots))


def renamed(rows, names, deals, order, swap):
    """The same results: bots and deals under other names, rows in another order and some turned round."""
    first, second = names[rows.first[order]], names[rows.second[order]]
    score, margin = rows.score[order], rows.margin[order]
    return Comparisons(
        rows.bots,
        np.where(swap, second, first),
        np.where(swap, first, second),
        np.where(swap, 1 - score, score),
        np.where(swap, -margin, margin),
        rows.weight[order],
        deals[rows.cluster[order]],
    )


@pytest.mark.parametrize("seed", range(6))
def test_neither_order_nor_names_change_an_error(seed):
    rows, rng = few_boards(seed), np.random.default_rng(100 + seed)
    names, order = rng.permutation(5), rng.permutation(len(rows))
    again = renamed(rows, names, rng.permutation(40), order, rng.random(len(rows)) < 0.5)
    (before,), (after,) = (rate(each, is_for_people=True) for each in (rows, again))
    assert after.elo.values[names] == pytest.approx(before.elo.values, abs=1e-6)
    assert after.elo.covariance[np.ix_(names, names)] == pytest.approx(before.elo.covariance, rel=1e-6)


@pytest.mark.parametrize("groups", [[[0, 1, 2, 3]] * 8, [[0, 1, 2, 3], [0, 1, 2, 4]] * 5])
def test_every_draw_is_fitted_to_its_optimum(groups, monkeypatch):
    monkeypatch.setattr(bootstrap, "DRAWS", 40)
    rows = played(np.random.default_rng(1), groups, np.linspace(0, 3, 5))
    rows = rows.among(sorted({bot for group in groups for bot in group}))
    found = fit(totals_of(rows), len(rows.bots))
    table = bootstrap._Table.of(rows, np.full(len(rows), True), bootstrap._ranks(found.strengths))
    (counts,) = table.draws()
    assert counts.sum(axis=1) == pytest.approx(len(groups))
    drawn = bootstrap._refit(table, found.strengths, 0.5, counts)
    for strengths, each in zip(drawn, counts, strict=True):
        met = (weight := each @ table.weight) > 0
        first, second, weight, won = (
            column[met] for column in (table.first, table.second, weight, each @ table.won)
        )
        pairs = Comparisons(rows.bots, first, second, won / weight, won, weight, first)
        assert strengths == pytest.approx(fit(totals_of(pairs), len(rows.bots)).strengths, abs=1e-6)


def test_deals_are_drawn_within_groups_that_have_some():
    even = played(np.random.default_rng(2), [[0, 1, 2, 3], [0, 1, 2, 4]] * 5, np.zeros(5))
    table = bootstrap._Table.of(even, np.full(len(even), True), np.arange(5))
    assert sorted(len(each) for each in table.strata) == [5, 5]
    for counts in table.draws():
        for stratum in table.strata:
            assert counts[:, stratum].sum(axis=1) == pytest.approx(5)
    thin = played(np.random.default_rng(2), [[0, 1, 2, 3]] * 5 + [[0, 1, 2, 4]], np.zeros(5))
    assert len(bootstrap._Table.of(thin, np.full(len(thin), True), np.arange(5)).strata) == 1


def test_the_variance_of_a_mean_is_unbiased():
    rows = played(np.random.default_rng(3), [[0, 1]] * 10, np.zeros(2))
    (counts, *more) = bootstrap._Table.of(rows, np.full(len(rows), True), np.arange(2)).draws()
    # The variance of Σ c x / n over counts c of variance v is v s²/n, with s² = Σ (x - x̄)² / (n - 1).
    assert np.concatenate([counts, *more]).var(axis=0).mean() == pytest.approx(1, abs=0.04)


def test_many_boards_have_the_sandwich_and_so_have_pools_too_large(monkeypatch):
    rng = np.random.default_rng(4)
    many = played(rng, [[0, 1, 2, 3]] * 30, np.zeros(4))
    few = played(rng, [[0, 1, 2, 3]] * 29, np.zeros(4))
    for rows, is_same in ((many, True), (few, False)):
        (plain,), (fine,) = rate(rows), rate(rows, is_for_people=True)
        assert (plain.elo.values == fine.elo.values).all()
        assert np.array_equal(plain.elo.covariance, fine.elo.covariance) is is_same
    monkeypatch.setattr(bootstrap, "_MOST_BOTS", 3)
    assert np.array_equal(rate(few)[0].elo.covariance, rate(few, is_for_people=True)[0].elo.covariance)


def test_a_newcomer_widens_its_own_error_and_hardly_others():
    rng = np.random.default_rng(5)
    rows = played(rng, [[0, 1, 2, 3]] * 300 + [[0, 1, 2, 4]] * 2, np.linspace(0, 1, 5))
    (plain,), (fine,) = rate(rows), rate(rows, is_for_people=True)
    assert fine.elo.errors[4] > 1.3 * plain.elo.errors[4]
    for one, other in combinations(range(4), 2):
        assert fine.elo.pair_error(one, other) == pytest.approx(plain.elo.pair_error(one, other), rel=0.05)
    assert np.linalg.eigvalsh(fine.elo.covariance).min() > 0


def test_one_deal_leaves_the_errors_infinite():
    rows = played(np.random.default_rng(6), [[0, 1, 2, 3]], np.zeros(4))
    assert np.isinf(rate(rows, is_for_people=True)[0].elo.errors).all()


def coverage(boards, samples, theta, monkeypatch):
    """The shares of differences that lie within 1.96 errors, by the sandwich and by drawing deals again."""
    monkeypatch.setattr(bootstrap, "DRAWS", 300)
    rng = np.random.default_rng(boards)
    groups = [[0, 1, 2, 3]]
    (truth,) = rate(played(rng, groups * 100_000, theta))
    inside = np.zeros(2)
    for _ in range(samples):
        rows = played(rng, groups * boards, theta)
        for place, is_for_people in enumerate((False, True)):
            (scale,) = rate(rows, is_for_people=is_for_people)
            gaps, errors = scale.elo.values - truth.elo.values, scale.elo.pair_errors()
            inside[place] += sum(abs(gaps[a] - gaps[b]) < 1.96 * errors[a, b] for a, b in SIDES)
    return inside / samples / len(SIDES)


SIDES = list(combinations(range(4), 2))
THETA = np.array([0.0, 0.3, 0.6, 0.9]) * 200 / ELO_PER_NAT


def test_few_boards_have_errors_that_cover_the_truth(monkeypatch):
    sandwich, drawn = coverage(5, 150, THETA, monkeypatch)
    assert sandwich < 0.90
    assert 0.93 < drawn <= 1


@pytest.mark.nightly
@pytest.mark.parametrize("boards", [2, 3, 6, 10, 15, 24, 29])
def test_the_errors_cover_the_truth_for_any_few_boards(boards, monkeypatch):
    sandwich, drawn = coverage(boards, 1000, THETA, monkeypatch)
    assert 0.935 < drawn < 0.995
    assert sandwich < drawn
