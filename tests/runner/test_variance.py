import numpy as np
import pytest

from erqiwang_runner.variance import signal, table_leads, variance_ratio


def simulated(rng, boards, tables, hand, noise, pairs=1):
    """Leads with a hand effect of variance `hand` that cancels over the tables, and noise per table."""
    luck = rng.normal(scale=np.sqrt(hand), size=(boards, tables, pairs))
    luck -= luck.mean(axis=1, keepdims=True)
    return luck + rng.normal(scale=np.sqrt(noise), size=(boards, tables, pairs))


def known_ratio(tables, hand, noise):
    """Variance of a single table is hand (1 - 1/T) + noise, of the mean of T tables noise / T."""
    return (hand * (1 - 1 / tables) + noise) / noise


@pytest.mark.parametrize(("tables", "hand", "noise"), [(4, 4.0, 2.0), (2, 6.0, 1.5), (3, 0.0, 1.0)])
def test_ratio_of_a_known_model(tables, hand, noise):
    found = variance_ratio([simulated(np.random.default_rng(7), 4000, tables, hand, noise)])
    assert found.ratio == pytest.approx(known_ratio(tables, hand, noise), rel=0.07)
    assert found.low < known_ratio(tables, hand, noise) < found.high
    assert found.boards == 4000


def test_ratio_is_that_of_the_formula():
    leads = np.random.default_rng(3).normal(size=(25, 4))
    by_formula = (leads.var(axis=0, ddof=1).sum() / 16) / leads.mean(axis=1).var(ddof=1)
    assert variance_ratio([leads[:, :, None]]).ratio == pytest.approx(by_formula)


def test_ratio_is_one_over_one_plus_the_correlation():
    # Equal variances and correlation rho between the tables: VR = 1 / (1 + (T - 1) rho).
    rho, tables = -0.2, 4
    covariance = np.full((tables, tables), rho) + (1 - rho) * np.eye(tables)
    leads = np.random.default_rng(5).multivariate_normal(np.zeros(tables), covariance, size=6000)
    assert variance_ratio([leads[:, :, None]]).ratio == pytest.approx(1 / (1 + (tables - 1) * rho), rel=0.08)


def test_groups_are_pooled_by_degrees_of_freedom():
    rng = np.random.default_rng(11)
    leads = [simulated(rng, n, 4, 2.0, 1.0) + 100 * n for n in (3, 9, 30)]
    single = sum((len(x) - 1) * x[:, :, 0].var(axis=0, ddof=1).sum() / 16 for x in leads)
    joint = sum((len(x) - 1) * x[:, :, 0].mean(axis=1).var(ddof=1) for x in leads)
    assert variance_ratio(leads).ratio == pytest.approx(single / joint)


def test_jackknife_is_that_of_leaving_each_board_out():
    leads = simulated(np.random.default_rng(2), 12, 2, 3.0, 1.0)
    found = variance_ratio([leads])
    logs = np.log([variance_ratio([np.delete(leads, b, axis=0)]).ratio for b in range(12)])
    error = np.sqrt(11 / 12 * ((logs - logs.mean()) ** 2).sum())
    assert np.log(found.high / found.ratio) == pytest.approx(1.959964 * error)
    assert found.ratio / found.low == pytest.approx(found.high / found.ratio)


def test_interval_covers_the_truth():
    inside = 0
    for seed in range(200):
        found = variance_ratio([simulated(np.random.default_rng(seed), 60, 4, 4.0, 2.0)])
        inside += found.low < known_ratio(4, 4.0, 2.0) < found.high
    assert 178 <= inside <= 199


def test_too_few_boards_or_no_variance_say_nothing():
    for leads in ([], [np.ones((1, 4, 1))], [np.zeros((5, 4, 1))]):
        assert np.isnan(variance_ratio(leads).ratio)
        assert not variance_ratio(leads).is_worthwhile
    lone = np.zeros((3, 2, 1))
    lone[0] = [[1.0], [3.0]]
    assert not np.isnan(variance_ratio([lone]).ratio)
    assert np.isnan(variance_ratio([lone[:2]]).low)


def test_signal_is_mean_over_deviation():
    leads = [1.0, 2.0, 3.0, 6.0]
    found = signal(leads, tables=4)
    assert found.t == pytest.approx(3 / np.std(leads, ddof=1))
    assert found.per_table == pytest.approx(found.t**2 / 4)
    assert np.isnan(signal([1.0, 1.0], 4).t)
    assert np.isnan(signal([1.0], 4).t)


def test_leads_are_taken_table_by_table(play_set):
    boards = [
        play_set("pair22", (8, 9), n, lambda n, table, entries: (3 + n, -1, -1, -1 - n), group_id=n // 3)
        for n in range(6)
    ]
    first, second = table_leads(boards)
    assert first.shape == second.shape == (3, 2, 1)
    # Board 0: seats 0 and 2 of the first table are bot 8, seats 1 and 3 of the second.
    assert first[0, :, 0].tolist() == [(3 - 1) / 2 - (-1 - 1) / 2, (-1 - 1) / 2 - (3 - 1) / 2]


def test_leads_leave_out_spoiled_boards_and_unwanted_entries(play_set):
    points = lambda *_: (3, -1, -1, -1)  # noqa: E731
    boards = [play_set("klein4", (1, 2, 3, 4), n, points) for n in range(3)]
    boards.append(play_set("klein4", (1, 2, 3, 4), 3, points, forfeits=[(0, 0)]))
    assert [leads.shape for leads in table_leads(boards)] == [(3, 4, 6)]
    assert [leads.shape for leads in table_leads(boards, entries=[1, 3])] == [(3, 4, 1)]
    assert table_leads(boards, entries=[1]) == []
