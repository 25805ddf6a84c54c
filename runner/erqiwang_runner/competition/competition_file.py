"""A competition as a TOML file, which `erqi competition create --file` reads; see `docs/competitions.md`.

A wrong file is refused with its name, the key and what is allowed, before anything is written; every stage
is tried out with a field of its size.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Final, TypeAlias, TypeGuard, TypeVar

from erqiwang_runner.competition.calendar import BY_HAND, Calendar, Phase, instant_of
from erqiwang_runner.contestants import HOUSE_BOTS
from erqiwang_runner.errors import BadInputError, RunnerError
from erqiwang_runner.tournament_file import KEYS as TOURNAMENT_KEYS

_T = TypeVar("_T")
_Table: TypeAlias = Mapping[str, object]

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
_NO_TABLE: Final[_Table] = {}
_NO_TABLES: Final[Sequence[_Table]] = ()
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
    _refuse_unknown("", fields, KEYS)
    common = _stage(fields, "tournament")
    return CompetitionSpec(
        name=_need(fields, "name", _name),
        calendar=_calendar(_need(fields, "calendar", _table)),
        active=_get(fields, "active_submissions", _at_least(1), 1),
        leaderboard=_get(fields, "leaderboard", _leaderboard, Leaderboard.HIDDEN),
        public_boards=_get(fields, "public_boards", _at_least(0), 0),
        house=_get(fields, "house", _starters, HOUSE_BOTS[:3]),
        anchors=_get(fields, "anchors", _starters, ()),
        validation=StageSettings(
            {key: value for key, value in common.items() if key not in _OF_RESULTS}
            | _stage(fields, "validation", _VALIDATION_KEYS)
        ),
        play=StageSettings({**common, **_stage(fields, "play")}),
        finals=_finals(fields, common),
        source=text,
    )


def _stage(fields: _Table, key: str, keys: Sequence[str] = _STAGE_KEYS) -> dict[str, object]:
    found = dict(_get(fields, key, _table, _NO_TABLE))
    _refuse_unknown(key, found, keys)
    _refuse_house(key, found)
    return found


def _refuse_house(section: str, table: _Table) -> None:
    if str(table.get("profile", "")).endswith(".toml"):
        raise BadInputError(
            f"{section}.profile: a competition is one file, so it takes the profiles of the catalogue "
            "with their switches, and no file of a house"
        )


def _finals(fields: _Table, common: _Table) -> tuple[StageSettings, ...]:
    found: list[StageSettings] = []
    for number, each in enumerate(_get(fields, "finals", _tables, _NO_TABLES), 1):
        section = f"finals[{number}]"
        _refuse_unknown(section, each, (*_STAGE_KEYS, "entries"))
        _refuse_house(section, each)
        entries = _need(each, "entries", _at_least(2), section)
        if found and entries >= found[-1].entries:
            raise BadInputError(f"{section}.entries: {entries} are no fewer than {found[-1].entries} before")
        found.append(StageSettings({**common, **{k: v for k, v in each.items() if k != "entries"}}, entries))
    return tuple(found)


def _calendar(table: _Table) -> Calendar:
    _refuse_unknown("calendar", table, tuple(CALENDAR_KEYS))
    times = {
        CALENDAR_KEYS[key]: _need(table, key, _instant if key in _NEEDED else _instant_or_hand, "calendar")
        for key in (*_NEEDED, *(key for key in table if key not in _NEEDED))
    }
    try:
        return Calendar(times)
    except RunnerError as error:
        raise BadInputError(f"calendar: {error}") from None


def _refuse_unknown(section: str, table: _Table, keys: Sequence[str]) -> None:
    for key in table:
        if key not in keys:
            raise BadInputError(f"unknown key {_say(section, key)}; there are {', '.join(keys)}")


def _need(table: _Table, key: str, convert: Callable[[object], _T], section: str = "") -> _T:
    if key not in table:
        raise BadInputError(f"{_say(section, key)} is missing")
    try:
        return convert(table[key])
    except ValueError as error:
        raise BadInputError(f"{_say(section, key)}: {error}") from None


def _get(table: _Table, key: str, convert: Callable[[object], _T], default: _T) -> _T:
    return _need(table, key, convert) if key in table else default


def _say(section: str, key: str) -> str:
    return f"{section}.{key}" if section else key


def _name(value: object) -> str:
    if not isinstance(value, str) or not _NAME.fullmatch(value):
        raise ValueError(f"{value!r} is no name: letters, digits and . _ - only, 40 at most")
    return value


def _at_least(least: int) -> Callable[[object], int]:
    def read(value: object) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or value < least:
            raise ValueError(f"{value!r} is no whole number from {least} on")
        return value

    return read


def _leaderboard(value: object) -> Leaderboard:
    try:
        return Leaderboard(value)
    except ValueError:
        known = ", ".join(each.value for each in Leaderboard)
        raise ValueError(f"{value!r} is not one of {known}") from None


def _starters(value: object) -> tuple[str, ...]:
    if not _is_list(value) or any(each not in HOUSE_BOTS for each in value):
        raise ValueError(f"{value!r} is no list of bundled bots; there are {', '.join(HOUSE_BOTS)}")
    return tuple(str(each) for each in value)


def _instant(value: object) -> float:
    return instant_of(value)


def _instant_or_hand(value: object) -> float:
    return BY_HAND if value == _BY_HAND else instant_of(value)


def _table(value: object) -> _Table:
    if not _is_table(value):
        raise ValueError("expected a table")
    return value


def _tables(value: object) -> Sequence[_Table]:
    if not _is_list(value):
        raise ValueError("expected [[finals]] tables")
    return [_table(each) for each in value]


def _is_list(value: object) -> TypeGuard[list[object]]:
    return isinstance(value, list)


def _is_table(value: object) -> TypeGuard[_Table]:
    return isinstance(value, dict)
