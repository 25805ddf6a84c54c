"""The state of a ladder for people: who stands where, how far the epoch is, what binds the deals."""

import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass

from erqiwang_runner.ladders.membership import Member, MemberState
from erqiwang_runner.results import EntryRole
from erqiwang_runner.store import ladder_chain, ladder_epochs, ladders, summary, tournaments
from erqiwang_runner.store.engine import Database
from erqiwang_runner.store.ladders import LadderState, Rated
from erqiwang_runner.store.summary import Summary


@dataclass(frozen=True, slots=True)
class Place:
    """A bot and, once it was rated, its place, rating, the error of it and the boards."""

    bot: str
    role: str
    state: str
    reason: str
    deadline: float | None
    place: int | None
    rating: float | None
    error: float | None
    boards: int

    def line(self) -> str:
        """Say it in one line."""
        rated = "" if self.rating is None else f"{self.rating:7.0f}"
        error = "" if self.error is None else f"±{self.error:.0f}"
        place = "" if self.place is None else f"{self.place}."
        state = self.state if self.role == EntryRole.CONTESTANT.value else self.role
        until = "" if self.deadline is None else f", until {_time(self.deadline)}"
        why = f"  {self.reason}{until}" if self.reason or until else ""
        return f"{place:>4} {self.bot:<32} {rated:>7} {error:<6} {self.boards:>7} boards  {state}{why}"


@dataclass(frozen=True, slots=True)
class LadderSummary:
    """A ladder at a glance; `tips` are the published ends of its hash chains by first epoch."""

    name: str
    state: str
    epoch: int | None
    tournament: Summary | None
    lacking: int
    bots: tuple[Place, ...]
    tips: tuple[tuple[int, str], ...]

    def to_object(self) -> dict[str, object]:
        """Give it as JSON would have it."""
        return asdict(self)

    def line(self) -> str:
        """Say it in one line."""
        playing = sum(each.state == MemberState.ADMITTED.value for each in self.bots)
        epoch = "no epoch yet" if self.epoch is None else f"epoch {self.epoch}"
        return f"{self.name}: {self.state}, {epoch}, {playing} bots"

    def text(self) -> str:
        """Say it in full."""
        lines = [self.line()]
        if self.tournament is not None:
            lines.append(self.tournament.line())
        if self.lacking and self.state == LadderState.RUNNING.value:
            lines.append(f"the next epoch waits for {self.lacking} more bots")
        lines += [f"hash chain from epoch {first} on: {tip}" for first, tip in self.tips]
        return "\n".join([*lines, *(each.line() for each in self.bots)])


def summarise(database: Database, name: str | None) -> LadderSummary:
    """Look at a ladder, or the latest for None; raises UsageError if there is none."""
    with database.read() as connection:
        ladder = ladders.find(connection, name)
        epoch = ladders.latest_epoch(connection, ladder)
        played = None if epoch is None else tournaments.get(connection, epoch.tournament_id).name
        rated = ladders.latest_ratings(connection, ladder)
        members = ladders.members(connection, ladder)
        _, lacking = ladder_epochs.gathered(connection, ladder)
        tips = ladder_chain.tips(connection, ladder)
    return LadderSummary(
        name=ladder.name,
        state=ladder.state.value,
        epoch=None if epoch is None else epoch.number,
        tournament=None if played is None else summary.summarise(database, played),
        lacking=lacking,
        bots=tuple(_ordered(_place(each, rated.get(each.id)) for each in members)),
        tips=tuple(tips),
    )


def _ordered(places: Iterable[Place]) -> list[Place]:
    """Put those who play before those who do not, each by rating."""

    def key(each: Place) -> tuple[bool, bool, float]:
        plays = each.state == MemberState.ADMITTED.value
        return (not plays, each.rating is None, -(each.rating or 0.0))

    return sorted(places, key=key)


def _place(member: Member, rated: Rated | None) -> Place:
    is_open = member.state in (MemberState.WAITING, MemberState.VALIDATING)
    return Place(
        bot=str(member.contestant),
        role=member.role.value,
        state=member.state.value,
        reason="" if member.role is EntryRole.ANCHOR else member.reason,
        deadline=member.deadline if is_open else None,
        place=None if rated is None else rated.place,
        rating=None if rated is None else rated.rating,
        error=None if rated is None else rated.error,
        boards=0 if rated is None else rated.boards,
    )


def _time(seconds: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M:%SZ", time.gmtime(seconds))
