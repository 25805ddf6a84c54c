"""How many boards a worker takes at once: measured from what was played, of no consequence for results."""

from typing import Final

from sqlalchemy import Connection, func, select

from erqiwang_runner.store import schema
from erqiwang_runner.store.states import AttemptOutcome, MatchState
from erqiwang_runner.store.tournaments import TournamentRow
from erqiwang_runner.tournament_spec import AUTOMATIC

WORK_S: Final = 3.0
"""Work that a claim should be: long against the start of its players, short against a lost worker."""

_ATTEMPTS: Final = 32
"""Latest attempts that are measured."""

_FIRST: Final = 6
"""Boards of a claim before anything is measured."""


def claim_size(connection: Connection, tournament: TournamentRow) -> int:
    """Give how many boards the next claims should hold, from 1 to the lap of the plan.

    All workers together should not hold more than half of what may be decided ahead.
    """
    if tournament.boards_per_match != AUTOMATIC:
        return tournament.boards_per_match
    boards_per_s = measured_speed(connection, tournament.id)
    wanted = _FIRST if boards_per_s is None else round(WORK_S * boards_per_s)
    fair = tournament.look_back // (2 * max(1, _workers(connection, tournament.id)))
    return max(1, min(wanted, fair or 1, tournament.plan.lap))


def measured_speed(connection: Connection, tournament_id: int) -> float | None:
    """Give the boards that one worker plays in a second, from the latest attempts; None without any."""
    attempts, matches = schema.attempts, schema.matches
    latest = (
        select(attempts.c.sets_stored, (attempts.c.ended_at - attempts.c.started_at).label("took"))
        .join(matches, matches.c.id == attempts.c.match_id)
        .where(
            matches.c.tournament_id == tournament_id,
            attempts.c.outcome == AttemptOutcome.COMPLETED.value,
        )
        .order_by(attempts.c.id.desc())
        .limit(_ATTEMPTS)
        .subquery()
    )
    boards, took = connection.execute(select(func.sum(latest.c.sets_stored), func.sum(latest.c.took))).one()
    return None if not boards or not took or took <= 0 else boards / took


def _workers(connection: Connection, tournament_id: int) -> int:
    matches = schema.matches
    return (
        connection.scalar(
            select(func.count(matches.c.lease_owner.distinct())).where(
                matches.c.tournament_id == tournament_id, matches.c.state == MatchState.LEASED.value
            )
        )
        or 0
    )
