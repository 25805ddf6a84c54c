"""From the settings of a competition and a field of bots to the tournament of a stage."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import cycle, islice
from typing import Final

from erqiwang_runner.competition.competition_file import CompetitionSpec, StageSettings
from erqiwang_runner.contestants import STARTERS, Contestant, starter
from erqiwang_runner.errors import BadInputError, UsageError
from erqiwang_runner.formats import Format, FormatSettings
from erqiwang_runner.results import EntryRole, FaultPolicy
from erqiwang_runner.seating import get_set_type
from erqiwang_runner.tournament_file import tournament_of
from erqiwang_runner.tournament_spec import (
    DealsMode,
    EntrySpec,
    TournamentSpec,
    default_round_look_back,
)

_ROUND_ROBIN: Final = 10
"""The largest field whose groups all meet."""

_VALIDATION: Final = {"boards": 3, "fault_policy": FaultPolicy.AUTOPLAY.value}
_PLAY: Final = {"boards": 60, "deals": DealsMode.COMMITTED.value}
"""Authors must not know the deals: from a seed text anybody who guesses it makes them again."""

_LADDER_BOARDS: Final = 3
_FEW, _MANY = 0, 40
"""Sizes of the field of the play that a file is tried out with; 0 is as few as a group has."""


def validation_of(spec: CompetitionSpec, name: str, tried: EntrySpec) -> TournamentSpec:
    """Describe the validation of a bot: it is entry 0, house bots are the others."""
    fields = _VALIDATION | dict(spec.validation.fields)
    # The house seats what the set type asks for besides.
    seats = _players(fields)
    house = [EntrySpec(starter(each)) for each in islice(cycle(spec.house or STARTERS), seats - 1)]
    made = _tournament("validation", fields, name, (tried, *house), Format.MATCH)
    return replace(made, rated=False)


def play_of(spec: CompetitionSpec, name: str, field: Sequence[EntrySpec]) -> TournamentSpec:
    """Describe the play of a field."""
    return _stage_of(spec, spec.play, "play", name, field)


def final_of(spec: CompetitionSpec, stage: int, name: str, field: Sequence[EntrySpec]) -> TournamentSpec:
    """Describe a stage of the finals."""
    return _stage_of(spec, spec.finals[stage], f"finals[{stage + 1}]", name, field)


def check(spec: CompetitionSpec) -> None:
    """Try every stage out with bots that never play; raises BadInputError or UsageError that names it."""
    validation_of(spec, spec.name, _dummy(0))
    for many in (_FEW, _MANY):
        seats = _players(_PLAY | dict(spec.play.fields))
        try:
            _strict(spec, spec.play, "play", many or seats)
        except UsageError as error:
            raise UsageError(f"play, with {many or seats} bots: {error}") from None
    for number, each in enumerate(spec.finals, 1):
        try:
            _strict(spec, each, f"finals[{number}]", each.entries)
        except UsageError as error:
            raise UsageError(f"finals[{number}]: {error}") from None


def _stage_of(
    spec: CompetitionSpec, settings: StageSettings, section: str, name: str, field: Sequence[EntrySpec]
) -> TournamentSpec:
    """Describe a stage; a field that its format does not take meets as if none had been named."""
    fields = _PLAY | dict(settings.fields)
    entries = _filled(spec, _players(fields), field)
    try:
        made = _tournament(section, fields, name, entries, _usual(len(entries)))
    except UsageError:
        unnamed = {key: value for key, value in fields.items() if key != "format"}
        made = _tournament(section, unnamed, name, entries, _usual(len(entries)))
    # No stage may deal what another one dealt.
    return replace(made, seed_text=f"{made.seed_text}/{name}") if "seed" in fields else made


def _strict(spec: CompetitionSpec, settings: StageSettings, section: str, size: int) -> None:
    fields = _PLAY | dict(settings.fields)
    entries = _filled(spec, _players(fields), [_dummy(number) for number in range(size)])
    _tournament(section, fields, spec.name, entries, _usual(len(entries)))


def _tournament(
    section: str, fields: Mapping[str, object], name: str, entries: Sequence[EntrySpec], usual: Format
) -> TournamentSpec:
    known = {str(number): entry for number, entry in enumerate(entries)}
    listed = [{"bot": text, "role": entry.role.value} for text, entry in known.items()]
    if not listed:
        raise UsageError(f"{section}: nobody takes part")
    fields = {**fields, "entries": listed}
    read = tournament_of(fields, lambda text, _options, _profile: known[text], name=name, section=section)
    spec = replace(read, entries=tuple(entries))
    if "format" in fields:
        return spec
    format_ = FormatSettings(format=usual)
    boards = min(spec.boards, _LADDER_BOARDS) if usual is Format.LADDER else spec.boards
    look_back = spec.round_look_back if "round_look_back" in fields else default_round_look_back(format_)
    return replace(spec, format=format_, boards=boards, round_look_back=look_back)


def _filled(spec: CompetitionSpec, seats: int, field: Sequence[EntrySpec]) -> tuple[EntrySpec, ...]:
    """Add the anchors, and where there are fewer than a group has, bundled bots."""
    anchors = [*spec.anchors, *(each for each in reversed(STARTERS) if each not in spec.anchors)]
    wanted = max(len(spec.anchors), seats - len(field))
    house = islice(cycle(anchors), wanted)
    return (*field, *(EntrySpec(starter(each), EntryRole.ANCHOR) for each in house))


def _usual(size: int) -> Format:
    return Format.ROUND_ROBIN if size <= _ROUND_ROBIN else Format.LADDER


def _players(fields: Mapping[str, object]) -> int:
    name = fields.get("set_type", "klein4")
    if not isinstance(name, str):
        raise BadInputError(f"set_type: {name!r} is no text")
    try:
        found = get_set_type(name)
    except LookupError as error:
        raise UsageError(str(error.args[0])) from None
    return found.entries - found.letters.count("H")


def _dummy(number: int) -> EntrySpec:
    return EntrySpec(Contestant(f"entry{number}", "1", ("true",), f"{number:064}"))
