"""The store in numbers, for the exporter."""

from enum import Enum
from typing import Final

from sqlalchemy import ColumnElement, Connection, FromClause, func, select

from erqiwang.rules import FaultCause
from erqiwang_runner.exporter import RatingFigure, StoreFigures
from erqiwang_runner.seating import get_set_type
from erqiwang_runner.store import schema
from erqiwang_runner.store.engine import Database
from erqiwang_runner.store.hidden import hidden_ids
from erqiwang_runner.store.ladder_figures import ladder_figures
from erqiwang_runner.store.operation_figures import operation_figures
from erqiwang_runner.store.states import AttemptOutcome, MatchState, SlotState, TournamentState

_RATED_TOURNAMENTS: Final = 8
"""Ratings are exported of the running tournaments and of the latest others, this many at least."""


class SqlFigures:
    """The figures of a database; every call sees one state of it."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def figures(self) -> StoreFigures:
        """Count everything."""
        tables, matches = schema.table_results, schema.matches
        with self._database.read() as connection:
            board_sets = _counts(connection, schema.slots, schema.slots.c.state, SlotState)
            stored, decisions = connection.execute(
                select(func.count(), func.coalesce(func.sum(tables.c.decisions), 0))
            ).one()
            by_state = _counts(connection, matches, matches.c.state, MatchState)
            return StoreFigures(
                tournaments=_counts(
                    connection, schema.tournaments, schema.tournaments.c.state, TournamentState
                ),
                matches=by_state,
                board_sets=board_sets,
                tables={"planned": _planned_tables(connection), "finished": int(stored)},
                attempts=_ended_attempts(connection),
                faults=_fault_counts(connection),
                matches_finished=by_state[MatchState.FINISHED.value],
                tables_finished=int(stored),
                decisions=int(decisions),
                workers=_workers(connection),
                ratings=_ratings(connection),
                leaderboard_times=_leaderboard_times(connection),
                ladders=ladder_figures(connection),
                operation=operation_figures(connection),
            )


def _counts(
    connection: Connection, table: FromClause, column: ColumnElement[str], words: type[Enum]
) -> dict[str, int]:
    """Count rows by a state column; every state of the closed set is there."""
    rows = connection.execute(select(column, func.count()).select_from(table).group_by(column))
    return dict.fromkeys((str(word.value) for word in words), 0) | {row[0]: int(row[1]) for row in rows}


def _ended_attempts(connection: Connection) -> dict[str, int]:
    """Count the attempts that have ended: only their number never falls."""
    counts = _counts(connection, schema.attempts, schema.attempts.c.outcome, AttemptOutcome)
    return {outcome: count for outcome, count in counts.items() if outcome != AttemptOutcome.RUNNING.value}


def _fault_counts(connection: Connection) -> dict[str, int]:
    table = schema.faults
    rows = connection.execute(
        select(table.c.cause, func.count()).where(table.c.counted).group_by(table.c.cause)
    )
    return {cause.name.lower(): 0 for cause in FaultCause} | {row[0]: int(row[1]) for row in rows}


def _planned_tables(connection: Connection) -> int:
    slots, tournaments = schema.slots, schema.tournaments
    rows = connection.execute(
        select(tournaments.c.set_type, func.count())
        .join(slots, slots.c.tournament_id == tournaments.c.id)
        .where(slots.c.state == SlotState.PLANNED.value)
        .group_by(tournaments.c.set_type)
    )
    return sum(get_set_type(set_type).tables * count for set_type, count in rows)


def _workers(connection: Connection) -> int:
    matches = schema.matches
    leased = matches.c.state == MatchState.LEASED.value
    return connection.scalar(select(func.count(matches.c.lease_owner.distinct())).where(leased)) or 0


def _ratings(connection: Connection) -> tuple[RatingFigure, ...]:
    ratings, entries = schema.ratings, schema.entries
    contestants, tournaments = schema.contestants, schema.tournaments
    latest = select(tournaments.c.id).order_by(tournaments.c.id.desc()).limit(_RATED_TOURNAMENTS)
    running = tournaments.c.state == TournamentState.RUNNING.value
    rows = connection.execute(
        select(ratings, tournaments.c.name.label("tournament"), contestants.c.name, contestants.c.version)
        .join(tournaments, tournaments.c.id == ratings.c.tournament_id)
        .join(
            entries,
            (entries.c.tournament_id == ratings.c.tournament_id) & (entries.c.number == ratings.c.entry),
        )
        .join(contestants)
        .where(
            ratings.c.rating.is_not(None),
            running | tournaments.c.id.in_(latest.scalar_subquery()),
            tournaments.c.id.not_in(hidden_ids()),
        )
        .order_by(ratings.c.tournament_id, ratings.c.entry)
    )
    return tuple(
        RatingFigure(
            tournament=row.tournament,
            pool=row.pool,
            entry=row.entry,
            bot=f"{row.name}@{row.version}",
            elo=row.rating,
            error=row.standard_error,
            boards=row.boards,
        )
        for row in rows
    )


def _leaderboard_times(connection: Connection) -> dict[str, float]:
    tournaments, ratings = schema.tournaments, schema.ratings
    rows = connection.execute(
        select(tournaments.c.name, func.coalesce(func.min(ratings.c.computed_at), tournaments.c.started_at))
        .outerjoin(ratings, ratings.c.tournament_id == tournaments.c.id)
        .where(tournaments.c.state == TournamentState.RUNNING.value, tournaments.c.started_at.is_not(None))
        .group_by(tournaments.c.id, tournaments.c.name, tournaments.c.started_at)
    )
    return {name: float(since) for name, since in rows}
