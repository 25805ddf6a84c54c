"""The validation of newcomers: begun, judged and, where nobody could play, begun again."""

from typing import Final

from sqlalchemy import Connection, select

from erqiwang_runner.ladders.epoch import validation_spec
from erqiwang_runner.ladders.membership import (
    Judgement,
    Member,
    MemberState,
    Validation,
    judge,
    superseded,
)
from erqiwang_runner.store import ladders, life_cycle, schema, tournaments
from erqiwang_runner.store.engine import Database
from erqiwang_runner.store.ladders import LadderRow
from erqiwang_runner.store.reader import SqlResults
from erqiwang_runner.store.states import TournamentState

VALIDATION_PRIORITY: Final = 10
"""Newcomers wait for nobody."""

_NEWCOMER: Final = 0
_OVER: Final = (TournamentState.FINISHED, TournamentState.CANCELLED)


def admit(database: Database, ladder: LadderRow, now: float) -> list[str]:
    """Begin and judge what there is; gives what happened, in words."""
    with database.read() as connection:
        members = ladders.members(connection, ladder)
    open_ = [each for each in members if each.state in (MemberState.WAITING, MemberState.VALIDATING)]
    if not open_:
        return []
    judgements = {
        each.id: judge(_look(database, each.validation), each.deadline, now)
        for each in open_
        if each.validation is not None and each.state is MemberState.VALIDATING
    }
    news: list[str] = []
    with database.write() as connection:
        ladders.locked(connection, ladder.id)
        for each in ladders.members(connection, ladder):
            if each.state is MemberState.WAITING:
                _begin(connection, ladder, each)
            elif each.state is MemberState.VALIDATING and (judgement := judgements.get(each.id)):
                news += _apply(connection, ladder, each, judgement)
    return news


def welcome(connection: Connection, ladder: LadderRow, member: Member, reason: str) -> None:
    """Admit a bot; the other versions of it leave."""
    for each in superseded(member, ladders.members(connection, ladder)):
        ladders.move(connection, each, MemberState.LEFT, f"{member.contestant} takes its place")
    ladders.move(connection, member, MemberState.ADMITTED, reason)


def stop(connection: Connection, member: Member) -> None:
    """End a validation that decides nothing any more."""
    if member.validation is not None:
        row = tournaments.get(connection, member.validation)
        if row.state not in _OVER:
            life_cycle.cancel(connection, row.name)


def _begin(connection: Connection, ladder: LadderRow, member: Member) -> None:
    spec = validation_spec(ladder.settings, member)
    key = tournaments.create(connection, spec)
    tournaments.set_priority(connection, key, VALIDATION_PRIORITY)
    tournaments.start(connection, key)
    more = {"validation_id": key, "tries": member.tries + 1}
    ladders.move(connection, member, MemberState.VALIDATING, f"it plays {spec.name}", **more)


def _apply(connection: Connection, ladder: LadderRow, member: Member, judgement: Judgement) -> list[str]:
    if judgement.state is MemberState.VALIDATING:
        ladders.move(connection, member, MemberState.WAITING, judgement.reason)
        return [f"{member.contestant}: validated again: {judgement.reason}"]
    stop(connection, member)
    if judgement.state is MemberState.ADMITTED:
        welcome(connection, ladder, member, judgement.reason)
    else:
        ladders.move(connection, member, judgement.state, judgement.reason)
    return [f"{member.contestant} is {judgement.state.value}: {judgement.reason}"]


def _look(database: Database, tournament_id: int) -> Validation:
    with database.read() as connection:
        row = tournaments.get(connection, tournament_id)
        progress = tournaments.progress(connection, row)
        fault = _fault(connection, tournament_id)
    # Replacement boards are played without it.
    board_sets = [each for each in SqlResults(database).board_sets(row.name) if _NEWCOMER in each.entries]
    return Validation(
        is_finished=row.state in _OVER,
        played=len(board_sets),
        explained=progress.planned - progress.played if row.state in _OVER else progress.explained,
        lost=sum(_NEWCOMER in each.offenders for each in board_sets),
        fault=fault,
    )


def _fault(connection: Connection, tournament_id: int) -> str:
    """Give the first fault of the newcomer that counts, in words."""
    table = schema.faults
    row = connection.execute(
        select(table.c.cause, table.c.detail)
        .where(table.c.tournament_id == tournament_id, table.c.entry == _NEWCOMER, table.c.counted)
        .order_by(table.c.id)
        .limit(1)
    ).one_or_none()
    return "" if row is None else f"{row.cause}: {row.detail}"
