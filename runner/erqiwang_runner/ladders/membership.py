"""A bot on its way through a ladder: how its validation is judged, and who plays the next epoch."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Final

from erqiwang_runner.contestants import Contestant
from erqiwang_runner.results import EntryRole

IS_OVER: Final = "it was not validated in time"


class MemberState(Enum):
    """Where a bot stands."""

    WAITING = "waiting"
    """Nobody looked at it yet."""
    VALIDATING = "validating"
    """It plays its validation."""
    ADMITTED = "admitted"
    """It plays from the next epoch on."""
    REFUSED = "refused"
    """It did not pass; a mended version is another bot."""
    SUSPENDED = "suspended"
    """It plays no more, for its faults."""
    LEFT = "left"
    """It was taken out; its ratings stay."""

    @property
    def is_over(self) -> bool:
        """Whether nothing becomes of it by itself."""
        return self in (MemberState.REFUSED, MemberState.SUSPENDED, MemberState.LEFT)


@dataclass(frozen=True, slots=True)
class Member:
    """A bot of a ladder.

    `validation` is the number of the tournament that validates it, which must be done by `deadline` (seconds
    since 1970); `reason` says in words why it stands where it stands.
    """

    id: int
    contestant: Contestant
    role: EntryRole
    state: MemberState
    joined_at: float
    deadline: float
    tries: int = 0
    validation: int | None = None
    reason: str = ""
    retired: bool = False

    @property
    def plays(self) -> bool:
        """Whether it plays the next epoch."""
        return self.state is MemberState.ADMITTED and not self.retired


@dataclass(frozen=True, slots=True)
class Validation:
    """What a validation gave so far: `lost` boards by its own faults, `explained` by others'."""

    is_finished: bool
    played: int
    explained: int
    lost: int
    fault: str = ""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What becomes of a bot, and why; VALIDATING with a reason: its validation is played again."""

    state: MemberState
    reason: str


def judge(found: Validation, deadline: float, now: float) -> Judgement | None:
    """Judge a validation; None while nothing can be said.

    One forfeited board refuses, as soon as its fault is stored or nothing more can come: a match stores its
    faults at its end. Boards that nobody could play are not the bot's fault: they are played again until the
    deadline.
    """
    if found.lost and (found.fault or found.is_finished or now >= deadline):
        why = f": {found.fault}" if found.fault else ""
        return Judgement(MemberState.REFUSED, f"it forfeited {found.lost} of {found.played} boards{why}")
    if found.is_finished and not found.explained:
        return Judgement(MemberState.ADMITTED, f"it played {found.played} boards without a forfeit")
    if now >= deadline:
        return Judgement(MemberState.REFUSED, IS_OVER)
    if found.is_finished:
        return Judgement(MemberState.VALIDATING, f"{found.explained} boards could not be played")
    return None


def superseded(newcomer: Member, members: Iterable[Member]) -> list[Member]:
    """Give the other versions of a newcomer that play: they leave when it is admitted."""
    return [
        each
        for each in members
        if each.id != newcomer.id
        and each.contestant.name == newcomer.contestant.name
        and each.state is MemberState.ADMITTED
        and each.role is not EntryRole.ANCHOR
    ]


def field_of_epoch(members: Iterable[Member]) -> list[Member]:
    """Give who plays the next epoch: the anchors first, then in the order in which they joined."""
    playing = [each for each in members if each.plays]
    return sorted(playing, key=lambda each: (each.role is not EntryRole.ANCHOR, each.id))


def missing(field: Collection[Member], size: int) -> int:
    """Give how many bots an epoch lacks."""
    return max(0, size - len(field))
