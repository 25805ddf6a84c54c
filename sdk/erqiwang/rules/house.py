"""House profiles: a profile written in TOML, as changes to one of the catalogue.

    slug = "friday"
    base = "classic"

    [switches]
    throw_rule = "max_now"

    [rules]
    bid_high = 100
    bid_bands = [{ floor = 85, value = 1 }, { floor = 0, value = 2 }]

The keys of `rules` are the fields of `Profile`; what may be absent is written `false`. What was read has one
switch, `definition`, the hash of all its rules: records name it, so that no other game passes for this one.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass, replace
from enum import Enum
from types import MappingProxyType
from typing import Any, TypeAlias, TypeGuard, TypeVar, cast

from erqiwang.rules.catalogue import PROFILES
from erqiwang.rules.fault import FaultCause
from erqiwang.rules.profile import (
    Band,
    BonusRow,
    Level,
    MadeTier,
    NoTrumpTractors,
    Profile,
    RankExtra,
    ThrowRule,
)
from erqiwang.rules.soundness import check_profile
from erqiwang.rules.switches import switched

_T = TypeVar("_T")
_Reader: TypeAlias = Callable[[object, str], object]
_DIGITS = 32
_NAME_MAX = 64
_NO_SWITCHES: Mapping[str, str] = MappingProxyType({})

DEFINITION = "definition"
"""The switch of a house profile: the hash of its rules."""


def read_profile(text: str, switches: Mapping[str, str] = _NO_SWITCHES) -> Profile:
    """Read a house profile; `switches` go before those of the text.

    Raises `ValueError` naming the wrong key, or fields that cannot be together.
    """
    import tomllib  # here, as few programs read such a text and all of them import the rule book

    try:
        top: dict[str, object] = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"not TOML: {error}") from None
    except ValueError:
        raise ValueError("not TOML: a number has too many digits") from None
    except RecursionError:
        raise ValueError("not TOML: lists or tables are nested too deeply") from None
    _known(top, ("slug", "base", "switches", "rules"), "")
    slug, base = _name(top.get("slug")), _text(top.get("base"), "base")
    if base not in PROFILES:
        raise ValueError(f"base: no such profile: {base!r}; there are {', '.join(PROFILES)}")
    chosen = {
        name: _text(answer, f"switches.{name}")
        for name, answer in _table(top.get("switches", {}), "switches").items()
    }
    rules = _table(top.get("rules", {}), "rules")
    return _defined(switched(PROFILES[base], {**chosen, **switches}), slug, rules)


def definition_of(profile: Profile) -> dict[str, object]:
    """Write down all rules of a profile, as `read_definition` reads them and JSON can hold them."""
    rules = {name: _plain(getattr(profile, name)) for name in _READERS}
    rules["charm"] = {cause.name.lower(): points for cause, points in profile.charm}
    return {"slug": profile.slug, "rules": rules}


def read_definition(value: object) -> Profile:
    """Read what `definition_of` wrote; raise `ValueError` naming the wrong key."""
    top = _table(value, DEFINITION)
    _known(top, ("slug", "rules"), "")
    slug, rules = _name(top.get("slug")), _table(top.get("rules"), "rules")
    for name in _READERS:
        if name not in rules:
            raise ValueError(f"rules.{name}: missing")
    return _defined(next(iter(PROFILES.values())), slug, rules)


def is_house(profile: Profile) -> bool:
    """Whether a profile is defined by a house and not by the catalogue."""
    return profile.slug not in PROFILES


def _defined(base: Profile, slug: str, rules: Mapping[str, object]) -> Profile:
    """Return a profile with its rules checked and its switch set."""
    from hashlib import sha256

    _known(rules, _READERS, "rules.")
    changes: dict[str, Any] = {name: _READERS[name](value, f"rules.{name}") for name, value in rules.items()}
    profile = replace(base, slug=slug, questions=(), switches=(), **changes)
    check_profile(profile)
    written = json.dumps(definition_of(profile)["rules"], sort_keys=True, separators=(",", ":"))
    return replace(profile, switches=((DEFINITION, sha256(written.encode()).hexdigest()[:_DIGITS]),))


def _name(value: object) -> str:
    slug = _text(value, "slug")
    letters = slug.replace("-", "")
    if slug in PROFILES or not letters.isalnum() or not slug.isascii() or len(slug) > _NAME_MAX:
        raise ValueError(
            f"slug: {slug!r} is not a new name of letters, digits and hyphens, at most {_NAME_MAX} of them"
        )
    return slug


def _plain(value: object) -> object:
    """Write a field as TOML would hold it."""
    if value is None:
        return False
    if isinstance(value, Enum):
        return value.value
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, tuple):
        return [_plain(item) for item in cast("tuple[object, ...]", value)]
    return value


def _known(table: Mapping[str, object], names: Mapping[str, object] | tuple[str, ...], prefix: str) -> None:
    for name in table:
        if name not in names:
            raise ValueError(f"{prefix}{name}: unknown key; there are {', '.join(names)}")


def _is_table(value: object) -> TypeGuard[dict[str, object]]:
    return isinstance(value, dict)


def _is_list(value: object) -> TypeGuard[list[object]]:
    return isinstance(value, list)


def _table(value: object, path: str) -> dict[str, object]:
    if not _is_table(value):
        raise ValueError(f"{path}: expected a table")
    return value


def _items(value: object, path: str) -> list[tuple[object, str]]:
    if not _is_list(value):
        raise ValueError(f"{path}: expected a list")
    return [(item, f"{path}[{index}]") for index, item in enumerate(value)]


def _text(value: object, path: str) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{path}: expected a text")
    return value


def _integer(value: object, path: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise ValueError(f"{path}: expected a whole number")
    return value


def _integer_or_none(value: object, path: str) -> int | None:
    return None if value is False else _integer(value, path)


def _truth(value: object, path: str) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"{path}: expected true or false")
    return value


def _integers(value: object, path: str) -> tuple[int, ...]:
    return tuple(_integer(item, place) for item, place in _items(value, path))


def _choice(kind: type[Enum]) -> _Reader:
    def read(value: object, path: str) -> object:
        for member in kind:
            if member.value == value:
                return member
        raise ValueError(f"{path}: expected one of {', '.join(str(member.value) for member in kind)}")

    return read


def _rows(kind: type[_T], **readers: _Reader) -> _Reader:
    """Return a reader of lists of tables, each table one value with these fields."""

    def read(value: object, path: str) -> tuple[_T, ...]:
        return tuple(_row(kind, readers, item, place) for item, place in _items(value, path))

    return read


def _row(kind: type[_T], readers: Mapping[str, _Reader], value: object, path: str) -> _T:
    table = _table(value, path)
    _known(table, readers, f"{path}.")
    for field in fields(kind):  # type: ignore[arg-type]  # every kind given is a dataclass
        if field.name not in table and field.default is MISSING:
            raise ValueError(f"{path}.{field.name}: missing")
    return kind(**{name: readers[name](item, f"{path}.{name}") for name, item in table.items()})


def _pairs(value: object, path: str) -> tuple[tuple[int, int], ...]:
    rows = [(item, _integers(item, place), place) for item, place in _items(value, path)]
    for _, numbers, place in rows:
        if len(numbers) != 2:
            raise ValueError(f"{place}: expected two numbers")
    return tuple((numbers[0], numbers[1]) for _, numbers, _ in rows)


def _charm(value: object, path: str) -> tuple[tuple[FaultCause, int], ...]:
    causes = {cause.name.lower(): cause for cause in FaultCause}
    table = _table(value, path)
    _known(table, causes, f"{path}.")
    return tuple((causes[name], _integer(points, f"{path}.{name}")) for name, points in table.items())


_BANDS = _rows(Band, floor=_integer, value=_integer)
_READERS: Mapping[str, _Reader] = {
    "ranks": _text,
    "copies": _integer,
    "seats": _integer,
    "hand_size": _integer,
    "kitty_size": _integer,
    "random_opener": _truth,
    "bid_high": _integer,
    "bid_low": _integer,
    "bid_step": _integer,
    "forced_bid": _integer_or_none,
    "no_trump": _truth,
    "no_trump_tractors": _choice(NoTrumpTractors),
    "tractor_owed": _truth,
    "throw_rule": _choice(ThrowRule),
    "void_reports": _integer,
    "kitty_needs_trump": _truth,
    "kitty_multipliers": _integers,
    "bid_bands": _BANDS,
    "step_points": _integer,
    "made_by_steps": _truth,
    "made_tiers": _rows(
        MadeTier, steps=_integer, bid_from=_integer, bid_to=_integer, points_to=_integer, half_bid=_truth
    ),
    "down_steps_max": _integer_or_none,
    "surrender_bands": _BANDS,
    "bonus_rows": _rows(
        BonusRow,
        jokers=_integer,
        value=_integer,
        main7=_truth,
        off7=_integer,
        main2=_truth,
        off2=_integer,
        further_trumps=_integer,
        side_pairs=_integer,
    ),
    "bonus_extras": _rows(RankExtra, cards=_integer, pairs=_integer, value=_integer),
    "bonus_bids": _pairs,
    "bonus_with_kitty": _truth,
    "has_room": _truth,
    "room_on_bonus": _truth,
    "levels": _rows(Level, threshold=_integer, name=_text),
    "charm": _charm,
    "forfeit_points": _integer,
}
