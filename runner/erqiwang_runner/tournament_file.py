"""A tournament as a TOML file: what `erqi tournament create --file` reads.

    name = "spring"
    profile = "classic"
    set_type = "klein4"
    boards = 120
    seed = "spring 2026"

    [switches]
    nt_tractors = "..."

    [format]
    name = "swiss"
    rounds = 5

    [[entries]]
    bot = "counter"
    role = "anchor"

    [[entries]]
    bot = "./mybot"
    options = { depth = 3 }

Only `name`, `boards` and the entries are needed. `docs/hosts.md` explains every key. A wrong file is refused
with its name, the key and what is allowed; nothing is written.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from enum import Enum
from functools import partial
from math import isfinite
from pathlib import Path
from typing import Final, TypeAlias, TypeVar

from erqiwang.rules import PassOut
from erqiwang_runner.errors import BadInputError, RunnerError
from erqiwang_runner.formats import Format, FormatSettings
from erqiwang_runner.local.profile_choice import ProfileChoice, choose_profile
from erqiwang_runner.referee_address import target_of
from erqiwang_runner.results import EntryRole, FaultPolicy
from erqiwang_runner.seeding import by_strength, rating_of, read_seeds
from erqiwang_runner.toml_section import Section, WrongKeyError, at_least, table
from erqiwang_runner.tournament_spec import (
    AUTOMATIC,
    LOOK_BACK,
    DealsMode,
    EntrySpec,
    TournamentSpec,
    default_round_look_back,
)

ReadEntry: TypeAlias = Callable[[str, Mapping[str, str], str], EntrySpec]
"""Makes an entry of a bot's text, its options and the slug of the profile."""

_AUTO: Final = "auto"
_E = TypeVar("_E", bound=Enum)

KEYS: Final = (
    *("name", "profile", "switches", "room", "pass_out", "set_type", "boards", "boards_per_match", "format"),
    *("clock", "fault_policy", "sandbox", "seed", "deals", "entropy_source", "look_back", "round_look_back"),
    *("referee", "entries"),
)
_FORMAT_KEYS: Final = ("name", "rounds", "cycles", "groups", "seed", "seeds_from", "force")
_ENTRY_KEYS: Final = ("bot", "role", "options", "rating")


def read_tournament(path: Path, read_entry: ReadEntry, name: str | None = None) -> TournamentSpec:
    """Read a file; `name` stands in for the one in it. Raises BadInputError."""
    try:
        fields: dict[str, object] = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadInputError(f"{path}: {error.strerror}") from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadInputError(f"{path}: {error}") from None
    try:
        return _spec(Section("", fields, KEYS), path.parent, read_entry, name)
    except WrongKeyError as error:
        raise BadInputError(f"{path}: {error}") from None
    except BadInputError:
        raise
    except RunnerError as error:
        raise BadInputError(f"{path}: {error}") from None


def tournament_of(
    fields: Mapping[str, object], read_entry: ReadEntry, *, name: str, section: str
) -> TournamentSpec:
    """Read the table of a tournament that stands as `section` in another file.

    Raises BadInputError, or what else is wrong with the tournament.
    """
    return _spec(Section(section, fields, KEYS), Path(), read_entry, name)


def _spec(top: Section, folder: Path, read_entry: ReadEntry, name: str | None) -> TournamentSpec:
    name = name or top.need("name", _text)
    profile = _profile(top, folder)
    format_ = _format(section := top.section("format", _FORMAT_KEYS))
    return TournamentSpec(
        name=name,
        seed_text=top.get("seed", _text, name),
        entries=_entries(
            top, section, format_.format, folder, partial(_entry, folder, read_entry, profile.slug)
        ),
        boards=top.need("boards", at_least(1)),
        boards_per_match=top.get("boards_per_match", _boards_per_match, AUTOMATIC),
        profile=profile.slug,
        switches=profile.switches,
        definition=profile.definition,
        room=top.get("room", at_least(1), 1),
        pass_out=top.get("pass_out", _word(PassOut), PassOut.ZERO),
        set_type=top.get("set_type", _text, "klein4"),
        clock_class=top.get("clock", _text, "normal"),
        fault_policy=top.get("fault_policy", _word(FaultPolicy), FaultPolicy.FORFEIT),
        sandbox_level=top.get("sandbox", _text, "none"),
        look_back=top.get("look_back", at_least(0), LOOK_BACK),
        round_look_back=top.get("round_look_back", at_least(0), default_round_look_back(format_)),
        mode=top.get("deals", _word(DealsMode), DealsMode.SEEDED),
        entropy_source=top.get("entropy_source", _text, ""),
        referee=target_of(top.get("referee", _text, "")),
        format=format_,
    )


