"""The command `erqi` as a process, and boards of two versions without any play."""

from __future__ import annotations

import random
import subprocess
import sys

import pytest

from erqiwang_runner.regression import RegressionTest
from erqiwang_runner.sequential import Hypotheses, Question

NEW, OLD = 0, 1


@pytest.fixture
def test_of():
    """Ask a question with a delta of 0.2."""

    def make(question=Question.GAIN, limit=None):
        return RegressionTest(NEW, OLD, 24, question, Hypotheses.asking(question, 0.2), limit)

    return make


@pytest.fixture
def boards_of(play_set):
    """Boards on which the new version gains `lead` points a play, with luck; `spoilt` says who forfeits."""

    def make(count, lead=0, spoilt=None):
        def scores(n, table, entries):
            rng = random.Random(f"{n}/{table}")
            raw = [rng.randint(-3, 3) + lead * (entry == NEW) for entry in entries]
            return [4 * each - sum(raw) for each in raw]

        def board(n):
            made = play_set("pair22", (NEW, OLD), n, scores)
            if spoilt is None or n not in spoilt:
                return made
            seat = made.tables[0].entries.index(spoilt[n])
            return play_set("pair22", (NEW, OLD), n, scores, forfeits=[(0, seat)])

        return [board(n) for n in range(count)]

    return make


@pytest.fixture
def erqi(tmp_path):
    """Run `erqi` in a folder of the test's own."""

    def run(*words, **more):
        command = [sys.executable, "-m", "erqiwang_runner.cli", *words]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, **more)

    return run
