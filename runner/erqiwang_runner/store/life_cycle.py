"""Pausing and cancelling a tournament; `tournaments.start` begins and resumes it."""

import time
from typing import Final

from sqlalchemy import Connection, delete, select, update

from erqiwang_runner.errors import UsageError
from erqiwang_runner.secret_file import SecretFile
from erqiwang_runner.store import commitments, schema, tournaments
from erqiwang_runner.store.events import EventKind, emit
from erqiwang_runner.store.states import AttemptOutcome, MatchState, SlotState, TournamentState
from erqiwang_runner.store.tournaments import TournamentRow

CANCELLED: Final = "the tournament was cancelled"


def pause(connection: Connection, name: str) -> None:
    """Begin nothing new; harmless if it is paused. Raises UsageError if it does not run."""
    tournament = _locked(connection, name)
    if tournament.state not in (TournamentState.RUNNING, TournamentState.PAUSED):
        raise UsageError(f"{tournament.name} is {tournament.state.value}: only what runs can be paused")
    if tournament.state is TournamentState.PAUSED:
        return
    table = schema.tournaments
    connection.execute(
        update(table).where(table.c.id == tournament.id).values(state=TournamentState.PAUSED.value)
    )
    emit(connection, EventKind.TOURNAMENT_PAUSED, tournament=tournament.name)


def cancel(
    connection: Connection, name: str, secrets: SecretFile | None = None, reason: str = CANCELLED
) -> None:
    """End it for good: what is stored stays, what is planned is explained, its secret is revealed.

    A match that is being played can store nothing more. Raises UsageError if it is finished; harmless if it
    is cancelled already.
    """
    tournament = _locked(connection, name)
    if tournament.state is TournamentState.FINISHED:
        raise UsageError(f"{tournament.name} is finished: there is nothing to cancel")
    if tournament.state is TournamentState.CANCELLED:
        return
    end_play(connection, tournament.id, reason)
    if tournament.state is not TournamentState.CREATED:
        # Before the first deal there is nothing that the secret could prove.
        commitments.reveal(connection, tournament, secrets)
    connection.execute(
        update(schema.tournaments)
        .where(schema.tournaments.c.id == tournament.id)
        .values(state=TournamentState.CANCELLED.value, finished_at=time.time())
    )
    emit(connection, EventKind.TOURNAMENT_CANCELLED, tournament=tournament.name)


def end_play(connection: Connection, tournament_id: int, reason: str) -> None:
    """Explain every slot that is planned and not played; a match that is being played can store no more."""
    now = time.time()
    matches, attempts, slots = schema.matches, schema.attempts, schema.slots
    of_it = select(matches.c.id).where(matches.c.tournament_id == tournament_id)
    connection.execute(
        update(attempts)
        .where(attempts.c.match_id.in_(of_it), attempts.c.outcome == AttemptOutcome.RUNNING.value)
        .values(outcome=AttemptOutcome.INTERRUPTED.value, reason=reason, ended_at=now)
    )
    connection.execute(
        update(matches)
        .where(matches.c.tournament_id == tournament_id, matches.c.state != MatchState.FINISHED.value)
        .values(state=MatchState.FINISHED.value, lease_owner=None, lease_expires_at=None, finished_at=now)
    )
    connection.execute(delete(schema.slot_seeds).filter_by(tournament_id=tournament_id))
    connection.execute(
        update(slots)
        .filter_by(tournament_id=tournament_id, state=SlotState.DISTURBED.value)
        .values(state=SlotState.FINISHED.value)
    )
    connection.execute(
        update(slots)
        .filter_by(tournament_id=tournament_id, state=SlotState.PLANNED.value)
        .values(state=SlotState.VOID.value, reason=reason, finished_at=now)
    )


def _locked(connection: Connection, name: str) -> TournamentRow:
    """Look a tournament up and keep coordinators from planning it meanwhile."""
    found = tournaments.find(connection, name)
    connection.execute(
        select(schema.tournaments.c.id).where(schema.tournaments.c.id == found.id).with_for_update()
    ).one()
    return tournaments.get(connection, found.id)
