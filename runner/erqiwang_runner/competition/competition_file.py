"""A competition as a TOML file, which `erqi competition create --file` reads; see `docs/competitions.md`.

A wrong file is refused with its name, the key and what is allowed, before anything is written; every stage
is tried out with a field of its size.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Final

from erqiwang_runner.competition.calendar import BY_HAND, Calendar, Phase, instant_of
from erqiwang_runner.contestants import HOUSE_BOTS
from erqiwang_runner.errors import BadInputError, RunnerError
from erqiwang_runner.toml_section import Section, TomlTable, at_least, is_list, table
from erqiwang_runner.tournament_file import KEYS as TOURNAMENT_KEYS

KEYS: Final = (
    *("name", "active_submissions", "leaderboard", "public_boards", "house", "anchors"),
    *("calendar", "tournament", "validation", "play", "finals"),
)
CALENDAR_KEYS: Final = {
    "opens": Phase.OPEN,
    "closes": Phase.CLOSED,
    "validation": Phase.VALIDATION,
    "play": Phase.PLAY,
    "finals": Phase.FINALS,
    "reveals": Phase.REVEALED,
}
_NEEDED: Final = ("opens", "closes")
_BY_HAND: Final = "by hand"
_STAGE_KEYS: Final = tuple(key for key in TOURNAMENT_KEYS if key not in ("name", "entries"))
_OF_RESULTS: Final = (
    *("boards", "format", "deals", "entropy_source", "seed", "look_back", "round_look_back", "fault_policy"),
)
"""What [tournament] says of tournaments that decide something, and so not of validations."""
_VALIDATION_KEYS: Final = ("boards", *(key for key in _STAGE_KEYS if key not in _OF_RESULTS))
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")


class Leaderboard(Enum):
    """What may be seen of the results before the competition is revealed."""

    HIDDEN = "hidden"
    """At most the first boards, `public_boards` of each group of the play."""
    OPEN = "open"
    """Everything."""


@dataclass(frozen=True, slots=True)
class StageSettings:
    """A stage: the keys of a tournament file that hold in it, and for finals how many go on to it."""

    fields: Mapping[str, object]
    entries: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class CompetitionSpec:
    """What a competition is asked to be; `source` is the file that said so.

    `active` submissions of an author take part; `house` plays against what is validated, and `anchors` play
    along in play and finals; `public_boards` of each group of the play may be seen while it is hidden.
    """

    name: str
    calendar: Calendar
    active: int
    leaderboard: Leaderboard
    public_boards: int
    house: tuple[str, ...]
    anchors: tuple[str, ...]
    validation: StageSettings
    play: StageSettings
    finals: tuple[StageSettings, ...]
    source: str = field(repr=False)


def read_competition(path: Path) -> CompetitionSpec:
    """Read a file; raises BadInputError."""
    try:
        return parse_competition(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadInputError(f"{path}: {error.strerror}") from None
    except (UnicodeDecodeError, RunnerError) as error:
        raise BadInputError(f"{path}: {error}") from None


def parse_competition(text: str) -> CompetitionSpec:
    """Read the text of a file; raises BadInputError without the file's name."""
    try:
        fields: dict[str, object] = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadInputError(str(error)) from None
    top = Section("", fields, KEYS)
    common = _stage(top, "tournament")
    return CompetitionSpec(
        name=top.need("name", _name),
        calendar=_calendar(top.need("calendar", table)),
        active=top.get("active_submissions", at_least(1), 1),
        leaderboard=top.get("leaderboard", _leaderboard, Leaderboard.HIDDEN),
        public_boards=top.get("public_boards", at_least(0), 0),
        house=top.get("house", _starters, HOUSE_BOTS[:3]),
        anchors=top.get("anchors", _starters, ()),
        validation=StageSettings(
            {key: value for key, value in common.items() if key not in _OF_RESULTS}
            | dict(_stage(top, "validation", _VALIDATION_KEYS))
        ),
        play=StageSettings({**common, **_stage(top, "play")}),
        finals=_finals(top, common),
        source=text,
    )


def _stage(top: Section, key: str, keys: Sequence[str] = _STAGE_KEYS) -> TomlTable:
    found = top.section(key, keys)
    _refuse_house(found)
    return found.fields


def _refuse_house(section: Section) -> None:
    if str(section.fields.get("profile", "")).endswith(".toml"):
        raise BadInputError(
            f"{section.name}.profile: a competition is one file, so it takes the profiles of the catalogue "
            "with their switches, and no file of a house"
        )


def _finals(top: Section, common: TomlTable) -> tuple[StageSettings, ...]:
    found: list[StageSettings] = []
    sections = top.sections("finals", (*_STAGE_KEYS, "entries")) if top.fields.get("finals", []) != [] else []
    for each in sections:
        _refuse_house(each)
        entries = each.need("entries", at_least(2))
        if found and entries >= found[-1].entries:
            raise BadInputError(
                f"{each.name}.entries: {entries} are no fewer than {found[-1].entries} before"
            )
        own = {key: value for key, value in each.fields.items() if key != "entries"}
        found.append(StageSettings({**common, **own}, entries))
    return tuple(found)


def _calendar(fields: TomlTable) -> Calendar:
    section = Section("calendar", fields, tuple(CALENDAR_KEYS))
    times = {
        CALENDAR_KEYS[key]: section.need(key, _instant if key in _NEEDED else _instant_or_hand)
        for key in (*_NEEDED, *(key for key in fields if key not in _NEEDED))
    }
    try:
        return Calendar(times)
    except RunnerError as error:
        raise BadInputError(f"calendar: {error}") from None


def _name(value: object) -> str:
    if not isinstance(value, str) or not _NAME.fullmatch(value):
        raise ValueError(f"{value!r} is no name: letters, digits and . _ - only, 40 at most")
    return value


def _leaderboard(value: object) -> Leaderboard:
    try:
        return Leaderboard(value)
    except ValueError:
        known = ", ".join(each.value for each in Leaderboard)
        raise ValueError(f"{value!r} is not one of {known}") from None


def _starters(value: object) -> tuple[str, ...]:
    if not is_list(value) or any(each not in HOUSE_BOTS for each in value):
        raise ValueError(f"{value!r} is no list of bundled bots; there are {', '.join(HOUSE_BOTS)}")
    return tuple(str(each) for each in value)


def _instant(value: object) -> float:
    return instant_of(value)


def _instant_or_hand(value: object) -> float:
    return BY_HAND if value == _BY_HAND else instant_of(value)
