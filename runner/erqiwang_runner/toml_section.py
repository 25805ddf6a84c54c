"""A table of a TOML file that people write: what it may hold, and one message for what is wrong in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeGuard, TypeVar

from erqiwang_runner.errors import BadInputError

TomlTable: TypeAlias = Mapping[str, object]
_T = TypeVar("_T")


class WrongKeyError(BadInputError):
    """A key or a value that the file may not have; the message does not name the file."""


@dataclass(frozen=True, slots=True)
class Section:
    """A table of the file; `name` is "" for the whole. Raises WrongKeyError for a key that is not in `keys`.

    A converter raises ValueError for a value that cannot be.
    """

    name: str
    fields: TomlTable
    keys: Sequence[str]

    def __post_init__(self) -> None:
        for key in self.fields:
            if key not in self.keys:
                raise WrongKeyError(f"unknown key {self._say(key)}; there are {', '.join(self.keys)}")

    def need(self, key: str, convert: Callable[[object], _T]) -> _T:
        """Read a value that must be there; raises WrongKeyError."""
        if key not in self.fields:
            raise WrongKeyError(f"{self._say(key)} is missing")
        try:
            return convert(self.fields[key])
        except ValueError as error:
            raise WrongKeyError(f"{self._say(key)}: {error}") from None

    def get(self, key: str, convert: Callable[[object], _T], default: _T) -> _T:
        """Read a value, or give the default where there is none; raises WrongKeyError."""
        return self.need(key, convert) if key in self.fields else default

    def section(self, key: str, keys: Sequence[str]) -> Section:
        """Read a table within this one, empty where there is none; raises WrongKeyError."""
        return Section(self._say(key), self.get(key, table, {}), keys)

    def sections(self, key: str, keys: Sequence[str]) -> list[Section]:
        """Read the tables of an array, which must be there; raises WrongKeyError."""

        def tables(value: object) -> list[TomlTable]:
            if not is_list(value) or not value:
                raise ValueError(f"expected [[{key}]] tables")
            return [table(each) for each in value]

        found = enumerate(self.need(key, tables), 1)
        return [Section(f"{self._say(key)}[{number}]", each, keys) for number, each in found]

    def _say(self, key: str) -> str:
        return f"{self.name}.{key}" if self.name else key


def at_least(least: int) -> Callable[[object], int]:
    """Make the converter of a whole number."""

    def read(value: object) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or value < least:
            raise ValueError(f"{value!r} is no whole number from {least} on")
        return value

    return read


def table(value: object) -> TomlTable:
    """Convert a table; raises ValueError."""
    if not _is_table(value):
        raise ValueError("expected a table")
    return value


def is_list(value: object) -> TypeGuard[list[object]]:
    """Tell whether a value is an array."""
    return isinstance(value, list)


def _is_table(value: object) -> TypeGuard[TomlTable]:
    return isinstance(value, dict)
