"""How often the test errs on margins as the game makes them: drawn again from boards that were played."""

from __future__ import annotations

import numpy as np
import pytest

from erqiwang_runner.sequential import Hypotheses, Question, Verdict, judge

PLAYED = {0: 32, 1: 54, 2: 38, 3: 36, 4: 18}
"""Sizes of the margins of 178 boards that random@1 played against itself."""


def run_tests(runs, question, delta, shift, seed):
    """Run tests on margins of a law whose standardised mean is `shift`; gives the verdicts."""
    sizes = np.array([float(size) for size, count in PLAYED.items() for _ in range(count)])
    law = np.concatenate([sizes, -sizes])
    law = law + shift * law.std()
    hypotheses = Hypotheses.asking(question, delta)
    rng = np.random.default_rng(seed)
    return [judge(rng.choice(law, hypotheses.limit), hypotheses).verdict for _ in range(runs)]


def share(verdicts, verdict):
    return sum(each is verdict for each in verdicts) / len(verdicts)


def test_a_bot_against_itself_has_no_gain_but_for_the_promised_share():
    verdicts = run_tests(2000, Question.GAIN, 0.2, 0.0, 1)
    assert 0.03 <= share(verdicts, Verdict.ACCEPTED) <= 0.07
    assert share(verdicts, Verdict.REJECTED) >= 0.93


def test_a_bot_against_itself_is_no_regression_but_for_the_promised_share():
    verdicts = run_tests(600, Question.NO_REGRESSION, 0.2, 0.0, 2)
    assert 0.92 <= share(verdicts, Verdict.ACCEPTED) <= 0.98


def test_a_difference_of_delta_is_found():
    assert share(run_tests(600, Question.GAIN, 0.2, 0.2, 3), Verdict.ACCEPTED) >= 0.92
    assert share(run_tests(600, Question.NO_REGRESSION, 0.2, -0.2, 4), Verdict.REJECTED) >= 0.92


@pytest.mark.nightly
@pytest.mark.parametrize(("truth", "right"), [(0.0, Verdict.ACCEPTED), (-0.1, Verdict.REJECTED)])
def test_the_rates_of_the_other_preset(truth, right):
    assert 0.935 <= share(run_tests(4000, Question.NO_REGRESSION, 0.1, truth, 7), right) <= 0.97


@pytest.mark.nightly
@pytest.mark.parametrize("delta", [0.05, 0.1])
def test_the_rates_of_the_finer_tests(delta):
    verdicts = run_tests(4000, Question.GAIN, delta, 0.0, 5)
    assert 0.035 <= share(verdicts, Verdict.ACCEPTED) <= 0.065
    assert share(run_tests(4000, Question.GAIN, delta, delta, 6), Verdict.ACCEPTED) >= 0.935
