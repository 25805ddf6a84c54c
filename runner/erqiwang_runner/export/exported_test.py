"""The regression test that an export holds: its question, and its verdict judged again."""

from __future__ import annotations

from dataclasses import dataclass

from erqiwang_runner.export.agreement import first_difference
from erqiwang_runner.local.game_lines import Fields, inside, integer, text
from erqiwang_runner.regression import RegressionReport, RegressionTest
from erqiwang_runner.results import BoardSet, Tournament
from erqiwang_runner.sequential import Hypotheses, Question

_NEW, _OLD = 0, 1


@dataclass(frozen=True, slots=True)
class ExportedTest:
    """A test as the first line of an export describes it, with the report that it claims, if it does."""

    test: RegressionTest
    delta: float
    claimed: Fields | None

    @classmethod
    def of(cls, fields: Fields, tournament: Tournament) -> ExportedTest | None:
        """Read the test of an export; None if it is of another tournament. Raises ValueError."""
        if fields.get("regression") is None:
            return None
        asked = inside(fields, "regression")
        delta = asked.get("delta")
        if not isinstance(delta, float | int) or not delta > 0:
            raise ValueError("delta: expected a number above 0")
        question = Question(text(asked, "question"))
        limit = None if asked.get("max_board_sets") is None else integer(asked, "max_board_sets")
        test = RegressionTest(
            new=_NEW,
            old=_OLD,
            forfeit_points=tournament.forfeit_points,
            question=question,
            hypotheses=Hypotheses.asking(question, delta),
            limit=limit,
        )
        return cls(test, delta, None if asked.get("report") is None else inside(asked, "report"))

    def report(self, boards: list[BoardSet], given_up: frozenset[int]) -> RegressionReport:
        """Judge the boards of the export; `given_up` are the n of slots that were not played."""
        return self.test.report(boards, given_up)

    def difference(self, report: RegressionReport) -> str | None:
        """Say where the claimed report differs from what the boards say."""
        return None if self.claimed is None else first_difference(report.to_object(), self.claimed)
