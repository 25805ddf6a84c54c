"""A competition as it is shown: phase, deadlines, submissions, tournaments and, unless hidden, who leads."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass

from sqlalchemy import Connection

from erqiwang_runner.competition.calendar import ORDER, Phase, iso, say
from erqiwang_runner.competition.competition_file import Leaderboard
from erqiwang_runner.competition.phases import waits_for
from erqiwang_runner.competition.ranking import Ranked
from erqiwang_runner.competition.submissions import SubmissionState
from erqiwang_runner.plain_text import plain
from erqiwang_runner.store import commitments, competition_steps, competitions, submissions, tournaments
from erqiwang_runner.store.competitions import Begun, CompetitionRow
from erqiwang_runner.store.engine import Database
from erqiwang_runner.store.submissions import SubmissionRow

_PLAYED = (Phase.PLAY, Phase.FINALS)


@dataclass(frozen=True, slots=True)
class Played:
    """A tournament of a competition, and how many board sets of it are played or given up."""

    place: str
    tournament: str
    state: str
    planned: int
    played: int
    given_up: int
    waits_for: str

    def line(self) -> str:
        """Say it in one line."""
        waits = f"; waits for {self.waits_for}" if self.waits_for else ""
        lost = f", {self.given_up} given up" if self.given_up else ""
        done = f"{self.played} of {self.planned} board sets played{lost}"
        return f"{self.place}: {self.tournament} {self.state}, {done}{waits}"


@dataclass(frozen=True, slots=True)
class CompetitionStatus:
    """What there is to show; `ranking` is None while it is hidden."""

    row: CompetitionRow
    waits_for: str
    history: tuple[Begun, ...]
    submissions: tuple[SubmissionRow, ...]
    tournaments: tuple[Played, ...]
    ranking: tuple[Ranked, ...] | None

    def line(self) -> str:
        """Say it in one line."""
        valid = sum(each.state is SubmissionState.VALID for each in self.submissions)
        held = f"; does not go on: {self.row.problem}" if self.row.problem else ""
        waits = f", waits for {self.waits_for}" if not self.row.problem else ""
        return f"{self.row.name}: {self.row.place}, {valid} valid submissions{waits}{held}"

    def text(self) -> str:
        """Say it in full."""
        return "\n".join([self.line(), *self._lines()])

    def to_object(self) -> dict[str, object]:
        """Give it as JSON would have it."""
        calendar, spec = self.row.calendar, self.row.spec
        return {
            "name": self.row.name,
            "phase": self.row.place.phase.value,
            "stage": self.row.place.stage,
            "waits_for": self.waits_for,
            "problem": self.row.problem or None,
            "calendar": {phase.value: iso(calendar.times.get(phase)) for phase in ORDER[1:]},
            "by_hand": [phase.value for phase in ORDER if say(calendar.begins(phase)) == "by hand"],
            "leaderboard": spec.leaderboard.value,
            "public_boards": spec.public_boards,
            "active_submissions": spec.active,
            "history": [
                {
                    "phase": each.place.phase.value,
                    "stage": each.place.stage,
                    "at": iso(each.at),
                    "note": each.note,
                }
                for each in self.history
            ],
            "submissions": [submission_object(each) for each in self.submissions],
            "tournaments": [asdict(each) for each in self.tournaments],
            "ranking": None if self.ranking is None else [asdict(each) for each in self.ranking],
        }

    def _lines(self) -> Iterator[str]:
        for phase in ORDER[1:]:
            if phase in self.row.calendar.times:
                yield f"  {phase.value + ':':<12} {say(self.row.calendar.begins(phase))}"
        for begun in self.history:
            yield f"{say(begun.at)}  {begun.place} {begun.note}".rstrip()
        for each in self.submissions:
            yield from _submission_lines(each)
        yield from (each.line() for each in self.tournaments)
        if self.ranking is None:
            yield "ranking: hidden until the competition is revealed"
        for ranked in self.ranking or ():
            yield f"{ranked.rank:>3}  {ranked.entry}"


def read_status(database: Database, name: str | None, *, everything: bool = False) -> CompetitionStatus:
    """Look at a competition, or the latest for None; `everything` shows what is hidden, too."""
    with database.read() as connection:
        row = competitions.find(connection, name)
        begun = competitions.history(connection, row.id)
        status = CompetitionStatus(
            row=row,
            waits_for=waits_for(row.calendar, row.place, competitions.facts(connection, row)),
            history=tuple(begun),
            submissions=tuple(submissions.of(connection, row.id)),
            tournaments=tuple(_tournaments(connection, row, begun)),
            ranking=None,
        )
    is_hidden = row.spec.leaderboard is Leaderboard.HIDDEN and row.place.phase is not Phase.REVEALED
    if is_hidden and not everything:
        return status
    return CompetitionStatus(
        row=row,
        waits_for=status.waits_for,
        history=status.history,
        submissions=status.submissions,
        tournaments=status.tournaments,
        ranking=competition_steps.results(database, row),
    )


def submission_object(each: SubmissionRow) -> dict[str, object]:
    """Give a submission as JSON would have it."""
    return {
        "bot": str(each.contestant),
        "author": each.author,
        "state": each.state.value,
        "reason": each.reason or None,
        "hash": each.contestant.artefact_hash,
        "submitted_at": iso(each.submitted_at),
        "decided_at": iso(each.decided_at),
        "validation": each.validation,
    }


def _tournaments(connection: Connection, row: CompetitionRow, begun: list[Begun]) -> Iterator[Played]:
    for each in begun:
        found = competitions.tournament_of(connection, row.id, each.place)
        if each.place.phase not in _PLAYED or found is None:
            continue
        progress = tournaments.progress(connection, found)
        commitment = commitments.find(connection, found.id)
        waits = commitment is not None and commitment.entropy is None
        yield Played(
            place=str(each.place),
            tournament=found.name,
            state=found.state.value,
            planned=progress.planned,
            played=progress.played,
            given_up=progress.explained,
            waits_for=f"erqi tournament entropy {found.name} HEX" if waits else "",
        )


def _submission_lines(each: SubmissionRow) -> Iterator[str]:
    by = "" if each.author == each.contestant.name else f" by {each.author}"
    reason = f" {plain(each.reason)}" if each.reason else ""
    yield f"{say(each.submitted_at)}  {each.contestant}{by}: {each.state.value}{reason}"
    if each.state is SubmissionState.INVALID:
        yield f"    erqi bot log {each.contestant}; erqi tournament status {each.validation}"
