from itertools import combinations
from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from erqiwang_runner.bradley_terry import ELO_PER_NAT, expected, fit
from erqiwang_runner.comparisons import Comparisons, totals_of
from erqiwang_runner.ratings import Bound, elo_of_score, rate
from erqiwang_runner.sandwich import DealIndex


def rows_of(results, *, weight=1.0, cluster=None, bots=None):
    """Lay (first, second, score[, margin]) out in columns; a row without `cluster` is a deal of its own."""
    size = 1 + max(max(each[0], each[1]) for each in results)
    return Comparisons(
        tuple(bots if bots is not None else range(size)),
        np.array([each[0] for each in results], dtype=np.int64),
        np.array([each[1] for each in results], dtype=np.int64),
        np.array([each[2] for each in results], dtype=np.float64),
        np.array([each[3] if len(each) > 3 else 2 * each[2] - 1 for each in results], dtype=np.float64),
        np.full(len(results), float(weight)),
        np.array(cluster if cluster is not None else range(len(results)), dtype=np.int64),
    )


def repeated(*counts):
    """Spell (first, second, wins, draws, losses) out."""
    return [
        (first, second, score)
        for first, second, *numbers in counts
        for score, number in zip((1.0, 0.5, 0.0), numbers, strict=True)
        for _ in range(number)
    ]


def gap(scale, first=0, second=1):
    return scale.elo.values[first] - scale.elo.values[second]


CITATIONS = [[0, 730, 498, 221], [33, 0, 68, 17], [320, 813, 0, 142], [284, 276, 325, 0]]


def citations():
    return rows_of(
        repeated(*((i, j, CITATIONS[i][j], 0, CITATIONS[j][i]) for j in range(4) for i in range(j)))
    )


@pytest.mark.parametrize(
    ("score", "elo"), [(0.75, 190.8485), (0.9, 381.6970), (0.64, 99.9510), (0.99, 798.2541), (0.5, 0.0)]
)
def test_logistic_elo(score, elo):
    assert elo_of_score(score) == pytest.approx(elo, abs=1e-4)


@pytest.mark.parametrize(("wins", "losses", "error"), [(50, 50, 34.7436), (75, 25, 40.1184)])
def test_curvature_gives_the_binomial_error_of_two_bots(wins, losses, error):
    bread = fit(totals_of(rows_of(repeated((0, 1, wins, 0, losses)))), 2, prior=0).bread
    contrast = np.array([1.0, -1.0])
    assert ELO_PER_NAT * sqrt(contrast @ bread @ contrast) == pytest.approx(error, abs=1e-3)


def test_bots_that_never_met_are_compared_along_a_chain():
    (scale,) = rate(rows_of(repeated((0, 1, 75, 0, 25), (1, 2, 75, 0, 25))), prior=0)
    assert gap(scale, 0, 2) == pytest.approx(381.6970, abs=1e-3)
    assert expected(np.array([gap(scale, 0, 2) / ELO_PER_NAT]))[0] == pytest.approx(0.9)


def test_draw_counts_as_half_a_win():
    (scale,) = rate(rows_of(repeated((0, 1, 60, 20, 20))), prior=0)
    assert gap(scale) == pytest.approx(147.1907, abs=1e-3)


def test_citations_of_statistics_journals():
    found = fit(totals_of(citations()), 4, prior=0)
    relative = found.strengths - found.strengths[0]
    assert relative[1:] == pytest.approx([-2.94907, -0.47957, 0.26895], abs=1e-5)
    errors = [sqrt(found.bread[0, 0] + found.bread[i, i] - 2 * found.bread[0, i]) for i in range(1, 4)]
    assert errors == pytest.approx([0.10255, 0.06059, 0.07083], abs=1e-5)


