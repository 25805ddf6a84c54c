from collections import Counter
from math import inf, isnan, log

import numpy as np
import pytest

from erqiwang_runner.likelihood_ratio import Histogram, expected_score, mean_llr, t_llr
from erqiwang_runner.sequential import (
    NELO_PER_T,
    Hypotheses,
    Question,
    Verdict,
    judge,
    log_likelihood_ratio,
    standardised_mean,
)

MARGINS = [4, -2, 0, 6, 8, -4, 2, 2, 0, -6, 12, 4, -2, 0, 8, 2, -4, 6, 2, 0]
GAIN = Hypotheses.asking(Question.GAIN)


def games(losses, draws, wins):
    return Histogram.of({0.0: losses, 0.5: draws, 1.0: wins})


def pairs(*counts):
    return Histogram.of(dict(zip((0.0, 0.25, 0.5, 0.75, 1.0), counts, strict=True)))


def normalised(elo0, elo1, *, per_pair=False):
    scale = (2**0.5 if per_pair else 1) / NELO_PER_T
    return elo0 * scale, elo1 * scale


@pytest.mark.parametrize(
    ("histogram", "elo", "llr"),
    [(games(36027, 68692, 36433), (0, 2), 0.92329), (games(0, 0, 4250), (0, 10), 120.548)],
)
def test_normalised_elo_of_games(histogram, elo, llr):
    assert t_llr(histogram, *normalised(*elo), reference=0.5) == pytest.approx(llr, abs=1e-3)


@pytest.mark.parametrize(
    ("histogram", "elo", "llr"),
    [(pairs(365, 16618, 36229, 16974, 390), (0, 2), 2.25037), (pairs(0, 0, 0, 0, 5550), (0, 5), 111.798)],
)
def test_normalised_elo_of_pairs(histogram, elo, llr):
    assert t_llr(histogram, *normalised(*elo, per_pair=True), reference=0.5) == pytest.approx(llr, abs=1e-3)


@pytest.mark.parametrize(
    ("histogram", "llr"),
    [(games(21184, 40708, 21404), -1.57189), (pairs(223, 9863, 21279, 10037, 246), -3.07413)],
)
def test_logistic_elo_of_games_and_pairs(histogram, llr):
    means = expected_score(0.5), expected_score(2.5)
    assert mean_llr(histogram, *means) == pytest.approx(llr, abs=1e-4)


def test_margins_by_three_roads():
    t = standardised_mean(np.array(MARGINS, dtype=float))
    assert t == pytest.approx(0.427101, abs=1e-6)
    assert np.var(MARGINS) == pytest.approx(19.79)
    assert log_likelihood_ratio(20, t, Hypotheses(0, 0.3)) == pytest.approx(1.66261, abs=1e-5)
    histogram = Histogram.of(Counter(MARGINS))
    assert t_llr(histogram, 0, 0.3) == pytest.approx(1.74934, abs=1e-5)
    assert mean_llr(histogram, 0, 1.5) == pytest.approx(1.84058, abs=1e-5)


def test_bounds_and_units():
    assert GAIN.upper == pytest.approx(2.94444, abs=1e-5)
    assert GAIN.lower == pytest.approx(-2.94444, abs=1e-5)
    assert pytest.approx(347.4356, abs=1e-4) == NELO_PER_T


@pytest.mark.parametrize(
    ("delta", "ends", "middle"),
    [(0.02, 13250, 21674), (0.05, 2120, 3468), (0.10, 530, 867), (0.20, 132, 217)],
)
def test_expected_length(delta, ends, middle):
    for question in Question:
        each = Hypotheses.asking(question, delta)
        assert each.expected_sets(each.t0) == pytest.approx(ends, rel=0.005)
        assert each.expected_sets(each.t1) == pytest.approx(ends, rel=0.005)
        assert each.expected_sets((each.t0 + each.t1) / 2) == pytest.approx(middle, rel=0.001, abs=0.5)


def test_expected_acceptance():
    assert GAIN.acceptance(0.0) == pytest.approx(0.05)
    assert GAIN.acceptance(0.1) == pytest.approx(0.95)
    assert GAIN.acceptance(0.05) == pytest.approx(0.5)
    assert GAIN.acceptance(0.05 + 1e-11) == pytest.approx(0.5)


