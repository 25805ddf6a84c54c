"""Planning ahead: from the plan, and what is finished in order, to matches that may be played.

A stint is planned when every slot that decides about it is finished in order. Whoever is suspended by then
sits out: a house bot takes the seat, and where fewer than two players are left the boards are explained.
"""

from collections.abc import Sequence
from typing import Final

from sqlalchemy import Connection, func, select, update

from erqiwang_runner.formats import Group, Past
from erqiwang_runner.plan import Claim, Round
from erqiwang_runner.results import EntryRole
from erqiwang_runner.scoring import ScoringRule
from erqiwang_runner.secret_file import SecretFile
from erqiwang_runner.store import commitments, schema, slots, tournaments
from erqiwang_runner.store.claim_size import claim_size
from erqiwang_runner.store.engine import Database
from erqiwang_runner.store.reader import board_sets_before
from erqiwang_runner.store.states import MatchState, TournamentState
from erqiwang_runner.store.tournaments import TournamentRow

ACTIVE: Final = (MatchState.OPEN.value, MatchState.LEASED.value, MatchState.RETRY.value)


def extend(
    database: Database, tournament: TournamentRow, window: int, secrets: SecretFile | None = None
) -> int:
    """Plan matches until about `window` are unfinished or nothing may be planned; gives how many are new."""
    with database.read() as connection:
        row = tournaments.get(connection, tournament.id)
        if _missing(connection, row, window) <= 0 or not _may_plan(row):
            return 0
    with database.write() as connection:
        # The row of the tournament is the lock between two coordinators.
        lock = select(schema.tournaments.c.id).where(schema.tournaments.c.id == tournament.id)
        connection.execute(lock.with_for_update()).one()
        row = tournaments.get(connection, tournament.id)
        planner = slots.Planner(connection, row, commitments.key_of(connection, row, secrets))
        return _Extension(planner).plan(_missing(connection, row, window))


def wanted(connection: Connection, row: TournamentRow, window: int) -> int:
    """Give how many matches a tournament could have under way: those it has, and as many as it may plan."""
    active = window - _missing(connection, row, window)
    left = (row.plan.stints - row.planned_stints) * row.plan.lap if _may_plan(row) else 0
    return max(active, min(window, active + left))


def _missing(connection: Connection, row: TournamentRow, window: int) -> int:
    if row.state is not TournamentState.RUNNING:
        return 0
    active = connection.scalar(
        select(func.count())
        .select_from(schema.matches)
        .where(schema.matches.c.tournament_id == row.id, schema.matches.c.state.in_(ACTIVE))
    )
    return window - (active or 0)


def _may_plan(row: TournamentRow) -> bool:
    """Tell whether there is a next stint, and all that decides about it is settled."""
    if row.planned_stints >= row.plan.stints:
        return False
    claim = row.plan.stint(row.planned_stints)
    round_ = row.plan.round_of(claim.group)
    decided_by = row.plan.position(claim.group, claim.first_n) - row.look_back
    return row.settled >= max(decided_by, _round_needs(row, round_))


def _round_needs(row: TournamentRow, round_: Round) -> int:
    return 0 if round_.number == 0 else max(0, round_.start - row.round_look_back)


class _Extension:
    """One extension of the plan, within its transaction."""

    def __init__(self, planner: slots.Planner) -> None:
        self._planner = planner
        self._row = planner.tournament
        self._connection = planner.connection
        self._size = claim_size(self._connection, self._row)
        entries = tournaments.entries(self._connection, self._row.id)
        self._roles = {entry.number: entry.role for entry in entries}
        self._names = {entry.number: str(entry.contestant) for entry in entries}
        self._fillers = [entry.number for entry in entries if entry.role is EntryRole.FILLER]
        self._suspended = _suspensions(self._connection, self._row.id)

    def plan(self, missing: int) -> int:
        """Plan stints until `missing` matches are new."""
        number, made = self._row.planned_stints, 0
        plan = self._row.plan
        while made < missing and number < plan.stints:
            stint = plan.stint(number)
            if self._row.settled < plan.position(stint.group, stint.first_n) - self._row.look_back:
                break
            round_ = plan.round_of(stint.group)
            if stint == Claim(round_.first, 0, stint.end_n) and not self._open_round(round_):
                break
            made += self._plan_stint(stint)
            number += 1
        self._connection.execute(
            update(schema.tournaments)
            .where(schema.tournaments.c.id == self._row.id)
            .values(planned_stints=number)
        )
        return made

    def _open_round(self, round_: Round) -> bool:
        """Choose the groups of a round, once; tells whether all that decides about it is settled."""
        needs = _round_needs(self._row, round_)
        if round_.number == 0:
            return True
        if self._row.settled < needs:
            return False
        past = Past(
            groups=_groups(self._connection, self._row.id),
            board_sets=board_sets_before(self._connection, self._row.id, needs),
            suspended=frozenset(entry for entry, at in self._suspended.items() if at <= needs),
            rule=ScoringRule(self._row.fault_policy, self._row.conditions.profile.forfeit_points),
            roles=self._roles,
        )
        groups = tournaments.scheduler(self._connection, self._row).groups(round_.number, past)
        tournaments.add_groups(self._connection, self._row.id, round_.first, groups)
        return True

    def _plan_stint(self, stint: Claim) -> int:
        group = _group(self._connection, self._row.id, stint.group)
        decided_by = self._row.plan.position(stint.group, stint.first_n) - self._row.look_back
        out = [entry for entry in group if self._suspended.get(entry, decided_by + 1) <= decided_by]
        seated = stand_in(group, out, self._fillers)
        if out and (seated is None or self._players(seated) < 2):
            names = ", ".join(self._names[entry] for entry in out)
            self._planner.add_void(stint, group, f"suspended for its faults: {names}")
            return 0
        parts = list(stint.parts(self._size))
        for part in parts:
            self._planner.add_match(part, seated or group)
        return len(parts)

    def _players(self, group: Group) -> int:
        return sum(self._roles[entry] is not EntryRole.FILLER for entry in group)


def stand_in(group: Sequence[int], out: Sequence[int], fillers: Sequence[int]) -> Group | None:
    """Seat house bots in place of some entries of a group; None if there are not enough of them."""
    free = [each for each in fillers if each not in group]
    if len(out) > len(free):
        return None
    substitutes = dict(zip(out, free, strict=False))
    return tuple(substitutes.get(entry, entry) for entry in group)


def _suspensions(connection: Connection, tournament_id: int) -> dict[int, int]:
    """Give, for each suspended entry, how many slots in order it took."""
    table = schema.entries
    rows = connection.execute(
        select(table.c.number, table.c.suspended_at).where(
            table.c.tournament_id == tournament_id, table.c.suspended_at.is_not(None)
        )
    )
    return {row.number: row.suspended_at for row in rows}


def _group(connection: Connection, tournament_id: int, number: int) -> Group:
    return tuple(
        connection.scalars(
            select(schema.groups.c.entries).filter_by(tournament_id=tournament_id, epoch=0, group_no=number)
        ).one()
    )


def _groups(connection: Connection, tournament_id: int) -> list[Group]:
    table = schema.groups
    rows = connection.scalars(
        select(table.c.entries)
        .where(table.c.tournament_id == tournament_id)
        .order_by(table.c.epoch, table.c.group_no)
    )
    return [tuple(row) for row in rows]
