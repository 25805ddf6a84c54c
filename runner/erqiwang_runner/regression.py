"""A regression test of a new version A against an old version B on the board sets of one group.

Only the unbroken prefix of the plan counts: a board that was finished early waits for those before it, so
that fast boards cannot enter first. A board that A spoiled by a forfeit has the margin -P, whatever the cards
said; one that only B spoiled is left out, though its slot counts as finished. Three spoiled boards of A
reject it, three of B make the test invalid.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Final

from erqiwang_runner.exit_codes import ExitCode
from erqiwang_runner.results import BoardSet
from erqiwang_runner.scoring import raw_tallies
from erqiwang_runner.sequential import Hypotheses, Judgement, Question, Verdict, judge
from erqiwang_runner.variance import VarianceRatio, table_leads, variance_ratio

FORFEIT_LIMIT: Final = 3
"""Spoiled boards of one version that end the test."""

_EXIT_CODES: Final = {
    Verdict.ACCEPTED: ExitCode.YES,
    Verdict.REJECTED: ExitCode.NO,
    Verdict.INCONCLUSIVE: ExitCode.INCONCLUSIVE,
    Verdict.OPEN: ExitCode.INCONCLUSIVE,
}


@dataclass(frozen=True, slots=True)
class RegressionReport:
    """What a regression test found; `is_invalid` if B forfeited too often for a verdict on A.

    It rests on the first `slots` slots of the plan; what was played beyond them changes nothing.
    """

    question: Question
    judgement: Judgement
    slots: int
    tables: int
    forfeits_new: int
    forfeits_old: int
    is_invalid: bool
    variance: VarianceRatio

    @property
    def is_decided(self) -> bool:
        """Whether more boards could change nothing."""
        return self.is_invalid or self.judgement.verdict is not Verdict.OPEN

    @property
    def exit_code(self) -> ExitCode:
        """0 accepted, 1 rejected, 2 inconclusive or unfinished, 3 invalid."""
        return ExitCode.INVALID_DATA if self.is_invalid else _EXIT_CODES[self.judgement.verdict]

    def to_object(self) -> dict[str, str | int | float | None]:
        """Give the JSON form; what is unknown or infinite is null."""
        found = self.judgement
        numbers = {
            "mean_margin": found.mean,
            "t": found.t,
            "normalised_elo": found.nelo,
            "llr": found.llr,
            "llr_lower": found.hypotheses.lower,
            "llr_upper": found.hypotheses.upper,
            "t0": found.hypotheses.t0,
            "t1": found.hypotheses.t1,
            "variance_ratio": self.variance.ratio,
            "signal_per_table": found.t**2 * found.sets / self.tables if self.tables else None,
        }
        return {
            "format": "erqiwang.regression/1",
            "question": self.question.value,
            "verdict": "invalid" if self.is_invalid else found.verdict.value,
            "exit_code": int(self.exit_code),
            "board_sets": found.sets,
            "slots": self.slots,
            "tables": self.tables,
            "forfeits_new": self.forfeits_new,
            "forfeits_old": self.forfeits_old,
            **{name: each if each is not None and isfinite(each) else None for name, each in numbers.items()},
        }

    def lines(self) -> Iterator[str]:
        """Say it to a person."""
        found = self.judgement
        verdict = "invalid" if self.is_invalid else found.verdict.value
        yield f"{self.question.value}: {verdict} after {found.sets} board sets, {self.tables} tables"
        yield (
            f"LLR {_said(found.llr, 3)} in ({found.hypotheses.lower:.3f}, {found.hypotheses.upper:.3f}), "
            f"t {_said(found.t, 4)}, nElo {_said(found.nelo, 1)} per set, "
            f"mean margin {_said(found.mean, 3, sign='+')} points per play"
        )
        if found.verdict in (Verdict.ACCEPTED, Verdict.REJECTED):
            yield "the mean is biased by the stopping: it shows the direction, not the size"
        if isfinite(self.variance.ratio):
            yield f"variance ratio of duplicate play: {self.variance.ratio:.2f}"
        if self.forfeits_new or self.forfeits_old:
            yield f"boards spoiled by the new version {self.forfeits_new}, by the old one {self.forfeits_old}"


@dataclass(frozen=True, slots=True)
class RegressionTest:
    """The settings of a test: entries `new` (A) and `old` (B), what is asked, and P."""

    new: int
    old: int
    forfeit_points: int
    question: Question
    hypotheses: Hypotheses
    limit: int | None = None

    def report(self, boards: Iterable[BoardSet], explained: Collection[int] = ()) -> RegressionReport:
        """Judge the prefix of the boards; `explained` are the n of slots that were given up for good."""
        seen: list[tuple[BoardSet, float | None]] = []
        spoiled = Counter[int]()
        for board in prefix(boards, explained):
            seen.append((board, self.margin(board)))
            spoiled.update(self.spoilers(board))
            if max(spoiled.values(), default=0) >= FORFEIT_LIMIT:
                break
        found = judge([margin for _, margin in seen if margin is not None], self.hypotheses, self.limit)
        if found.verdict is not Verdict.OPEN:
            # What was played beyond the verdict changes nothing, not even the count of what was spoiled.
            counted = [place for place, (_, margin) in enumerate(seen) if margin is not None]
            seen = seen[: counted[found.sets - 1] + 1]
        return self._report(found, seen)

    def spoilers(self, board: BoardSet) -> tuple[int, ...]:
        """Give who spoiled a board: A also where both did; empty for most boards."""
        return next(((each,) for each in (self.new, self.old) if each in board.offenders), ())

    def margin(self, board: BoardSet) -> float | None:
        """Give the margin of A on a board, -P if A spoiled it; None for a board that only B spoiled."""
        if self.new in board.offenders:
            return -float(self.forfeit_points)
        if self.old in board.offenders:
            return None
        tallies = raw_tallies(board)
        one, two = tallies[self.new], tallies[self.old]
        return (one.total * two.plays - two.total * one.plays) / (one.plays * two.plays)

    def _report(self, found: Judgement, seen: Sequence[tuple[BoardSet, float | None]]) -> RegressionReport:
        is_open = found.verdict is Verdict.OPEN
        spoiled = Counter(each for board, _ in seen for each in self.spoilers(board))
        if is_open and spoiled[self.new] >= FORFEIT_LIMIT:
            found = _rejected(found)
        used = [board for board, margin in seen if margin is not None]
        return RegressionReport(
            question=self.question,
            judgement=found,
            slots=seen[-1][0].slot.n + 1 if seen else 0,
            tables=sum(len(board.tables) for board in used),
            forfeits_new=spoiled[self.new],
            forfeits_old=spoiled[self.old],
            is_invalid=is_open and spoiled[self.old] >= FORFEIT_LIMIT,
            variance=variance_ratio(table_leads(used, (self.new, self.old))),
        )


def prefix(boards: Iterable[BoardSet], explained: Collection[int] = ()) -> Iterator[BoardSet]:
    """Yield the boards n = 0, 1, 2, … of one group up to the first that is neither there nor explained.

    Of a board that was played in several generations the last one counts.
    """
    latest = {board.slot.n: board for board in sorted(boards, key=lambda board: board.key)}
    given_up = set(explained)
    n = 0
    while n in latest or n in given_up:
        if n in latest:
            yield latest[n]
        n += 1


def _said(value: float, places: int, sign: str = "-") -> str:
    """Write a number; without boards or without variance there is none."""
    return f"{value:{sign}.{places}f}" if isfinite(value) else "unknown"


def _rejected(found: Judgement) -> Judgement:
    return Judgement(Verdict.REJECTED, found.sets, found.mean, found.t, found.llr, found.hypotheses)
