"""From a board set to points and outcomes, in integers.

For entry c let `total` be the sum of its net points over all its plays of the board and `plays` their number;
then X_c = total / plays, the margin of a pair is D_ij = X_i - X_j, and i beats j if and only if total_i *
plays_j > total_j * plays_i. Nothing is rounded before the comparison.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

from erqiwang_runner.results import BoardSet, EntryRole, FaultPolicy, Slot


@dataclass(frozen=True, slots=True)
class ScoringRule:
    """What a forfeit costs: under the policy `forfeit` at least `forfeit_points` per play."""

    policy: FaultPolicy
    forfeit_points: int

    def __post_init__(self) -> None:
        if self.forfeit_points < 0:
            raise ValueError(
                f"forfeit_points is {self.forfeit_points}; it is the size of a loss, so not negative"
            )


@dataclass(frozen=True, slots=True)
class Tally:
    """The points of an entry on one board: an integer total over a number of plays."""

    entry: int
    total: int
    plays: int
    forfeit: bool = False

    @property
    def mean(self) -> float:
        """Net points per play: X."""
        return self.total / self.plays


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two entries on one board, first < second; the margin is `difference` / `scale` points per play."""

    first: int
    second: int
    difference: int
    scale: int

    @property
    def half_points(self) -> int:
        """Outcome for the first entry in half points: 2 for a win, 1 for a draw, 0 for a loss."""
        return (self.difference > 0) - (self.difference < 0) + 1

    @property
    def score(self) -> float:
        """Outcome for the first entry: 1, ½ or 0."""
        return self.half_points / 2

    @property
    def margin(self) -> float:
        """Points per play by which the first entry is ahead: D."""
        return self.difference / self.scale


@dataclass(frozen=True, slots=True)
class ScoredSet:
    """A board set after scoring.

    `tallies` are those that count for the points table and `comparisons` those that count for the ratings,
    both without fillers; `weight` is 2/m for a board of m rated entries, because m entries have m-1 degrees
    of freedom.
    """

    slot: Slot
    generation: int
    tallies: tuple[Tally, ...]
    comparisons: tuple[Comparison, ...]
    weight: float
    is_disturbed: bool


def raw_tallies(board: BoardSet) -> dict[int, Tally]:
    """Add up the points of every entry of a board, fillers and offenders included."""
    totals = dict.fromkeys(board.entries, 0)
    plays = dict.fromkeys(board.entries, 0)
    for table in board.tables:
        for entry, points in zip(table.entries, table.scores, strict=True):
            totals[entry] += points
            plays[entry] += 1
    return {entry: Tally(entry, totals[entry], plays[entry]) for entry in totals}


def score_set(board: BoardSet, roles: Mapping[int, EntryRole], rule: ScoringRule) -> ScoredSet:
    """Score a board set; entries that `roles` does not name are contestants.

    Under the policy `forfeit`, if somebody forfeited a table, only the offenders' comparisons and points
    count: the innocents get a replacement board. Two offenders are not compared with each other, and a filler
    with nobody.
    """
    rated = [entry for entry in board.entries if roles.get(entry) is not EntryRole.FILLER]
    tallies = raw_tallies(board)
    offenders = board.offenders if rule.policy is FaultPolicy.FORFEIT else frozenset[int]()
    if offenders:
        counted = [_penalised(tallies[entry], rule) for entry in rated if entry in offenders]
        pairs = [
            _lost(tallies, offenders, pair, rule)
            for pair in combinations(rated, 2)
            if _is_one_in(offenders, pair)
        ]
    else:
        counted = [tallies[entry] for entry in rated]
        pairs = [_compare(first, second) for first, second in combinations(counted, 2)]
    weight = 2 / len(rated) if rated else 0.0
    return ScoredSet(board.slot, board.generation, tuple(counted), tuple(pairs), weight, bool(offenders))


def _compare(first: Tally, second: Tally) -> Comparison:
    difference = first.total * second.plays - second.total * first.plays
    return Comparison(first.entry, second.entry, difference, first.plays * second.plays)


def _penalised(tally: Tally, rule: ScoringRule) -> Tally:
    """Give an offender the worse of its points and the penalty: a crash can never pay."""
    total = min(tally.total, -rule.forfeit_points * tally.plays)
    return Tally(tally.entry, total, tally.plays, forfeit=True)


def _lost(
    tallies: Mapping[int, Tally], offenders: frozenset[int], pair: tuple[int, int], rule: ScoringRule
) -> Comparison:
    """Let the offender of a pair lose by its penalised points, whatever the other did."""
    first, second = pair
    offender = _penalised(tallies[first if first in offenders else second], rule)
    loss = min(offender.total, -1)
    return Comparison(first, second, loss if offender.entry == first else -loss, offender.plays)


def _is_one_in(offenders: frozenset[int], pair: tuple[int, int]) -> bool:
    return (pair[0] in offenders) != (pair[1] in offenders)
