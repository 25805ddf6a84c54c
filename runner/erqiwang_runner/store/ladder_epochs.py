"""Epochs of a ladder: opened with everybody who is admitted, closed with new ratings."""

from math import isfinite
from typing import Final

from sqlalchemy import Connection, func, select

from erqiwang_runner.errors import UnavailableError
from erqiwang_runner.ladder_standing import Earlier
from erqiwang_runner.ladders.epoch import epoch_spec
from erqiwang_runner.ladders.epoch_of import EpochOf
from erqiwang_runner.ladders.membership import Member, MemberState, field_of_epoch, missing
from erqiwang_runner.seating import get_set_type
from erqiwang_runner.secret_file import SecretFile
from erqiwang_runner.standings import read_standings
from erqiwang_runner.store import commitments, ladder_chain, ladders, life_cycle, schema, tournaments
from erqiwang_runner.store.engine import Database
from erqiwang_runner.store.ladder_results import LadderResults
from erqiwang_runner.store.ladders import EpochRow, LadderRow, LadderState, Rated
from erqiwang_runner.store.states import MatchState, TournamentState
from erqiwang_runner.store.tournaments import TournamentRow
from erqiwang_runner.tournament_spec import DealsMode

DRAIN_S: Final = 600.0
"""What is under way when the time of an epoch is up may last so long."""

ENDED: Final = "the epoch ended before it was played"

_OVER: Final = (TournamentState.FINISHED, TournamentState.CANCELLED)
_SMALLEST_ERROR: Final = 0.1


def tend(database: Database, ladder: LadderRow, now: float, file: SecretFile | None) -> list[str]:
    """Do what is due with the epochs of a ladder; gives what happened, in words."""
    with database.read() as connection:
        epoch = ladders.latest_epoch(connection, ladder)
        row = None if epoch is None else tournaments.get(connection, epoch.tournament_id)
    if epoch is None or row is None or epoch.closed_at is not None:
        return _begin_next(database, ladder, now, file)
    news = _suspend(database, ladder, epoch)
    if row.state in _OVER:
        return [*news, *_close(database, ladder, epoch, now)]
    with database.write() as connection:
        ladders.locked(connection, ladder.id)
        row = tournaments.get(connection, epoch.tournament_id)
        if row.state is TournamentState.CREATED:
            _start_if_dealt(connection, row)
        elif epoch.ends_at is not None and now >= epoch.ends_at:
            news += _end(connection, ladder, epoch, row, now, file)
    return news


def gathered(connection: Connection, ladder: LadderRow) -> tuple[list[Member], int]:
    """Give who would play the next epoch, and how many bots it lacks."""
    field = field_of_epoch(ladders.members(connection, ladder))
    return field, missing(field, get_set_type(ladder.settings.set_type).entries)


def _begin_next(database: Database, ladder: LadderRow, now: float, file: SecretFile | None) -> list[str]:
    with database.read() as connection:
        if ladder.state is LadderState.RUNNING and gathered(connection, ladder)[1]:
            return []
    with database.write() as connection:
        ladder = ladders.locked(connection, ladder.id)
        latest = ladders.latest_epoch(connection, ladder)
        if latest is not None and latest.closed_at is None:
            return []
        if ladder.state is LadderState.CLOSING:
            ladders.set_state(connection, ladder, LadderState.CLOSED)
            return ["closed"]
        if ladder.state is not LadderState.RUNNING:
            return []
        _take_out_retired(connection, ladder)
        field, lacking = gathered(connection, ladder)
        if lacking:
            return []
        number = 0 if latest is None else latest.number + 1
        _open(connection, ladder, field, number, now, file)
        return [f"epoch {number} is open: {len(field)} bots"]


def _open(
    connection: Connection,
    ladder: LadderRow,
    field: list[Member],
    number: int,
    now: float,
    file: SecretFile | None,
) -> None:
    epoch, secret = EpochOf(ladder.name, number), None
    if ladder.settings.mode is DealsMode.COMMITTED:
        if file is None:
            raise UnavailableError(f"the secrets of {ladder.name} are not at hand: its deals cannot be made")
        epoch, secret = ladder_chain.take(connection, ladder, number, file)
    spec = epoch_spec(ladder.settings, field, _earlier(connection, ladder), epoch)
    key = tournaments.create(connection, spec)
    if secret is not None and file is not None:
        commitments.commit(connection, key, spec, file, secret)
    ladders.add_epoch(connection, ladder, number, key, now)
    _start_if_dealt(connection, tournaments.get(connection, key))


