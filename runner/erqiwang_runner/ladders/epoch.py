"""The tournaments of a ladder: its epochs, the validation of a newcomer, and challenges."""

from collections.abc import Mapping, Sequence
from typing import Final, TypedDict

from erqiwang_runner.contestants import STARTERS, Contestant, starter
from erqiwang_runner.errors import UsageError
from erqiwang_runner.formats import Format, FormatSettings
from erqiwang_runner.ladder_standing import Earlier
from erqiwang_runner.ladders.epoch_of import EpochOf
from erqiwang_runner.ladders.membership import Member
from erqiwang_runner.ladders.settings import LadderSettings
from erqiwang_runner.results import EntryRole, FaultPolicy
from erqiwang_runner.seating import get_set_type
from erqiwang_runner.tournament_spec import (
    AUTOMATIC,
    DealsMode,
    EntrySpec,
    TournamentSpec,
    default_round_look_back,
)

CHALLENGE_SETS: Final[Mapping[tuple[int, int], str]] = {
    (4, 2): "pair22",
    (4, 3): "klein4h",
    (4, 4): "klein4",
    (3, 2): "pair21",
    (3, 3): "cyc3",
}
"""The set type of a challenge, by seats and bots."""


def epoch_spec(
    settings: LadderSettings, field: Sequence[Member], earlier: Mapping[int, Earlier], epoch: EpochOf
) -> TournamentSpec:
    """Describe an epoch; `earlier` says what is known, by the numbers of the members."""
    format_ = FormatSettings(
        format=Format.LADDER,
        groups=settings.groups,
        seed=f"{settings.name}/epoch/{epoch.number}",
        earlier=tuple(earlier.get(each.id) for each in field) if earlier else (),
    )
    return TournamentSpec(
        **_conditions(settings),
        name=f"{settings.name}.e{epoch.number}",
        seed_text=f"{settings.seed}/epoch/{epoch.number}",
        entries=tuple(EntrySpec(each.contestant, each.role) for each in field),
        boards=settings.boards,
        set_type=settings.set_type,
        round_look_back=default_round_look_back(format_),
        mode=settings.mode,
        entropy_source=settings.entropy_source,
        format=format_,
        epoch=epoch,
    )


def validation_spec(settings: LadderSettings, member: Member) -> TournamentSpec:
    """Describe the validation of a newcomer: a match against house bots that is never rated."""
    others = [starter(name) for name in STARTERS if starter(name) != member.contestant]
    seats = get_set_type(settings.set_type).seats
    name = f"{settings.name}.v{member.id}" + (f".{member.tries}" if member.tries else "")
    return _match(settings, name, [member.contestant, *others][:seats], settings.validation_boards)


def challenge_spec(
    settings: LadderSettings, number: int, bots: Sequence[Contestant], boards: int
) -> TournamentSpec:
    """Describe an unrated match of two to four bots under the conditions of the ladder."""
    seats = get_set_type(settings.set_type).seats
    if len(set(bots)) != len(bots):
        raise UsageError("a challenge is of different bots")
    set_type = CHALLENGE_SETS.get((seats, len(bots)))
    if set_type is None:
        raise UsageError(f"a challenge is of 2 to {seats} bots, not {len(bots)}")
    return _match(settings, f"{settings.name}.c{number}", bots, boards, set_type)


def _match(
    settings: LadderSettings, name: str, bots: Sequence[Contestant], boards: int, set_type: str | None = None
) -> TournamentSpec:
    return TournamentSpec(
        **_conditions(settings),
        name=name,
        seed_text=f"{settings.seed}/{name}",
        entries=tuple(EntrySpec(each, EntryRole.CONTESTANT) for each in bots),
        boards=boards,
        set_type=set_type or settings.set_type,
        mode=DealsMode.SEEDED,
        format=FormatSettings(format=Format.MATCH),
        rated=False,
    )


class _Conditions(TypedDict):
    boards_per_match: int
    profile: str
    switches: Mapping[str, str]
    room: int
    clock_class: str
    fault_policy: FaultPolicy


def _conditions(settings: LadderSettings) -> _Conditions:
    return {
        "boards_per_match": AUTOMATIC,
        "profile": settings.profile,
        "switches": settings.switches,
        "room": settings.room,
        "clock_class": settings.clock_class,
        "fault_policy": settings.fault_policy,
    }
