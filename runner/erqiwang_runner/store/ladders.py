"""Rows of ladders: who is in them, their epochs, and the ratings after each."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

from sqlalchemy import Connection, Row, Select, func, insert, select, update

from erqiwang_runner.contestants import Contestant
from erqiwang_runner.errors import UsageError
from erqiwang_runner.ladders.membership import IS_OVER, Member, MemberState
from erqiwang_runner.ladders.settings import LadderSettings
from erqiwang_runner.results import EntryRole
from erqiwang_runner.store import contestants, notices, schema
from erqiwang_runner.store.engine import one_at_a_time

_HOUR_S: Final = 3600.0


class LadderState(Enum):
    """Whether a ladder goes on."""

    RUNNING = "running"
    PAUSED = "paused"
    """Nothing begins until it is resumed."""
    CLOSING = "closing"
    """The present epoch is the last one."""
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class LadderRow:
    """A ladder as stored; `challenges` counts those that were asked for."""

    id: int
    state: LadderState
    settings: LadderSettings
    challenges: int

    @property
    def name(self) -> str:
        """Its name."""
        return self.settings.name


@dataclass(frozen=True, slots=True)
class EpochRow:
    """An epoch: a tournament.

    Nothing of it begins after `ends_at`; what is under way then has until `drains_until`. Times are seconds
    since 1970, None where it is not so far or there is no limit.
    """

    number: int
    tournament_id: int
    opened_at: float
    ends_at: float | None
    drains_until: float | None
    closed_at: float | None


@dataclass(frozen=True, slots=True)
class Rated:
    """A bot after an epoch: its place, rating, the error of it (None: unknown), boards, points per play."""

    epoch: int
    member_id: int
    place: int
    rating: float
    error: float | None
    boards: int
    points: float


def create(connection: Connection, settings: LadderSettings, anchors: Sequence[Contestant]) -> int:
    """Write a new ladder with its anchors, which play from the start; raises UsageError."""
    one_at_a_time(connection, schema.contestants)
    if connection.scalar(select(schema.ladders.c.id).filter_by(name=settings.name)) is not None:
        raise UsageError(f"there is a ladder {settings.name!r} already")
    now = time.time()
    key = connection.execute(
        insert(schema.ladders).values(
            name=settings.name,
            state=LadderState.RUNNING.value,
            settings=settings.to_object(),
            challenges=0,
            created_at=now,
        )
    ).inserted_primary_key
    assert key is not None
    for anchor in anchors:
        number = contestants.find_or_add(connection, anchor)
        connection.execute(
            insert(schema.ladder_members).values(
                **_newcomer(int(key[0]), number, now, now),
                role=EntryRole.ANCHOR.value,
                state=MemberState.ADMITTED.value,
            )
        )
    return int(key[0])


def find(connection: Connection, name: str | None) -> LadderRow:
    """Look a ladder up by its name, or take the latest for None; raises UsageError."""
    query = select(schema.ladders)
    if name is not None:
        query = query.where(schema.ladders.c.name == name)
    row = connection.execute(query.order_by(schema.ladders.c.id.desc()).limit(1)).one_or_none()
    if row is None:
        raise UsageError("there is no ladder yet" if name is None else f"there is no ladder {name!r}")
    return _ladder(row)


def locked(connection: Connection, ladder_id: int) -> LadderRow:
    """Read a ladder and keep others from changing it until this transaction ends."""
    query = select(schema.ladders).where(schema.ladders.c.id == ladder_id).with_for_update()
    return _ladder(connection.execute(query).one())


def every(connection: Connection) -> list[LadderRow]:
    """List the ladders, the oldest first."""
    return [_ladder(row) for row in connection.execute(select(schema.ladders).order_by(schema.ladders.c.id))]


def set_state(connection: Connection, ladder: LadderRow, state: LadderState) -> None:
    """Change the state of a ladder."""
    values: dict[str, object] = {"state": state.value}
    if state is LadderState.CLOSED:
        values["closed_at"] = time.time()
    connection.execute(update(schema.ladders).where(schema.ladders.c.id == ladder.id).values(values))


def next_challenge(connection: Connection, ladder: LadderRow) -> int:
    """Count a challenge; gives its number, from 0."""
    table = schema.ladders
    changed = update(table).where(table.c.id == ladder.id).values(challenges=table.c.challenges + 1)
    connection.execute(changed)
    return int(connection.execute(select(table.c.challenges).where(table.c.id == ladder.id)).scalar_one()) - 1


def join(connection: Connection, ladder: LadderRow, contestant: Contestant, now: float) -> Member:
    """Let a bot wait for its validation; raises UsageError if it cannot.

    A bot that left, or that was only late, may come again; one that was refused for a forfeit or suspended
    needs a new version.
    """
    if ladder.state in (LadderState.CLOSING, LadderState.CLOSED):
        raise UsageError(f"the ladder {ladder.name} is {ladder.state.value}: nobody joins it any more")
    deadline = now + ladder.settings.validation_hours * _HOUR_S
    known = member(connection, ladder, contestant)
    if known is None:
        number = contestants.find_or_add(connection, contestant)
        connection.execute(
            insert(schema.ladder_members).values(
                **_newcomer(ladder.id, number, now, deadline),
                role=EntryRole.CONTESTANT.value,
                state=MemberState.WAITING.value,
            )
        )
    elif known.state is MemberState.LEFT or (known.state, known.reason) == (MemberState.REFUSED, IS_OVER):
        move(connection, known, MemberState.WAITING, "it came again", deadline=deadline)
    elif known.state.is_over:
        raise UsageError(
            f"{contestant} is {known.state.value} in {ladder.name} ({known.reason}): a mended bot is a new "
            "version; the operator may overrule it: erqi ladder admit"
        )
    found = member(connection, ladder, contestant)
    assert found is not None
    return found


def put_off(connection: Connection, ladder: LadderRow, now: float) -> None:
    """Give everybody whose validation is open the whole time for it again: the ladder rested meanwhile."""
    table = schema.ladder_members
    open_ = (MemberState.WAITING.value, MemberState.VALIDATING.value)
    connection.execute(
        update(table)
        .where(table.c.ladder_id == ladder.id, table.c.state.in_(open_))
        .values(deadline=now + ladder.settings.validation_hours * _HOUR_S)
    )


def move(connection: Connection, which: Member, state: MemberState, reason: str, **more: object) -> None:
    """Change where a bot stands and, where that is news to its author, tell them."""
    table = schema.ladder_members
    connection.execute(
        update(table).where(table.c.id == which.id).values(state=state.value, reason=reason, **more)
    )
    if state is not which.state and (state.is_over or state is MemberState.ADMITTED):
        row = connection.execute(
            select(table.c.contestant_id, schema.ladders.c.name)
            .join(schema.ladders)
            .where(table.c.id == which.id)
        ).one()
        notices.add(connection, row.contestant_id, f"ladder {row.name}: {state.value}: {reason}")


def member(connection: Connection, ladder: LadderRow, contestant: Contestant) -> Member | None:
    """Look a bot of a ladder up; None if it never joined."""
    bots = schema.contestants
    query = _members(ladder).where(bots.c.name == contestant.name, bots.c.version == contestant.version)
    row = connection.execute(query).one_or_none()
    return None if row is None else _member(row)


def members(connection: Connection, ladder: LadderRow) -> list[Member]:
    """List everybody who ever joined, in that order."""
    return [_member(row) for row in connection.execute(_members(ladder))]


def epochs(connection: Connection, ladder: LadderRow) -> list[EpochRow]:
    """List the epochs, the oldest first."""
    table = schema.ladder_epochs
    rows = connection.execute(select(table).filter_by(ladder_id=ladder.id).order_by(table.c.number))
    return [_epoch(row) for row in rows]


def latest_epoch(connection: Connection, ladder: LadderRow) -> EpochRow | None:
    """Give the latest epoch; None before the first."""
    table = schema.ladder_epochs
    query = select(table).filter_by(ladder_id=ladder.id).order_by(table.c.number.desc()).limit(1)
    row = connection.execute(query).one_or_none()
    return None if row is None else _epoch(row)


def add_epoch(connection: Connection, ladder: LadderRow, number: int, tournament_id: int, now: float) -> None:
    """Write that an epoch is open."""
    hours = ladder.settings.epoch_hours
    connection.execute(
        insert(schema.ladder_epochs).values(
            ladder_id=ladder.id,
            number=number,
            tournament_id=tournament_id,
            opened_at=now,
            ends_at=None if hours is None else now + hours * _HOUR_S,
        )
    )


def mark_epoch(connection: Connection, ladder: LadderRow, number: int, **values: float) -> None:
    """Write when an epoch drains or was closed."""
    table = schema.ladder_epochs
    connection.execute(update(table).filter_by(ladder_id=ladder.id, number=number).values(**values))


def add_ratings(connection: Connection, ladder: LadderRow, rated: Sequence[Rated]) -> None:
    """Write the ratings after an epoch."""
    names = ("epoch", "member_id", "place", "rating", "error", "boards", "points")
    rows = [{"ladder_id": ladder.id, **{name: getattr(each, name) for name in names}} for each in rated]
    if rows:
        connection.execute(insert(schema.ladder_ratings), rows)


def ratings(connection: Connection, ladder: LadderRow) -> list[Rated]:
    """Read the ratings after every epoch, by epoch and place."""
    table = schema.ladder_ratings
    query = select(table).filter_by(ladder_id=ladder.id).order_by(table.c.epoch, table.c.place)
    return [_rated(row) for row in connection.execute(query)]


def latest_ratings(connection: Connection, ladder: LadderRow) -> Mapping[int, Rated]:
    """Give the last rating of every member that has one."""
    table = schema.ladder_ratings
    last = (
        select(table.c.member_id, func.max(table.c.epoch).label("epoch"))
        .filter_by(ladder_id=ladder.id)
        .group_by(table.c.member_id)
        .subquery()
    )
    is_last = (table.c.member_id == last.c.member_id) & (table.c.epoch == last.c.epoch)
    rows = connection.execute(select(table).join(last, is_last).where(table.c.ladder_id == ladder.id))
    return {row.member_id: _rated(row) for row in rows}


def _newcomer(ladder_id: int, contestant_id: int, now: float, deadline: float) -> dict[str, Any]:
    return {
        "ladder_id": ladder_id,
        "contestant_id": contestant_id,
        "reason": "",
        "joined_at": now,
        "deadline": deadline,
        "tries": 0,
    }


def _members(ladder: LadderRow) -> Select[Any]:
    table, bots = schema.ladder_members, schema.contestants
    columns = [bots.c[name] for name in ("name", "version", "command", "artefact_hash", "bundled")]
    return (
        select(table, *columns, bots.c.retired_at)
        .join(bots)
        .where(table.c.ladder_id == ladder.id)
        .order_by(table.c.id)
    )


def _ladder(row: Row[Any]) -> LadderRow:
    settings = LadderSettings.from_object(row.settings)
    return LadderRow(row.id, LadderState(row.state), settings, row.challenges)


def _member(row: Row[Any]) -> Member:
    return Member(
        id=row.id,
        contestant=Contestant(row.name, row.version, tuple(row.command), row.artefact_hash, row.bundled),
        role=EntryRole(row.role),
        state=MemberState(row.state),
        joined_at=row.joined_at,
        deadline=row.deadline,
        tries=row.tries,
        validation=row.validation_id,
        reason=row.reason,
        retired=row.retired_at is not None,
    )


def _rated(row: Row[Any]) -> Rated:
    return Rated(row.epoch, row.member_id, row.place, row.rating, row.error, row.boards, row.points)


def _epoch(row: Row[Any]) -> EpochRow:
    return EpochRow(
        row.number, row.tournament_id, row.opened_at, row.ends_at, row.drains_until, row.closed_at
    )