@pytest.mark.parametrize(("prior", "elo"), [(1.0, 580.5088), (0.5, 686.0510)])
def test_perfect_score_stays_finite_by_the_prior(prior, elo):
    (scale,) = rate(rows_of(repeated((0, 1, 10, 0, 0))), prior=prior)
    assert gap(scale) == pytest.approx(elo, abs=1e-3)


@pytest.mark.parametrize(("score", "elo"), [(10.5 / 11, 528.8877), (9.5 / 10, 511.5014)])
def test_bounds_of_a_perfect_score(score, elo):
    assert elo_of_score(score) == pytest.approx(elo, abs=1e-3)


def test_a_million_wins_do_not_overflow():
    rows = rows_of([(0, 1, 1.0)] * 2, weight=500_000)
    (scale,) = rate(rows)
    assert gap(scale) == pytest.approx(2640.998, abs=1e-2)


def test_prior_pulls_the_sum_of_expectations_to_one_half_each():
    found = fit(totals_of(rows_of(repeated((0, 1, 7, 2, 1), (1, 2, 3, 0, 5), (3, 2, 4, 4, 0)))), 4)
    assert np.sum(expected(found.strengths) - 0.5) == pytest.approx(0, abs=1e-9)


def test_bots_without_a_chain_of_meetings_are_on_scales_of_their_own():
    scales = rate(rows_of(repeated((0, 1, 5, 0, 5), (2, 3, 5, 0, 5))))
    assert [scale.bots for scale in scales] == [(0, 1), (2, 3)]


def test_bot_that_never_lost_is_a_bound():
    (scale,) = rate(rows_of(repeated((0, 1, 5, 0, 0), (0, 2, 5, 0, 0), (1, 2, 5, 0, 5))))
    assert scale.bounds == (Bound.LOWER, Bound.NONE, Bound.NONE)
    assert scale.is_separated
    assert np.isfinite(scale.elo.values).all()


def test_bounds_are_seen_from_the_anchor():
    rows = rows_of(repeated((0, 1, 5, 0, 0), (0, 2, 5, 0, 0), (1, 2, 5, 0, 5)))
    (scale,) = rate(rows, anchors=[0])
    assert scale.bounds == (Bound.NONE, Bound.UPPER, Bound.UPPER)
    assert scale.elo.values[0] == pytest.approx(1500)


def test_bots_that_only_lost_to_a_third_are_unknown_to_each_other():
    (scale,) = rate(rows_of(repeated((0, 1, 5, 0, 0), (0, 2, 5, 0, 0))), anchors=[1])
    assert scale.bounds == (Bound.LOWER, Bound.NONE, Bound.UNKNOWN)


def test_a_draw_separates_nobody():
    (scale,) = rate(rows_of(repeated((0, 1, 9, 1, 0))))
    assert not scale.is_separated


def test_no_prior_and_separated_bots_have_no_answer():
    with pytest.raises(ValueError, match="finite"):
        rate(rows_of(repeated((0, 1, 5, 0, 0))), prior=0)


def test_origin_is_the_mean_of_the_anchors_or_of_all():
    rows = rows_of(repeated((0, 1, 7, 2, 1), (1, 2, 3, 0, 5), (0, 2, 4, 4, 3)))
    (anchored,) = rate(rows, anchors=[0, 2, 99])
    (free,) = rate(rows)
    assert anchored.is_anchored
    assert not free.is_anchored
    assert anchored.elo.values[[0, 2]].mean() == pytest.approx(1500)
    assert free.elo.values.mean() == pytest.approx(1500)
    assert anchored.elo.pair_errors() == pytest.approx(free.elo.pair_errors())
    assert anchored.elo.errors[0] < anchored.elo.pair_error(0, 2)


def test_error_of_an_only_anchor_is_zero():
    (scale,) = rate(citations(), anchors=[0])
    assert scale.elo.errors[0] == pytest.approx(0, abs=1e-6)
    assert scale.elo.errors[1] == pytest.approx(scale.elo.pair_error(0, 1))


