"""What may be seen of the results of a competition that is not revealed yet."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Select, select

from erqiwang_runner.competition.calendar import Phase
from erqiwang_runner.errors import UsageError
from erqiwang_runner.results import BoardSet
from erqiwang_runner.store import schema, tournaments
from erqiwang_runner.store.engine import Database
from erqiwang_runner.store.reader import SqlResults


@dataclass(frozen=True, slots=True)
class Veil:
    """Hides a tournament; `public_boards` of each group may be seen all the same."""

    competition: str
    tournament: str
    public_boards: int

    def __str__(self) -> str:
        return f"{self.tournament} is hidden until competition {self.competition} is revealed"


class PublicResults(SqlResults):
    """The results of the first boards of each group, and no others."""

    def __init__(self, database: Database, boards: int) -> None:
        super().__init__(database)
        self._boards = boards

    def board_sets(self, tournament: str) -> Iterable[BoardSet]:
        """Read the public board sets of a tournament, in slot order."""
        return (each for each in super().board_sets(tournament) if each.slot.n < self._boards)


def veil_of(connection: Connection, name: str | None) -> Veil | None:
    """Tell what hides a tournament, or the latest for None; None if nothing does. Raises UsageError."""
    row = tournaments.find(connection, name)
    found = connection.execute(
        _veiled().where(schema.competition_tournaments.c.tournament_id == row.id)
    ).one_or_none()
    if found is None:
        return None
    # Of validations and finals nothing is public.
    boards = found.public_boards if found.phase == Phase.PLAY.value else 0
    return Veil(found.name, row.name, boards)


def hidden_ids() -> Select[Any]:
    """Ask for the numbers of all tournaments that are hidden."""
    return _veiled().with_only_columns(schema.competition_tournaments.c.tournament_id)


def visible_results(database: Database, name: str | None, *, everything: bool) -> tuple[SqlResults, str]:
    """Give the results that may be shown, with a note on what they leave out.

    `everything` is for whoever hosts a competition. Raises UsageError where nothing may be shown.
    """
    with database.read() as connection:
        veil = veil_of(connection, name)
    if veil is None:
        return SqlResults(database), ""
    if everything:
        return SqlResults(database), f"{veil}: this is for its host alone"
    if not veil.public_boards:
        raise UsageError(f"{veil}; its host may look with --hidden")
    part = f"{veil}: these are the first {veil.public_boards} boards of each group"
    return PublicResults(database, veil.public_boards), part


def _veiled() -> Select[Any, Any, Any]:
    competitions, of_it = schema.competitions, schema.competition_tournaments
    return (
        select(competitions.c.name, competitions.c.public_boards, of_it.c.phase)
        .join(of_it, of_it.c.competition_id == competitions.c.id)
        .where(competitions.c.is_hidden, competitions.c.phase != Phase.REVEALED.value)
    )
