"""The leaderboard of a tournament, put together from its board sets in whatever order they arrived.

The rank is by points: by the points rating, which in a balanced schedule differs from the mean points per
play by a constant and in any other one corrects for the opponents met. Ties go to the higher likelihood of
superiority, then to more boards. Elo, from wins and losses of boards, stands beside it. Bots that no chain of
boards connects are in tables of their own: no number of one table may be compared with one of another.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import nan
from typing import Final

from erqiwang.rules import FaultCause
from erqiwang_runner.comparisons import comparisons_of
from erqiwang_runner.estimates import Estimates
from erqiwang_runner.imps import NONE, Imps, imps_table
from erqiwang_runner.points_table import Mean, PointsRow, Share, mean_of, points_table
from erqiwang_runner.ratings import Bound, Record, Scale, rate
from erqiwang_runner.results import BoardSet, Entry, EntryRole, ResultReader, Slot, Tournament
from erqiwang_runner.running_elo import running_elo
from erqiwang_runner.scoring import ScoredSet, ScoringRule, raw_tallies, score_set
from erqiwang_runner.variance import VarianceRatio, table_leads, variance_ratio

_DECIMALS: Final = 9
"""Points ratings are equal if they agree to this many decimals: rounding is no reason for a rank."""


@dataclass(frozen=True, slots=True)
class Value:
    """A number with its standard error."""

    value: float
    error: float


@dataclass(frozen=True, slots=True)
class Standing:
    """One row. `superiority` is the likelihood that the bot is stronger than the next one (NaN in the last).

    `best_rank` and `worst_rank` hold simultaneously at 95 %; `points` is the mean per play over undisturbed
    boards, `points_rating` the same corrected for the opponents; `faults` counts fault events, `forfeits`
    spoiled boards. `running_elo` and `imps` are for display.
    """

    rank: int
    entry: Entry
    elo: Value
    bound: Bound
    best_rank: int
    worst_rank: int
    points: Mean
    points_rating: Value
    record: Record
    superiority: float
    declarer: Share
    defender: Share
    seats: tuple[Share, ...]
    forfeits: int
    faults: Mapping[FaultCause, int]
    elo_without_forfeits: float
    running_elo: float
    imps: Imps
    has_style: bool


@dataclass(frozen=True, slots=True)
class PairStanding:
    """Two entries against each other: `score` and differences are those of the first.

    |`residual`| > 3 means that the pair does not fit the ratings; `signal` is mean over deviation of the
    margin.
    """

    first: int
    second: int
    boards: int
    score: float
    elo: Value
    superiority: float
    residual: float
    signal: float


@dataclass(frozen=True, slots=True)
class SpoiledBoard:
    """A board that `offenders` spoiled, with the points per play that the others had at that moment.

    Who spoils the boards on which a friend lies behind shows here.
    """

    slot: Slot
    generation: int
    offenders: tuple[int, ...]
    innocents: Mapping[int, float]


@dataclass(frozen=True, slots=True)
class StandingsTable:
    """The entries that share a scale, best first; `anchors` are those whose mean is 1500 (none: all)."""

    rows: tuple[Standing, ...]
    anchors: tuple[str, ...]
    scale: Scale

    def pairs(self) -> tuple[PairStanding, ...]:
        """List every pair that met, by entry ids."""
        return tuple(_pairs(self.scale))


@dataclass(frozen=True, slots=True)
class Standings:
    """The leaderboard with what limits its meaning."""

    tournament: Tournament
    tables: tuple[StandingsTable, ...]
    board_sets: int
    spoiled: tuple[SpoiledBoard, ...]
    variance: VarianceRatio

    @property
    def forfeited_sets(self) -> int:
        """How many board sets a forfeit spoiled."""
        return len(self.spoiled)

    @property
    def is_connected(self) -> bool:
        """Whether all numbers are on one scale."""
        return len(self.tables) <= 1

    @property
    def is_separated(self) -> bool:
        """Whether some ratings are bounds only."""
        return any(table.scale.is_separated for table in self.tables)


def read_standings(reader: ResultReader, tournament: str | None = None) -> Standings:
    """Compute the standings of a tournament, or of the latest; raises LookupError for an unknown one."""
    found = reader.tournament(tournament)
    return standings_of(found, reader.entries(found.id), reader.board_sets(found.id), reader.faults(found.id))


def standings_of(
    tournament: Tournament,
    entries: Sequence[Entry],
    boards: Iterable[BoardSet],
    faults: Mapping[int, Mapping[FaultCause, int]],
) -> Standings:
    """Compute the standings from results in any order; entries without a rated board are left out."""
    ordered = sorted(boards, key=lambda board: board.key)
    by_id = {entry.id: entry for entry in entries}
    rule = ScoringRule(tournament.policy, tournament.forfeit_points)
    roles = {entry.id: entry.role for entry in entries}
    scored = [(board, score_set(board, roles, rule)) for board in ordered]
    anchors = [entry.id for entry in entries if entry.role is EntryRole.ANCHOR]
    scales = rate(comparisons_of(each for _, each in scored), anchors, is_for_people=True)
    undisturbed = _elo_without_forfeits([each for _, each in scored], anchors)
    points = points_table(scored)
    extra = (running_elo(each for _, each in scored), imps_table(scored))
    rated = [entry.id for entry in entries if entry.role is not EntryRole.FILLER]
    return Standings(
        tournament=tournament,
        tables=tuple(_Facts(scale, by_id, points, faults, undisturbed, *extra).table() for scale in scales),
        board_sets=len(ordered),
        spoiled=tuple(_spoiled(board, set(rated)) for board, each in scored if each.is_disturbed),
        variance=variance_ratio(table_leads(ordered, rated)),
    )


def _spoiled(board: BoardSet, rated: Collection[int]) -> SpoiledBoard:
    innocents = {
        entry: tally.mean
        for entry, tally in raw_tallies(board).items()
        if entry in rated and entry not in board.offenders
    }
    return SpoiledBoard(board.slot, board.generation, tuple(sorted(board.offenders)), innocents)


def _elo_without_forfeits(scored: Sequence[ScoredSet], anchors: Sequence[int]) -> dict[int, float]:
    """Refit without the spoiled boards, if there are any: how much the forfeits weigh in each Elo."""
    kept = [each for each in scored if not each.is_disturbed]
    if len(kept) == len(scored):
        return {}
    scales = rate(comparisons_of(kept), anchors)
    return {
        bot: float(elo) for scale in scales for bot, elo in zip(scale.bots, scale.elo.values, strict=True)
    }


class _Facts:
    """What is known of the entries of one scale, worked out once for all rows."""

    def __init__(
        self,
        scale: Scale,
        entries: Mapping[int, Entry],
        points: Mapping[int, PointsRow],
        faults: Mapping[int, Mapping[FaultCause, int]],
        undisturbed: Mapping[int, float],
        running: Mapping[int, float],
        imps: Mapping[int, Imps],
    ) -> None:
        self.scale = scale
        self.running = [running.get(bot, nan) for bot in scale.bots]
        self.imps = [imps.get(bot, NONE) for bot in scale.bots]
        self.undisturbed = [undisturbed.get(bot, nan) for bot in scale.bots]
        self.entries = [entries[bot] for bot in scale.bots]
        self.points = [points.get(bot) or _no_points(bot) for bot in scale.bots]
        self.faults = [dict(faults.get(bot, {})) for bot in scale.bots]
        self.elo = _values(scale.elo)
        self.points_rating = _values(scale.points)
        self.ranks = scale.elo.rank_intervals()

    def row(self, rank: int, place: int, after: int | None) -> Standing:
        """Build the row of a position, followed by the position `after`."""
        scale, points = self.scale, self.points[place]
        return Standing(
            rank=rank,
            entry=self.entries[place],
            elo=self.elo[place],
            bound=scale.bounds[place],
            best_rank=self.ranks[place].best,
            worst_rank=self.ranks[place].worst,
            points=points.points,
            points_rating=self.points_rating[place],
            record=scale.records[place],
            superiority=nan if after is None else scale.elo.superiority(place, after),
            declarer=points.declarer,
            defender=points.defender,
            seats=points.seats,
            forfeits=points.forfeits,
            faults=self.faults[place],
            elo_without_forfeits=self.undisturbed[place],
            running_elo=self.running[place],
            imps=self.imps[place],
            has_style=scale.has_style[place],
        )

    def table(self) -> StandingsTable:
        """Rank the entries."""
        order = _order(self.scale)
        following = [*order[1:], None]
        rows = (self.row(rank, *two) for rank, two in enumerate(zip(order, following, strict=True), 1))
        anchors = (entry.bot for entry in self.entries if entry.role is EntryRole.ANCHOR)
        return StandingsTable(tuple(rows), tuple(anchors), self.scale)


def _values(estimates: Estimates) -> list[Value]:
    columns = (estimates.values.tolist(), estimates.errors.tolist())
    return [Value(value, error) for value, error in zip(*columns, strict=True)]


def _no_points(entry: int) -> PointsRow:
    return PointsRow(entry, mean_of(()), 0, Share(), Share(), ())


def _order(scale: Scale) -> list[int]:
    """Order the positions: points rating, then Elo, which decides superiority, then boards, then the id."""

    def key(place: int) -> tuple[float, float, int, int]:
        worth = round(float(scale.points.values[place]), _DECIMALS)
        elo = round(float(scale.elo.values[place]), _DECIMALS)
        return (-worth, -elo, -scale.records[place].boards, scale.bots[place])

    return sorted(range(len(scale.bots)), key=key)


def _pairs(scale: Scale) -> Iterable[PairStanding]:
    table = scale.pairs
    for k, pair in enumerate(zip(table.low, table.high, strict=True)):
        first, second = int(pair[0]), int(pair[1])
        lead = float(scale.elo.values[first] - scale.elo.values[second])
        yield PairStanding(
            first=scale.bots[first],
            second=scale.bots[second],
            boards=int(table.count[k]),
            score=float(table.score[k]),
            elo=Value(lead, scale.elo.pair_error(first, second)),
            superiority=scale.elo.superiority(first, second),
            residual=float(table.residual[k]),
            signal=float(table.signal[k]),
        )