def random_boards(seed, boards=60, bots=6, size=4):
    """Boards of `size` random bots whose comparisons share the deal's luck."""
    rng = np.random.default_rng(seed)
    results, cluster = [], []
    for board in range(boards):
        group = rng.choice(bots, size, replace=False)
        points = rng.integers(-4, 5, size) + group // 2
        for a, b in combinations(range(size), 2):
            margin = float(points[a] - points[b])
            results.append((int(group[a]), int(group[b]), (np.sign(margin) + 1) / 2, margin))
            cluster.append(board)
    return rows_of(results, weight=2 / size, cluster=cluster)


def naive_sandwich(rows, theta, prior=0.5):
    size = len(rows.bots)
    curved = prior * np.diag(expected(theta) * (1 - expected(theta)))
    gradients = {}
    for k in range(len(rows)):
        contrast = np.zeros(size)
        contrast[rows.first[k]], contrast[rows.second[k]] = 1, -1
        p = 1 / (1 + np.exp(-contrast @ theta))
        curved += rows.weight[k] * p * (1 - p) * np.outer(contrast, contrast)
        step = rows.weight[k] * (rows.score[k] - p) * contrast
        gradients[rows.cluster[k]] = gradients.get(rows.cluster[k], 0) + step
    count = len(gradients)
    meat = count / (count - 1) * sum(np.outer(each, each) for each in gradients.values())
    return np.linalg.inv(curved) @ meat @ np.linalg.inv(curved)


def test_covariance_is_that_of_the_definition():
    rows = random_boards(1)
    theta = fit(totals_of(rows), 6).strengths
    (scale,) = rate(rows)
    assert scale.elo.covariance == pytest.approx(
        ELO_PER_NAT**2 * naive_sandwich(rows, theta), rel=1e-6, abs=1e-6
    )


def test_blocks_of_any_size_add_up(monkeypatch):
    rows = random_boards(2)
    rows = Comparisons(
        *(getattr(rows, name) for name in ("bots", "first", "second", "score", "margin", "weight")),
        rows.cluster // 3,
    )
    residuals = np.linspace(-1, 1, len(rows))
    gradients = np.zeros((rows.cluster.max() + 1, 6))
    np.add.at(gradients, (rows.cluster, rows.first), residuals)
    np.add.at(gradients, (rows.cluster, rows.second), -residuals)
    monkeypatch.setattr("erqiwang_runner.sandwich._CHUNK", 40)
    assert DealIndex.of(rows).outer_products(residuals) == pytest.approx(gradients.T @ gradients)


