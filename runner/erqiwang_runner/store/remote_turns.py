"""Bots that stay on their authors' machines play one match at a time, and wait for their public referee.

Whoever sits in another match cannot join a second one; two matches that each hold some of its processes would
wait for each other until both blame it. So a match is given out only when none of its remote bots plays.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from sqlalchemy import Connection, Row, select, update

from erqiwang_runner.contestants import Contestant
from erqiwang_runner.store import schema
from erqiwang_runner.store.engine import Database
from erqiwang_runner.store.states import MatchState


def turns(connection: Connection, tournament_id: int, matches: Iterable[Sequence[int]]) -> Iterator[bool]:
    """Tell of each match, in their order and by its entries, whether its remote bots are free for it.

    While the referee gives trouble one match asks for all: others have use for the workers.
    """
    remote = _remote_entries(connection, tournament_id)
    busy = _playing(connection) if remote else set[int]()
    table = schema.tournaments
    is_down = connection.scalar(select(table.c.trouble).filter_by(id=tournament_id)) is not None
    asked = False
    for entries in matches:
        wanted = {remote[entry] for entry in entries if entry in remote}
        is_turn = busy.isdisjoint(wanted) and not (is_down and asked)
        busy |= wanted if is_turn else set()
        asked |= is_turn
        yield is_turn


def must_wait(connection: Connection, tournament_id: int, entries: Sequence[int]) -> bool:
    """Tell whether a remote bot plays another match; nobody else is told until this transaction ends."""
    remote = _remote_entries(connection, tournament_id)
    wanted = sorted({remote[entry] for entry in entries if entry in remote})
    if not wanted:
        return False
    table = schema.contestants
    connection.execute(
        select(table.c.id).where(table.c.id.in_(wanted)).order_by(table.c.id).with_for_update()
    )
    return not _playing(connection).isdisjoint(wanted)


def referee_of(database: Database, match_id: int) -> str:
    """Give the public referee of a match, "" if it has none."""
    with database.read() as connection:
        found = connection.scalar(
            select(schema.tournaments.c.referee)
            .join(schema.matches, schema.matches.c.tournament_id == schema.tournaments.c.id)
            .where(schema.matches.c.id == match_id)
        )
    return found or ""


def note_trouble(database: Database, match_id: int, trouble: str | None) -> None:
    """Remember why the matches of a tournament wait for its referee; None if they need not."""
    table = schema.tournaments
    owner = select(schema.matches.c.tournament_id).where(schema.matches.c.id == match_id)
    with database.read() as connection:
        row = connection.execute(
            select(table.c.id, table.c.trouble).where(table.c.id.in_(owner))
        ).one_or_none()
    if row is not None and row.trouble != trouble:
        with database.write() as connection:
            connection.execute(update(table).where(table.c.id == row.id).values(trouble=trouble))


def _remote_entries(connection: Connection, tournament_id: int) -> dict[int, int]:
    """Give the contestants of the remote entries of a tournament, by the number of the entry."""
    if not connection.scalar(select(schema.tournaments.c.referee).filter_by(id=tournament_id)):
        return {}
    rows = connection.execute(
        select(schema.entries.c.number, schema.contestants)
        .join(schema.contestants)
        .where(schema.entries.c.tournament_id == tournament_id)
    )
    return {row.number: row.id for row in rows if _is_remote(row)}


def _playing(connection: Connection) -> set[int]:
    """Give the contestants of all matches at public referees that are being played."""
    matches, tournaments = schema.matches, schema.tournaments
    rows = connection.execute(
        select(matches.c.tournament_id, matches.c.entries)
        .join(tournaments, tournaments.c.id == matches.c.tournament_id)
        .where(matches.c.state == MatchState.LEASED.value, tournaments.c.referee != "")
    ).all()
    remote = {number: _remote_entries(connection, number) for number in {row.tournament_id for row in rows}}
    return {
        remote[row.tournament_id][entry]
        for row in rows
        for entry in row.entries
        if entry in remote[row.tournament_id]
    }


def _is_remote(row: Row[Any]) -> bool:
    return Contestant(row.name, row.version, tuple(row.command), row.artefact_hash).is_remote