def _start_if_dealt(connection: Connection, row: TournamentRow) -> None:
    """Let an epoch run unless it waits for its public entropy."""
    found = commitments.find(connection, row.id)
    if found is None or found.entropy is not None:
        tournaments.start(connection, row.id)


def _earlier(connection: Connection, ladder: LadderRow) -> dict[int, Earlier]:
    return {
        member: Earlier(round(each.rating, 1), max(round(each.error, 1), _SMALLEST_ERROR), each.boards)
        for member, each in ladders.latest_ratings(connection, ladder).items()
        if each.error is not None
    }


def _take_out_retired(connection: Connection, ladder: LadderRow) -> None:
    for each in ladders.members(connection, ladder):
        if each.retired and not each.state.is_over:
            ladders.move(connection, each, MemberState.LEFT, "it was retired")


def _suspend(database: Database, ladder: LadderRow, epoch: EpochRow) -> list[str]:
    """Take out for good who is suspended in this epoch."""
    with database.read() as connection:
        out = _suspended(connection, ladder, epoch)
    if not out:
        return []
    with database.write() as connection:
        ladders.locked(connection, ladder.id)
        out = _suspended(connection, ladder, epoch)
        for each in out:
            ladders.move(
                connection,
                each,
                MemberState.SUSPENDED,
                f"its own faults in epoch {epoch.number}; see its log",
            )
    return [f"{each.contestant} is suspended for its faults" for each in out]


def _suspended(connection: Connection, ladder: LadderRow, epoch: EpochRow) -> list[Member]:
    entered = tournaments.entries(connection, epoch.tournament_id)
    names = {str(each.contestant) for each in entered if each.suspended}
    if not names:
        return []
    return [
        each
        for each in ladders.members(connection, ladder)
        if str(each.contestant) in names and each.state is MemberState.ADMITTED
    ]


def _end(
    connection: Connection,
    ladder: LadderRow,
    epoch: EpochRow,
    row: TournamentRow,
    now: float,
    file: SecretFile | None,
) -> list[str]:
    """End an epoch whose time is up: nothing new begins, what is under way ends, the rest is explained."""
    if epoch.drains_until is None:
        if row.state is TournamentState.RUNNING:
            life_cycle.pause(connection, row.name)
        ladders.mark_epoch(connection, ladder, epoch.number, drains_until=now + DRAIN_S)
        return [f"the time of epoch {epoch.number} is up"]
    if _under_way(connection, row.id) and now < epoch.drains_until:
        return []
    life_cycle.cancel(connection, row.name, file, reason=ENDED)
    return []


def _under_way(connection: Connection, tournament_id: int) -> int:
    table = schema.matches
    leased = select(func.count()).where(
        table.c.tournament_id == tournament_id, table.c.state == MatchState.LEASED.value
    )
    return connection.scalar(leased) or 0


def _close(database: Database, ladder: LadderRow, epoch: EpochRow, now: float) -> list[str]:
    rated = _rated(database, ladder, epoch.number)
    with database.write() as connection:
        ladders.locked(connection, ladder.id)
        latest = ladders.latest_epoch(connection, ladder)
        if latest is None or latest.number != epoch.number or latest.closed_at is not None:
            return []
        ladders.add_ratings(connection, ladder, rated)
        ladders.mark_epoch(connection, ladder, epoch.number, closed_at=now)
    return [f"epoch {epoch.number} is closed"]


def _rated(database: Database, ladder: LadderRow, epoch: int) -> list[Rated]:
    """Rate everybody by all epochs so far, by Elo: points depend on the opponents that a ladder chose."""
    found = read_standings(LadderResults(database), ladder.name)
    rows = [row for table in found.tables for row in table.rows]
    rows.sort(key=lambda row: (-row.elo.value, row.entry.id))
    return [
        Rated(
            epoch,
            row.entry.id,
            place,
            row.elo.value,
            row.elo.error if isfinite(row.elo.error) else None,
            row.record.boards,
            row.points_rating.value,
        )
        for place, row in enumerate(rows, 1)
    ]