def test_clustering_widens_the_errors_when_the_comparisons_of_a_deal_agree():
    results = repeated((0, 1, 60, 0, 40))
    apart = rate(rows_of(results))[0].elo.pair_error(0, 1)
    doubled = rows_of([each for each in results for _ in range(2)], cluster=[k // 2 for k in range(200)])
    together = rate(doubled)[0].elo.pair_error(0, 1)
    assert together == pytest.approx(apart, rel=0.02)
    assert rate(rows_of([each for each in results for _ in range(2)]))[0].elo.pair_error(0, 1) < 0.75 * apart


def test_one_deal_leaves_the_errors_infinite():
    (scale,) = rate(rows_of([(0, 1, 1.0)]))
    assert np.isinf(scale.elo.pair_error(0, 1))
    assert np.isinf(scale.elo.errors).all()
    assert scale.elo.superiority(0, 1) == 0.5


@given(st.integers(0, 10**6), st.randoms(use_true_random=False))
def test_order_of_bots_and_rows_changes_nothing(seed, random):
    rows = random_boards(seed, boards=12, bots=5)
    order = list(range(len(rows)))
    names = list(range(5))
    random.shuffle(order)
    random.shuffle(names)
    place = np.array(names)
    boards = np.array(random.sample(range(50), 12))
    swap = np.array([random.random() < 0.5 for _ in order])
    first, second = place[rows.first[order]], place[rows.second[order]]
    score, margin = rows.score[order], rows.margin[order]
    shuffled = Comparisons(
        rows.bots,
        np.where(swap, second, first),
        np.where(swap, first, second),
        np.where(swap, 1 - score, score),
        np.where(swap, -margin, margin),
        rows.weight[order],
        boards[rows.cluster[order]],
    )
    before, after = rate(rows)[0], rate(shuffled)[0]
    for column in ("elo", "points"):
        one, two = getattr(before, column), getattr(after, column)
        assert two.values[place] == pytest.approx(one.values, abs=1e-9 * 1e3)
        assert two.covariance[np.ix_(place, place)] == pytest.approx(one.covariance, rel=1e-6, abs=1e-6)
    assert [after.records[name] for name in names] == list(before.records)


def test_reversed_log_gives_the_same_strengths():
    rows = random_boards(3)
    backwards = Comparisons(rows.bots, *(getattr(rows, name)[::-1] for name in Comparisons.__slots__[1:]))
    assert fit(totals_of(backwards), 6).strengths == pytest.approx(
        fit(totals_of(rows), 6).strengths, abs=1e-9
    )


def test_doubling_all_data_halves_the_curvature_inverse():
    rows = citations()
    once = fit(totals_of(rows), 4, prior=0)
    twice = fit(
        totals_of(
            Comparisons(rows.bots, *(np.tile(getattr(rows, name), 2) for name in Comparisons.__slots__[1:]))
        ),
        4,
        prior=0,
    )
    assert twice.strengths == pytest.approx(once.strengths, abs=1e-9)
    assert 2 * twice.bread == pytest.approx(once.bread, abs=1e-9)


def test_records_count_outcomes_and_boards():
    rows = rows_of([(0, 1, 1.0), (0, 2, 0.5), (1, 2, 0.0), (0, 1, 0.0)], cluster=[0, 0, 0, 7])
    (scale,) = rate(rows)
    assert [(r.boards, r.wins, r.draws, r.losses) for r in scale.records] == [
        (2, 1, 1, 1),
        (2, 1, 0, 2),
        (1, 1, 1, 0),
    ]
    assert [record.score for record in scale.records] == pytest.approx([0.5, 1 / 3, 0.75])


def test_pairs_show_score_and_residual():
    (scale,) = rate(rows_of([(1, 0, 1.0), (0, 1, 1.0), (0, 1, 0.5), (2, 1, 1.0), (1, 2, 0.5)]))
    pairs = scale.pairs
    assert list(zip(pairs.low, pairs.high, pairs.count, strict=True)) == [(0, 1, 3), (1, 2, 2)]
    assert pairs.score == pytest.approx([0.5, 0.25])
    p = expected((scale.elo.values[[0]] - scale.elo.values[[1]]) / ELO_PER_NAT)[0]
    surplus = np.array([0 - p, 1 - p, 0.5 - p])
    assert pairs.signal[0] == pytest.approx(np.mean([-1, 1, 0]) / np.std([-1, 1, 0], ddof=1))
    assert pairs.residual[0] == pytest.approx(surplus.sum() / sqrt((surplus**2).sum()))


def test_points_rating_is_the_mean_difference_in_a_balanced_schedule():
    rng = np.random.default_rng(5)
    points = rng.normal(size=(30, 4)) + np.array([0, 1, 2, 3])
    results = [
        (a, b, (np.sign(x[a] - x[b]) + 1) / 2, x[a] - x[b])
        for x in points
        for a, b in combinations(range(4), 2)
    ]
    rows = rows_of(results, weight=0.5, cluster=[k // 6 for k in range(len(results))])
    (scale,) = rate(rows)
    means = points.mean(axis=0)
    assert scale.points.values == pytest.approx(means - means.mean())
    lead = points[:, 0] - points[:, 1]
    assert scale.points.pair_error(0, 1) == pytest.approx(lead.std(ddof=1) / sqrt(30), rel=1e-6)


def test_points_rating_needs_no_prior_for_a_perfect_scorer():
    (scale,) = rate(rows_of([(0, 1, 1.0, 3.0), (0, 1, 1.0, 5.0)]))
    assert scale.points.values[0] - scale.points.values[1] == pytest.approx(4)


def test_style_marks_a_bot_that_wins_often_and_little():
    often = [(0, 1, 1.0, 0.1)] * 150 + [(0, 1, 0.0, -9.0)] * 50
    (scale,) = rate(rows_of(often))
    assert scale.has_style == (True, True)
    assert rate(rows_of([(0, 1, 1.0, 3.0), (0, 1, 0.0, -1.0)] * 50))[0].has_style == (False, False)


def test_ranks_and_superiority():
    (scale,) = rate(rows_of(repeated((0, 1, 90, 0, 10), (0, 2, 90, 0, 10), (1, 2, 50, 0, 50))))
    assert [(r.best, r.worst) for r in scale.elo.rank_intervals()] == [(1, 1), (2, 3), (2, 3)]
    assert scale.elo.superiority(0, 1) > 0.999
    assert scale.elo.superiority(1, 2) == pytest.approx(0.5)
    assert scale.elo.superiority(1, 0) == pytest.approx(1 - scale.elo.superiority(0, 1))
    assert scale.elo.half_widths() == pytest.approx(1.959964 * scale.elo.errors)


def test_nothing_to_rate():
    empty = np.array([], dtype=np.float64)
    none = np.array([], dtype=np.int64)
    assert rate(Comparisons((), none, none, empty, empty, empty, none)) == ()


def test_intervals_cover_the_truth():
    # 95 % intervals of 5 differences in 80 samples.
    theta = np.array([0.0, 0.2, 0.4, 0.6, 0.8, 1.0])
    inside = total = 0
    for seed in range(80):
        rng = np.random.default_rng(seed)
        results, cluster = [], []
        for board in range(120):
            group = rng.choice(6, 4, replace=False)
            strength = theta[group] - np.log(rng.exponential(size=4))
            for a, b in combinations(range(4), 2):
                results.append((int(group[a]), int(group[b]), float(strength[a] > strength[b])))
                cluster.append(board)
        (scale,) = rate(rows_of(results, weight=0.5, cluster=cluster))
        for bot in range(1, 6):
            error = (gap(scale, bot, 0) / ELO_PER_NAT) - theta[bot]
            inside += abs(error) < 1.96 * scale.elo.pair_error(bot, 0) / ELO_PER_NAT
            total += 1
    assert 0.90 < inside / total < 0.985


@pytest.mark.nightly
def test_a_thousand_bots_and_a_million_comparisons():
    rng = np.random.default_rng(0)
    theta = rng.normal(size=1000)
    groups = np.array([rng.choice(1000, 4, replace=False) for _ in range(166_667)])
    strength = theta[groups] - np.log(rng.exponential(size=groups.shape))
    sides = list(combinations(range(4), 2))
    first, second = (np.concatenate([groups[:, pair[k]] for pair in sides]) for k in (0, 1))
    score = np.concatenate([strength[:, a] > strength[:, b] for a, b in sides]).astype(np.float64)
    count = len(first)
    rows = Comparisons(
        tuple(range(1000)),
        first,
        second,
        score,
        2 * score - 1,
        np.full(count, 0.5),
        np.tile(np.arange(166_667), 6),
    )
    (scale,) = rate(rows)
    inside = (
        np.abs((scale.elo.values - 1500) / ELO_PER_NAT - (theta - theta.mean()))
        < 1.96 * scale.elo.errors / ELO_PER_NAT
    )
    assert count == 1_000_002
    assert 0.93 < inside.mean() < 0.97