def _profile(top: Section, folder: Path) -> ProfileChoice:
    text = top.get("profile", _text, "classic")
    switches = top.get("switches", _texts, dict[str, str]())
    # A house profile lies beside the file, whatever the working directory is.
    return choose_profile(str(folder / text) if text.endswith(".toml") else text, switches)


def _format(section: Section) -> FormatSettings:
    return FormatSettings(
        format=section.get("name", _word(Format), Format.ROUND_ROBIN),
        rounds=section.get("rounds", at_least(1), None),
        cycles=section.get("cycles", at_least(1), None),
        groups=section.get("groups", at_least(1), None),
        seed=section.get("seed", _text, "schedule"),
        force=section.get("force", _truth, False),
    )


def _entries(
    top: Section,
    format_section: Section,
    format_: Format,
    folder: Path,
    read: Callable[[Section], EntrySpec],
) -> tuple[EntrySpec, ...]:
    """Read the entries, in the order of their seeds where ratings say it."""
    sections = top.sections("entries", _ENTRY_KEYS)
    entries = [read(each) for each in sections]
    ratings = [each.get("rating", _number, None) for each in sections]
    place = format_section.get("seeds_from", _text, "")
    seeds: Mapping[str, float] = read_seeds(folder / place) if place else {}
    known = [
        rating_of(entry, seeds) if rating is None else rating
        for entry, rating in zip(entries, ratings, strict=True)
    ]
    if place and not any(rating_of(entry, seeds) is not None for entry in entries):
        raise WrongKeyError(f"format.seeds_from: {place} knows none of the entries")
    return by_strength(format_, entries, known)


def _entry(folder: Path, read_entry: ReadEntry, profile: str, section: Section) -> EntrySpec:
    text = section.need("bot", _text)
    # A path is meant from where the file lies, whatever the working directory is.
    beside = folder / text
    try:
        found = read_entry(
            str(beside) if beside.exists() else text, section.get("options", _texts, {}), profile
        )
    except RunnerError as error:
        raise WrongKeyError(f"{section.name}.bot: {error}") from None
    role = section.get("role", _word(EntryRole), found.role)
    return EntrySpec(found.contestant, role, found.options)


def _text(value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"{value!r} is no text")
    return value


def _number(value: object) -> float | None:
    if not isinstance(value, int | float) or isinstance(value, bool) or not isfinite(value):
        raise ValueError(f"{value!r} is no number")
    return float(value)


def _truth(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"{value!r} is neither true nor false")
    return value


def _boards_per_match(value: object) -> int:
    if value == _AUTO:
        return AUTOMATIC
    try:
        return at_least(1)(value)
    except ValueError as error:
        raise ValueError(f'{error}, nor "{_AUTO}"') from None


def _word(words: type[_E]) -> Callable[[object], _E]:
    def read(value: object) -> _E:
        known = {
            str(each.value if isinstance(each.value, str) else each.name.lower()): each for each in words
        }
        if not isinstance(value, str) or value not in known:
            raise ValueError(f"{value!r} is not one of {', '.join(known)}")
        return known[value]

    return read


def _texts(value: object) -> dict[str, str]:
    return {name: _scalar(name, each) for name, each in table(value).items()}


def _scalar(name: str, value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float | str):
        return str(value)
    raise ValueError(f"{name} is neither a text nor a number, true or false")
