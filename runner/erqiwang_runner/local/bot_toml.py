"""`bot.toml`: what a folder with a bot says about it.

    name = "mybot"
    version = "3"
    command = ["python", "mybot.py", "--depth", "{depth}"]
    profiles = ["classic", "mobile"]
    stateless = true
    files = ["*.py", "weights/*.bin"]

    [options]
    depth = 2

Only `command` is needed. A word of it that names a file of the folder stands for that file, `python` for the
interpreter that runs `erqi`, `{depth}` for the value of an option.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Final, TypeGuard, TypeVar

from erqiwang_runner.errors import BadInputError

NAME: Final = "bot.toml"
_T = TypeVar("_T")
_KEYS: Final = (
    "name",
    "version",
    "command",
    "language",
    "files",
    "profiles",
    "max_tables",
    "stateless",
    "options",
    "resources",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class BotToml:
    """A bot's description. `version` is "" where its files tell it, `profiles` is empty for all."""

    name: str
    version: str = ""
    command: tuple[str, ...]
    language: str = ""
    files: tuple[str, ...] = ()
    profiles: tuple[str, ...] = ()
    stateless: bool = False
    options: Mapping[str, str] = field(default_factory=dict[str, str])


def read_bot_toml(folder: Path) -> BotToml:
    """Read the description of the bot in a folder; raises BadInputError that names the wrong key."""
    path = folder / NAME
    try:
        fields: dict[str, object] = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise BadInputError(f"{folder} has no {NAME}; `erqi new` writes one") from None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadInputError(f"{path}: {error}") from None
    for key in fields:
        if key not in _KEYS:
            raise BadInputError(f"{path}: unknown key {key!r}; there are {', '.join(_KEYS)}")
    read = _Reader(path, fields)
    return BotToml(
        name=read.get("name", _text, folder.absolute().name),
        version=read.get("version", _version, ""),
        command=read.need("command", _words),
        language=read.get("language", _text, ""),
        files=read.get("files", _words, ()),
        profiles=read.get("profiles", _words, ()),
        stateless=read.get("stateless", _truth, False),
        options=read.get("options", _options, MappingProxyType({})),
    )


class _Reader:
    """Reads keys of one file; a wrong value is said with file and key."""

    def __init__(self, path: Path, fields: Mapping[str, object]) -> None:
        self._path = path
        self._fields = fields

    def need(self, key: str, convert: Callable[[object], _T]) -> _T:
        if key not in self._fields:
            raise BadInputError(f"{self._path}: {key} is missing")
        try:
            return convert(self._fields[key])
        except ValueError as error:
            raise BadInputError(f"{self._path}: {key}: {error}") from None

    def get(self, key: str, convert: Callable[[object], _T], default: _T) -> _T:
        return self.need(key, convert) if key in self._fields else default


def _text(value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValueError("expected a text")
    return value


def _version(value: object) -> str:
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else _text(value)


def _truth(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError("expected true or false")
    return value


def _words(value: object) -> tuple[str, ...]:
    if not _is_list(value) or not value:
        raise ValueError('expected a list of texts, such as ["python", "mybot.py"]')
    return tuple(_text(each) for each in value)


def _options(value: object) -> Mapping[str, str]:
    if not _is_table(value):
        raise ValueError("expected a table of names and default values")
    return MappingProxyType({name: _option(name, each) for name, each in value.items()})


def _option(name: str, value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float | str):
        return str(value)
    raise ValueError(f"{name}: the default is a text, a number or true or false")


def _is_list(value: object) -> TypeGuard[list[object]]:
    return isinstance(value, list)


def _is_table(value: object) -> TypeGuard[dict[str, object]]:
    return isinstance(value, dict)
