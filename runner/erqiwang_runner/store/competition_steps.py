"""What the coordinator does for competitions: judges submissions, begins phases, makes their tournaments.

A phase begins in one transaction with all that belongs to it, under the lock of the competition and with a
key that exists once. So two coordinators at once, or one that stopped half way, do everything exactly once.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Final

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from erqiwang_runner.competition.calendar import Phase
from erqiwang_runner.competition.phases import Place, due
from erqiwang_runner.competition.ranking import Ranked, finalists, order_of, ranking
from erqiwang_runner.competition.stages import final_of, play_of
from erqiwang_runner.competition.submissions import SubmissionState
from erqiwang_runner.errors import RunnerError
from erqiwang_runner.results import EntryRole
from erqiwang_runner.secret_file import SecretFile
from erqiwang_runner.standings import read_standings
from erqiwang_runner.store import commitments, competitions, submissions, tournaments
from erqiwang_runner.store.competitions import CompetitionRow
from erqiwang_runner.store.engine import Database
from erqiwang_runner.store.reader import SqlResults
from erqiwang_runner.store.states import TournamentState
from erqiwang_runner.tournament_spec import DealsMode, EntrySpec, TournamentSpec

_log = logging.getLogger("erqiwang.competition")

_PLAYED: Final = (Phase.PLAY, Phase.FINALS)


def step(database: Database, now: float, secrets: SecretFile | None = None) -> None:
    """Look after every competition once. What fails in one is kept as its problem and tried again."""
    with database.read() as connection:
        running = competitions.unfinished(connection)
    for each in running:
        try:
            _judge(database, each, now)
            while _go_on(database, each, now, secrets):
                pass
            _start(database, each)
        except RunnerError as error:
            _note(database, each, str(error))
        except DBAPIError:
            raise
        except Exception as error:
            # A bug must not hold up what others play.
            if _note(database, each, f"internal error: {error}"):
                _log.exception("a competition does not go on")


def results(database: Database, competition: CompetitionRow) -> tuple[Ranked, ...]:
    """Rank everybody that played; `entry` is the text name@version."""
    with database.read() as connection:
        begun = [each.place for each in competitions.history(connection, competition.id)]
    return ranking([_order(database, competition.id, each) for each in begun if each.phase in _PLAYED])


def _judge(database: Database, competition_id: int, now: float) -> None:
    with database.read() as connection:
        if not submissions.has_ended(connection, competition_id):
            return
    with database.write() as connection:
        locked = competitions.lock(connection, competition_id)
        for each in submissions.settle(connection, locked, now):
            _log.info("competition %s: %s is %s", locked.name, each.contestant, each.state.value)


def _go_on(database: Database, competition_id: int, now: float, secrets: SecretFile | None) -> bool:
    """Begin the next phase if it is due; tells whether it was this call that did."""
    with database.read() as connection:
        row = competitions.get(connection, competition_id)
        place = due(now, row.calendar, row.place, competitions.facts(connection, row))
    if place is None:
        return False
    make = _maker(database, row, place)
    with database.write() as connection:
        locked = competitions.lock(connection, competition_id)
        if due(now, locked.calendar, locked.place, competitions.facts(connection, locked)) != place:
            return False
        note = "" if make is None else _make(connection, locked, place, make(connection), secrets)
        competitions.begin(connection, locked, place, now, note)
    _log.info("competition %s: %s %s", row.name, place, note)
    return True


def _maker(
    database: Database, row: CompetitionRow, place: Place
) -> Callable[[Connection], tuple[EntrySpec, ...]] | None:
    """Give what finds the field of a place; None where nothing is played.

    Who goes on to the finals is known from a tournament that has ended, before the transaction that writes.
    """
    if place.phase is Phase.PLAY:
        return lambda connection: _valid(connection, row)
    if place.phase is Phase.FINALS and row.spec.finals:
        order = _order(database, row.id, row.place)
        with database.read() as connection:
            barred = _suspended(connection, row)
            chosen = finalists(order, barred, row.spec.finals[place.stage].entries)
        return lambda connection: _entries(connection, row, chosen)
    return None


def _make(
    connection: Connection,
    row: CompetitionRow,
    place: Place,
    field: tuple[EntrySpec, ...],
    secrets: SecretFile | None,
) -> str:
    """Make the tournament of a place; gives what there is to say about it."""
    if not field:
        return "nobody takes part"
    spec = _describe(row, place, field)
    key = tournaments.create(connection, spec)
    if spec.mode is DealsMode.COMMITTED:
        if secrets is None:
            raise RunnerError("committed deals need the data directory, and this coordinator has none")
        commitments.commit(connection, key, spec, secrets)
    competitions.enlist(connection, row, key, place)
    return f"{len(field)} bots play tournament {spec.name}"


def _describe(row: CompetitionRow, place: Place, field: tuple[EntrySpec, ...]) -> TournamentSpec:
    if place.phase is Phase.PLAY:
        return play_of(row.spec, f"{row.name}-play", field)
    return final_of(row.spec, place.stage, f"{row.name}-final-{place.stage + 1}", field)


def _start(database: Database, competition_id: int) -> None:
    """Start the tournament of the present phase, once the entropy of its deals is known."""
    with database.read() as connection:
        row = competitions.get(connection, competition_id)
        played = competitions.tournament_of(connection, row.id, row.place)
        if played is None or played.state is not TournamentState.CREATED:
            return
        commitment = commitments.find(connection, played.id)
        if commitment is not None and commitment.entropy is None:
            return
    with database.write() as connection:
        if tournaments.get(connection, played.id).state is TournamentState.CREATED:
            tournaments.start(connection, played.id)


def _valid(connection: Connection, row: CompetitionRow) -> tuple[EntrySpec, ...]:
    return tuple(
        each.entry for each in submissions.of(connection, row.id) if each.state is SubmissionState.VALID
    )


def _entries(connection: Connection, row: CompetitionRow, chosen: tuple[str, ...]) -> tuple[EntrySpec, ...]:
    by_name = {str(each.contestant): each.entry for each in submissions.of(connection, row.id)}
    return tuple(by_name[each] for each in chosen)


def _order(database: Database, competition_id: int, place: Place) -> list[str]:
    """Give the submissions that took part in a tournament, best first; whoever has no result comes last."""
    with database.read() as connection:
        row = competitions.tournament_of(connection, competition_id, place)
        if row is None:
            return []
        own = {
            each.number: str(each.contestant)
            for each in tournaments.entries(connection, row.id)
            if each.role is EntryRole.CONTESTANT
        }
    order = order_of(read_standings(SqlResults(database), row.name))
    return [own[number] for number in (*order, *(own.keys() - set(order))) if number in own]


def _suspended(connection: Connection, row: CompetitionRow) -> frozenset[str]:
    played = competitions.tournament_of(connection, row.id, row.place)
    entered = [] if played is None else tournaments.entries(connection, played.id)
    return frozenset(str(each.contestant) for each in entered if each.suspended)


def _note(database: Database, competition_id: int, problem: str) -> bool:
    with database.write() as connection:
        is_new = competitions.note_problem(connection, competition_id, problem)
    if is_new:
        _log.error("competition %d does not go on: %s", competition_id, problem)
    return is_new