def test_limit_is_three_times_the_worst_expectation_rounded_up_to_a_look():
    assert GAIN.limit == 2604
    assert Hypotheses(0, 1).limit == 36


def test_hypotheses_in_the_wrong_order_are_refused():
    with pytest.raises(ValueError, match="not below"):
        Hypotheses(0.1, 0.1)
    with pytest.raises(ValueError, match="rates of error"):
        Hypotheses(0, 0.1, alpha=0.6)


def noise(seed, size, t=0.0):
    return np.random.default_rng(seed).normal(t, 1.0, size)


def test_no_look_before_36_sets():
    crushing = np.array([1.0, 2.0] * 17 + [1.0])
    assert judge(crushing, GAIN).verdict is Verdict.OPEN
    found = judge([1.0, 2.0] * 30, GAIN)
    assert (found.verdict, found.sets) == (Verdict.ACCEPTED, 36)


def test_looks_are_six_sets_apart():
    found = judge(noise(1, 3000, 0.3), GAIN)
    assert found.verdict is Verdict.ACCEPTED
    assert found.sets % 6 == 0


@pytest.mark.parametrize("t", [0.0, 0.05, 0.1, 0.4])
def test_more_margins_never_change_a_verdict(t):
    for seed in range(20):
        margins = noise(seed, 2700, t)
        final = judge(margins, GAIN)
        assert judge(margins[: final.sets], GAIN) == final
        assert judge(margins[: final.sets - 1], GAIN).verdict is Verdict.OPEN


def test_without_variance_the_sign_decides_and_zeros_do_not():
    assert judge([2.0] * 36, GAIN).verdict is Verdict.ACCEPTED
    assert judge([-2.0] * 36, GAIN).verdict is Verdict.REJECTED
    assert judge([0.0] * 60, GAIN).verdict is Verdict.OPEN
    assert judge([2.0] * 35, GAIN).verdict is Verdict.OPEN
    assert judge([0.0] * 3000, GAIN).verdict is Verdict.INCONCLUSIVE
    assert standardised_mean(np.array([2.0, 2.0])) == inf
    assert isnan(judge([], GAIN).mean)


def test_inconclusive_at_the_limit():
    hypotheses = Hypotheses(-10.0, 10.0)
    found = judge([1.0, -1.0] * 60, GAIN, limit=60)
    assert (found.verdict, found.sets) == (Verdict.INCONCLUSIVE, 60)
    assert hypotheses.limit % 6 == 0


def accepted(t, runs, delta, sampler):
    hypotheses = Hypotheses.asking(Question.GAIN, delta)
    verdicts = Counter(judge(sampler(seed, hypotheses.limit, t), hypotheses).verdict for seed in range(runs))
    return verdicts[Verdict.ACCEPTED] / runs


def tied(seed, size, t):
    """Margins of which a bit more than half are 0, shifted to the standardised mean t."""
    rng = np.random.default_rng(seed)
    raw = rng.choice([0.0, 1.0, -1.0, 2.0, -2.0], p=[0.56, 0.16, 0.16, 0.06, 0.06], size=size)
    return raw + t * np.sqrt(0.16 * 2 + 0.06 * 8)


def test_equal_bots_are_accepted_as_rarely_as_promised():
    # Nominal 5 %; 400 runs have a standard error of 1.1 %. The many runs are nightly.
    assert 0.01 <= accepted(0.0, 400, 0.2, tied) <= 0.08


def test_a_gain_is_found_as_often_as_promised():
    assert accepted(0.2, 400, 0.2, tied) >= 0.91


@pytest.mark.nightly
def test_error_rates_of_the_default_test():
    assert 0.03 <= accepted(0.0, 2000, 0.1, tied) <= 0.07
    assert accepted(0.1, 2000, 0.1, tied) >= 0.93


def test_bounds_are_those_of_wald():
    assert Hypotheses(0, 1, alpha=0.01, beta=0.1).upper == pytest.approx(log(0.9 / 0.01))
