"""Rows of submissions: taking them, validating them against house bots, and what became of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection, Row, Select, and_, func, insert, select, update

from erqiwang_runner.competition.calendar import Phase, say, say_span
from erqiwang_runner.competition.phases import Place
from erqiwang_runner.competition.stages import validation_of
from erqiwang_runner.competition.submissions import (
    ACTIVE,
    SubmissionState,
    Tried,
    Verdict,
    displaced,
    judge,
)
from erqiwang_runner.contestants import Contestant
from erqiwang_runner.errors import UsageError
from erqiwang_runner.results import EntryRole
from erqiwang_runner.store import (
    competitions,
    contestants,
    life_cycle,
    notices,
    schema,
    tournaments,
)
from erqiwang_runner.store.competitions import CompetitionRow
from erqiwang_runner.store.events import EventKind, emit
from erqiwang_runner.store.states import SlotState, TournamentState
from erqiwang_runner.store.tournaments import TournamentRow
from erqiwang_runner.tournament_spec import EntrySpec

VALIDATION_PRIORITY: Final = 10
"""Authors wait for it: it comes before the play of others."""

_TRIED: Final = 0
"""The number of the submission's entry in its validation."""

_LONGEST_AUTHOR: Final = 64
_MAY_SUBMIT: Final = (Phase.ANNOUNCED, Phase.OPEN)


@dataclass(frozen=True, slots=True)
class SubmissionRow:
    """A submission as stored; `validation` is the name of its latest validation tournament."""

    id: int
    author: str
    contestant: Contestant
    options: Mapping[str, str]
    state: SubmissionState
    reason: str
    tries: int
    submitted_at: float
    decided_at: float | None
    validation: str

    @property
    def entry(self) -> EntrySpec:
        """The bot as an entry of a tournament."""
        return EntrySpec(self.contestant, EntryRole.CONTESTANT, self.options)


def submit(connection: Connection, name: str, entry: EntrySpec, author: str, now: float) -> SubmissionRow:
    """Take a submission and begin its validation; raises UsageError where it cannot be taken."""
    competition = competitions.lock(connection, competitions.find(connection, name).id)
    check_time(competition, now)
    if not author.strip() or len(author) > _LONGEST_AUTHOR or not author.isprintable():
        raise UsageError(
            f"{author[:80]!r} is no author: printable text of {_LONGEST_AUTHOR} characters at most"
        )
    contestant_id = contestants.find_or_add(connection, entry.contestant)
    _check_new(of(connection, competition.id), entry.contestant, author)
    key = connection.execute(
        insert(schema.submissions).values(
            competition_id=competition.id,
            author=author,
            contestant_id=contestant_id,
            options=dict(entry.options),
            state=SubmissionState.VALIDATING.value,
            reason="",
            tries=0,
            submitted_at=now,
        )
    ).inserted_primary_key
    assert key is not None
    made = get(connection, int(key[0]))
    validate(connection, competition, made)
    _displace(connection, competition, author, now)
    _tell(connection, EventKind.SUBMISSION_RECEIVED, made.id)
    return get(connection, made.id)


def withdraw(connection: Connection, name: str, text: str, now: float) -> SubmissionRow:
    """Take a submission back before the deadline; raises UsageError if there is none or it is too late."""
    competition = competitions.lock(connection, competitions.find(connection, name).id)
    check_time(competition, now)
    bot, _, version = text.partition("@")
    found = [
        each
        for each in of(connection, competition.id)
        if each.contestant.name == bot
        and each.state in ACTIVE
        and (not version or each.contestant.version == version)
    ]
    if not found:
        raise UsageError(f"{name} has no active submission {text!r}")
    _settle(connection, found[-1], SubmissionState.WITHDRAWN, "", now)
    return get(connection, found[-1].id)


