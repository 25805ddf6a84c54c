"""Standings as JSON and as text for a person."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite, isnan, sqrt
from typing import Final, TypeAlias

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from erqiwang_runner.bootstrap import FEW_BOARDS
from erqiwang_runner.likelihood_ratio import expected_score
from erqiwang_runner.points_table import Share
from erqiwang_runner.ratings import Bound, Scale
from erqiwang_runner.standings import (
    PairStanding,
    SpoiledBoard,
    Standing,
    Standings,
    StandingsTable,
    Value,
)

JsonValue: TypeAlias = "bool | int | float | str | Sequence[JsonValue] | Mapping[str, JsonValue] | None"
"""What JSON can hold."""

FORMAT: Final = "erqiwang.standings/1"
"""Name and version of the JSON form."""

_MISFIT: Final = 3.0
"""Residual from which on a pair is named."""

_MOST_MISFITS: Final = 5

_MOST_PAIRS: Final = 64
"""Tables of more entries are written without their pairs: the number of pairs grows with the square."""


def to_object(standings: Standings) -> dict[str, JsonValue]:
    """Give the JSON form; what is unknown or infinite is null."""
    tournament, variance = standings.tournament, standings.variance
    return {
        "format": FORMAT,
        "tournament": tournament.id,
        "profile": tournament.profile,
        "set_type": tournament.set_type,
        "pool": tournament.pool,
        "isolation": tournament.isolation.value,
        "fault_policy": tournament.policy.value,
        "verifiable": tournament.verifiable,
        "board_sets": standings.board_sets,
        "forfeited_sets": standings.forfeited_sets,
        "spoiled_boards": [_spoiled_object(each) for each in standings.spoiled],
        "connected": standings.is_connected,
        "variance_ratio": {
            "value": _number(variance.ratio),
            "low": _number(variance.low),
            "high": _number(variance.high),
            "board_sets": variance.boards,
        },
        "tables": [_table_object(table) for table in standings.tables],
    }


def _spoiled_object(board: SpoiledBoard) -> dict[str, JsonValue]:
    return {
        "epoch": board.slot.epoch,
        "group": board.slot.group,
        "n": board.slot.n,
        "generation": board.generation,
        "offenders": list(board.offenders),
        "others": [
            {"entry": entry, "points_per_play": points} for entry, points in sorted(board.innocents.items())
        ],
    }


def _table_object(table: StandingsTable) -> dict[str, JsonValue]:
    pairs = table.pairs() if len(table.rows) <= _MOST_PAIRS else ()
    return {
        "relative_to": list(table.anchors) or "mean of the table",
        "rows": [_row_object(row) for row in table.rows],
        "pairs": [_pair_object(pair) for pair in pairs],
    }


def _row_object(row: Standing) -> dict[str, JsonValue]:
    record = row.record
    return {
        "rank": row.rank,
        "rank_interval": [row.best_rank, row.worst_rank],
        "entry": row.entry.id,
        "bot": row.entry.bot,
        "role": row.entry.role.value,
        "suspended": row.entry.suspended,
        "remote": row.entry.is_remote,
        "elo": {**_value(row.elo), "bound": row.bound.value},
        "points_per_play": _value(Value(row.points.value, row.points.error)),
        "points_rating": _value(row.points_rating),
        "running_elo": _number(row.running_elo),
        "imps": {
            "butler": _value(Value(row.imps.butler.value, row.imps.butler.error)),
            "cross": _value(Value(row.imps.cross.value, row.imps.cross.error)),
        },
        "declarer": _share(row.declarer),
        "defender": _share(row.defender),
        "seats": [_share(share) for share in row.seats],
        "boards": record.boards,
        "wins": record.wins,
        "draws": record.draws,
        "losses": record.losses,
        "score": record.score,
        "superiority_over_next": _number(row.superiority),
        "forfeited_boards": row.forfeits,
        "elo_without_forfeits": _number(row.elo_without_forfeits),
        "faults": {
            cause.name.lower(): count
            for cause, count in sorted(row.faults.items(), key=lambda each: each[0].value)
        },
        "style": row.has_style,
    }


def _pair_object(pair: PairStanding) -> dict[str, JsonValue]:
    return {
        "first": pair.first,
        "second": pair.second,
        "boards": pair.boards,
        "score": pair.score,
        "elo": _value(pair.elo),
        "superiority": _number(pair.superiority),
        "residual": _number(pair.residual),
        "signal": _number(pair.signal),
    }


def _value(value: Value) -> dict[str, JsonValue]:
    return {"value": _number(value.value), "error": _number(value.error)}


def _share(share: Share) -> dict[str, JsonValue]:
    return {"plays": share.plays, "points_per_play": _number(share.mean), "error": _number(share.error)}


def _number(value: float) -> float | None:
    return value if isfinite(value) else None


def to_text(standings: Standings, width: int = 80) -> RenderableType:
    """Give what `erqi standings` shows: a table per scale, then what the numbers mean.

    Below `WIDE` columns the roles and the interval of ranks are left out.
    """
    columns = _COLUMNS if width >= WIDE else tuple(each for each in _COLUMNS if not each.is_extra)
    parts: list[RenderableType] = [_rich_table(standings, table, columns) for table in standings.tables]
    return Group(*parts, *(Text(line) for line in notes(standings)))


def notes(standings: Standings) -> Iterator[str]:
    """Say what the numbers are relative to and what limits them, a line each."""
    if not standings.tables:
        yield "No rated board is finished yet."
        return
    yield from (_relative_to(table, len(standings.tables)) for table in standings.tables)
    yield "Points: net points per play ± one standard error over boards. W-D-L: boards against each entry."
    yield "LOS: likelihood that the bot is stronger than the one below."
    yield _variance_line(standings)
    if not standings.is_connected:
        yield "The tables share no scale: no chain of boards connects them; do not compare their numbers."
    if standings.is_separated:
        yield "> or < before an Elo: nobody scored on one side, the number is a bound."
    if any(row.record.boards < FEW_BOARDS for table in standings.tables for row in table.rows):
        yield f"Below {FEW_BOARDS} boards the errors themselves are rough."
    yield from (line for table in standings.tables for line in _misfits(table))
    if standings.forfeited_sets:
        yield f"{standings.forfeited_sets} of {standings.board_sets} board sets were spoiled by a forfeit."
        yield from (_forfeit_line(row) for table in standings.tables for row in table.rows if row.forfeits)
    if any(row.entry.is_remote for table in standings.tables for row in table.rows):
        yield "Remote bots play on their authors' machines: nobody sees what else runs there."
    if not standings.tournament.verifiable:
        yield "The deals are not verifiable: whoever made the tournament could know or choose them."


def _relative_to(table: StandingsTable, tables: int) -> str:
    what = f"the mean of {', '.join(table.anchors)}" if table.anchors else "the mean of this table"
    where = f" with {table.rows[0].entry.bot}" if tables > 1 and table.rows else ""
    return f"Elo{where}: relative to {what} = 1500, ± one standard error of that difference."


def _misfits(table: StandingsTable) -> Iterator[str]:
    """Name the pairs that the ratings explain badly, the worst ones first."""
    names, pairs = {row.entry.id: row.entry.bot for row in table.rows}, table.scale.pairs
    bots = table.scale.bots
    # A pair with one outcome only has a large z however well it fits: the model must find it unlikely, too.
    found = [
        (float(pairs.residual[k]), k)
        for k in range(len(pairs.low))
        if min(abs(pairs.residual[k]), _surprise(table.scale, k)) > _MISFIT
    ]
    for residual, k in sorted(found, key=lambda each: -abs(each[0]))[:_MOST_MISFITS]:
        first, second = (names[bots[int(side[k])]] for side in (pairs.low, pairs.high))
        verb = "wins more" if residual > 0 else "wins less"
        yield (
            f"{first} {verb} against {second} than the ratings say (z = {residual:+.1f}): "
            "their styles clash, or one helps the other."
        )


def _surprise(scale: Scale, pair: int) -> float:
    """Give how many errors of the model, √(p (1 - p) / n), the score of a pair lies from what is expected."""
    low, high = int(scale.pairs.low[pair]), int(scale.pairs.high[pair])
    p = expected_score(float(scale.elo.values[low] - scale.elo.values[high]))
    return abs(float(scale.pairs.score[pair]) - p) * sqrt(int(scale.pairs.count[pair]) / (p * (1 - p)))


def _forfeit_line(row: Standing) -> str:
    gain = row.elo_without_forfeits - row.elo.value
    weight = f"; without them its Elo would be {gain:+.0f}" if isfinite(gain) else ""
    return f"{row.entry.bot} spoiled {row.forfeits}{weight}."


def _variance_line(standings: Standings) -> str:
    variance = standings.variance
    if isnan(variance.ratio):
        return "Variance ratio of duplicate play: not known yet."
    interval = "" if isnan(variance.low) else f" (95 %: {variance.low:.2f} to {variance.high:.2f})"
    verdict = "" if variance.is_worthwhile else "; bots or game too noisy for duplicate play"
    return f"Variance ratio of duplicate play: {variance.ratio:.2f}{interval}{verdict}."


def _rich_table(standings: Standings, table: StandingsTable, columns: Sequence["_Column"]) -> Table:
    tournament = standings.tournament
    title = f"{tournament.id}: {tournament.profile}, {tournament.set_type}, {standings.board_sets} board sets"
    rich = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for column in columns:
        rich.add_column(column.title, justify="left" if column.title == "bot" else "right", no_wrap=True)
    for row in table.rows:
        rich.add_row(*(column.cell(row) for column in columns))
    return rich


@dataclass(frozen=True, slots=True)
class _Column:
    title: str
    cell: Callable[[Standing], str]
    is_extra: bool = False


def _elo(row: Standing) -> str:
    bound = "" if row.bound is Bound.NONE else row.bound.value
    return f"{bound}{_decimals(row.elo.value, 0)} ±{_decimals(row.elo.error, 0)}"


def _points(row: Standing) -> str:
    return f"{_decimals(row.points.value, 2, sign=True)} ±{_decimals(row.points.error, 2)}"


def _role(share: Share) -> str:
    return f"{_decimals(share.mean, 2, sign=True)} ±{_decimals(share.error, 2)}"


def _superiority(row: Standing) -> str:
    return "" if isnan(row.superiority) else f"{100 * row.superiority:.0f}%"


def _marks(row: Standing) -> str:
    # Of a remote bot its version says so.
    marks = [name for name, holds in (("style", row.has_style), ("suspended", row.entry.suspended)) if holds]
    return f" ({', '.join(marks)})" if marks else ""


def _decimals(value: float, places: int, *, sign: bool = False) -> str:
    if not isfinite(value):
        return "-"
    return f"{value:+.{places}f}" if sign else f"{value:.{places}f}"


WIDE: Final = 110
"""Columns of a terminal that the whole table wants."""

_COLUMNS: Final = (
    _Column("#", lambda row: str(row.rank)),
    _Column("bot", lambda row: row.entry.bot + _marks(row)),
    _Column("Elo", _elo),
    _Column("points", _points),
    _Column("declarer", lambda row: _role(row.declarer), is_extra=True),
    _Column("defender", lambda row: _role(row.defender), is_extra=True),
    _Column("boards", lambda row: str(row.record.boards)),
    _Column("W-D-L", lambda row: f"{row.record.wins}-{row.record.draws}-{row.record.losses}"),
    _Column("LOS", _superiority),
    _Column("ranks", lambda row: f"{row.best_rank}-{row.worst_rank}", is_extra=True),
    _Column("faults", lambda row: str(sum(row.faults.values()) or "")),
)
