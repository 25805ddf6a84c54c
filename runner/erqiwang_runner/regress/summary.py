"""The result of a regression test for a pull request: Markdown."""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite

from erqiwang_runner.regression import RegressionReport
from erqiwang_runner.sequential import Question, Verdict

_INVALID = "invalid"
_ANSWERS = {
    (Question.GAIN, Verdict.ACCEPTED): "better",
    (Question.GAIN, Verdict.REJECTED): "no gain",
    (Question.NO_REGRESSION, Verdict.ACCEPTED): "no regression",
    (Question.NO_REGRESSION, Verdict.REJECTED): "regression",
}


def answer(report: RegressionReport) -> str:
    """Say the verdict in a word or two."""
    return answer_to(report.question, str(report.to_object()["verdict"]))


def answer_to(question: Question, verdict: str) -> str:
    """Say the word of a verdict, as the JSON form of a report has it, as an answer to a question."""
    if verdict == _INVALID:
        return verdict
    return _ANSWERS.get((question, Verdict(verdict)), "inconclusive")


def markdown(report: RegressionReport, new: str, old: str, conditions: str, command: str) -> Iterator[str]:
    """Give the lines of a summary."""
    found = report.judgement
    yield f"**{new}** against **{old}**: **{answer(report)}**"
    yield ""
    yield "| question | LLR (bounds) | board sets | tables | mean margin | t | nElo a set | spoiled |"
    yield "|---|---|---|---|---|---|---|---|"
    bounds = f"{found.hypotheses.lower:.2f}, {found.hypotheses.upper:.2f}"
    yield (
        f"| {report.question.value}: t = {found.hypotheses.t0:g} or {found.hypotheses.t1:g} "
        f"| {_number(found.llr, 2)} ({bounds}) | {found.sets} | {report.tables} | {_number(found.mean, 3)} "
        f"| {_number(found.t, 3)} | {_number(found.nelo, 1)} "
        f"| {report.forfeits_new} / {report.forfeits_old} |"
    )
    yield ""
    yield f"{conditions}. `{command}`"
    if found.verdict in (Verdict.ACCEPTED, Verdict.REJECTED):
        yield ""
        yield "The test stopped when it was decided, so margin, t and nElo show the direction, not the size."


def _number(value: float, places: int) -> str:
    return f"{value:+.{places}f}" if isfinite(value) else "-"