def validate(connection: Connection, competition: CompetitionRow, submission: SubmissionRow) -> None:
    """Begin the next validation of a submission."""
    number = submission.tries + 1
    again = f"-{number}" if number > 1 else ""
    spec = validation_of(
        competition.spec, f"{competition.name}-check-{submission.id}{again}", submission.entry
    )
    key = tournaments.create(connection, spec)
    tournaments.set_priority(connection, key, VALIDATION_PRIORITY)
    tournaments.start(connection, key)
    competitions.enlist(connection, competition, key, Place(Phase.VALIDATION, number), submission.id)
    table = schema.submissions
    connection.execute(update(table).where(table.c.id == submission.id).values(tries=number))


def settle(connection: Connection, competition: CompetitionRow, now: float) -> list[SubmissionRow]:
    """Judge the submissions whose validation has ended; gives those that were decided by it."""
    decided: list[SubmissionRow] = []
    for each in of(connection, competition.id):
        verdict = _verdict(connection, each) if each.state is SubmissionState.VALIDATING else None
        if verdict is None:
            continue
        if verdict.state is SubmissionState.VALIDATING:
            validate(connection, competition, each)
            continue
        _settle(connection, each, verdict.state, verdict.reason, now)
        _displace(connection, competition, each.author, now)
        decided.append(get(connection, each.id))
    return decided


def has_ended(connection: Connection, competition_id: int) -> bool:
    """Tell whether the validation of an undecided submission has ended."""
    table, of_it = schema.submissions, schema.competition_tournaments
    query = (
        select(table.c.id)
        .join(of_it, and_(of_it.c.submission_id == table.c.id, of_it.c.stage == table.c.tries))
        .join(schema.tournaments, schema.tournaments.c.id == of_it.c.tournament_id)
        .where(
            table.c.competition_id == competition_id,
            table.c.state == SubmissionState.VALIDATING.value,
            schema.tournaments.c.state.in_([TournamentState.FINISHED.value, TournamentState.CANCELLED.value]),
        )
    )
    return connection.execute(query.limit(1)).one_or_none() is not None


def of(connection: Connection, competition_id: int) -> list[SubmissionRow]:
    """List the submissions of a competition, oldest first."""
    query = _rows().where(schema.submissions.c.competition_id == competition_id)
    return [_submission(row) for row in connection.execute(query)]


def get(connection: Connection, submission_id: int) -> SubmissionRow:
    """Read a submission by its number."""
    query = _rows().where(schema.submissions.c.id == submission_id)
    return _submission(connection.execute(query).one())


def check_time(competition: CompetitionRow, now: float) -> None:
    """Refuse what comes before a competition opens or after it closed; raises UsageError."""
    calendar, name = competition.calendar, competition.name
    if competition.place.phase is Phase.CANCELLED:
        raise UsageError(f"{name} was cancelled")
    if now < calendar.opens:
        raise UsageError(f"{name} opens at {say(calendar.opens)}")
    # The clock decides, whether a coordinator has looked at it or not.
    if now >= calendar.closes:
        late = say_span(now - calendar.closes)
        raise UsageError(f"{name} closed at {say(calendar.closes)}: this comes {late} too late")
    if competition.place.phase not in _MAY_SUBMIT:
        raise UsageError(f"{name} closed at {say(calendar.closes)}")


def _check_new(others: list[SubmissionRow], contestant: Contestant, author: str) -> None:
    for each in others:
        if str(each.contestant) != str(contestant) or each.state in (
            SubmissionState.SUPERSEDED,
            SubmissionState.WITHDRAWN,
        ):
            continue
        if each.state is SubmissionState.INVALID:
            raise UsageError(
                f"{contestant} failed its validation ({each.reason}): a changed bot needs a new version"
            )
        whose = "" if each.author == author else f", by {each.author}"
        raise UsageError(f"{contestant} is submitted already{whose}")


def _displace(connection: Connection, competition: CompetitionRow, author: str, now: float) -> None:
    own = [each for each in of(connection, competition.id) if each.author == author]
    for place in displaced([each.state for each in own], competition.spec.active):
        later = own[-1].contestant
        _settle(connection, own[place], SubmissionState.SUPERSEDED, f"by {later}", now)


def _settle(
    connection: Connection, submission: SubmissionRow, state: SubmissionState, reason: str, now: float
) -> None:
    table = schema.submissions
    connection.execute(
        update(table)
        .where(table.c.id == submission.id)
        .values(state=state.value, reason=reason, decided_at=now)
    )
    if submission.state is SubmissionState.VALIDATING:
        row = tournaments.find(connection, submission.validation)
        if row.state not in (TournamentState.FINISHED, TournamentState.CANCELLED):
            life_cycle.cancel(connection, row.name)
    _tell(connection, EventKind.SUBMISSION_DECIDED, submission.id)


def _tell(connection: Connection, kind: EventKind, submission_id: int) -> None:
    found, table, of_it = get(connection, submission_id), schema.competitions, schema.submissions
    name, contestant = connection.execute(
        select(table.c.name, of_it.c.contestant_id)
        .join(of_it, of_it.c.competition_id == table.c.id)
        .where(of_it.c.id == submission_id)
    ).one()
    why = f": {found.reason}" if found.reason else ""
    notices.add(connection, contestant, f"competition {name}: {found.state.value}{why}")
    emit(
        connection,
        kind,
        competition=name,
        bot=str(found.contestant),
        author=found.author,
        state=found.state.value,
        reason=found.reason,
    )


def _verdict(connection: Connection, submission: SubmissionRow) -> Verdict | None:
    """Judge a submission; None while its validation goes on."""
    row = tournaments.find(connection, submission.validation)
    if row.state not in (TournamentState.FINISHED, TournamentState.CANCELLED):
        return None
    return judge(_tried(connection, row), submission.tries)


def _tried(connection: Connection, row: TournamentRow) -> Tried:
    tables, faults, slots = schema.table_results, schema.faults, schema.slots
    results = connection.execute(
        select(tables.c.entries, tables.c.forfeits, tables.c.table_no).filter_by(tournament_id=row.id)
    ).all()
    latest = connection.execute(
        select(faults.c.cause, faults.c.detail)
        .filter_by(tournament_id=row.id, entry=_TRIED, counted=True)
        .order_by(faults.c.id.desc())
        .limit(1)
    ).one_or_none()
    given_up = connection.scalar(
        select(slots.c.reason)
        .filter_by(tournament_id=row.id, state=SlotState.VOID.value)
        .order_by(slots.c.position)
        .limit(1)
    )
    return Tried(
        board_sets=sum(each.table_no == 0 for each in results),
        forfeits=sum(
            bool(forfeit) and entry == _TRIED
            for each in results
            for entry, forfeit in zip(each.entries, each.forfeits, strict=True)
        ),
        fault="" if latest is None else f"{latest.cause}: {latest.detail}",
        given_up=given_up or "",
    )


def _rows() -> Select[Any]:
    table, of_it = schema.submissions, schema.competition_tournaments
    latest = and_(of_it.c.submission_id == table.c.id, of_it.c.stage == table.c.tries)
    return (
        select(
            table,
            schema.contestants.c.name,
            schema.contestants.c.version,
            schema.contestants.c.command,
            schema.contestants.c.artefact_hash,
            schema.contestants.c.bundled,
            func.coalesce(schema.tournaments.c.name, "").label("validation"),
        )
        .join(schema.contestants, schema.contestants.c.id == table.c.contestant_id)
        .outerjoin(of_it, latest)
        .outerjoin(schema.tournaments, schema.tournaments.c.id == of_it.c.tournament_id)
        .order_by(table.c.id)
    )


def _submission(row: Row[Any]) -> SubmissionRow:
    return SubmissionRow(
        id=row.id,
        author=row.author,
        contestant=Contestant(row.name, row.version, tuple(row.command), row.artefact_hash, row.bundled),
        options=row.options,
        state=SubmissionState(row.state),
        reason=row.reason,
        tries=row.tries,
        submitted_at=row.submitted_at,
        decided_at=row.decided_at,
        validation=row.validation,
    )
