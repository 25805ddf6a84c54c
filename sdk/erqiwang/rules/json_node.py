"""JSON texts: their objects, whose fields are read by name; an error names the path to the field."""

from __future__ import annotations

import json
from collections.abc import Collection
from enum import Enum
from functools import lru_cache
from typing import TypeGuard, TypeVar

from erqiwang.rules.card import Card, parse_cards
from erqiwang.rules.record import RecordError
from erqiwang.rules.trump import Trump

_E = TypeVar("_E", bound=Enum)
_SINGLES = {card.name: (card,) for card in Card}
"""Most plays are of one card, and are not read word by word."""

LIMIT = 1 << 31
"""Numbers are those that the message of the same content can hold."""

MS_LIMIT = LIMIT / 1000
"""A message holds microseconds."""


def read_json(text: str) -> object:
    """Read a text; raise `RecordError` for what is no JSON, or names a key twice in one object."""
    try:
        value: object = json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse)
    except RecordError:
        raise
    except json.JSONDecodeError as error:
        raise RecordError("", f"not JSON: {error}") from None
    except ValueError:
        raise RecordError("", "not JSON: a number has too many digits") from None
    except RecursionError:
        raise RecordError("", "not JSON: lists or objects are nested too deeply") from None
    return value


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise RecordError(next(key for key in keys if keys.count(key) > 1), "given twice in one object")
    return found


def _refuse(constant: str) -> object:
    raise RecordError("", f"{constant} is no number")


class Node:
    """An object of the text: its fields, all of them known, and where it is.

    Every method reads one field and raises `RecordError` if it holds anything else.
    """

    __slots__ = ("_fields", "_index", "_key", "_parent")

    def __init__(
        self,
        value: object,
        required: Collection[str],
        optional: Collection[str] = (),
        parent: Node | None = None,
        key: str = "",
        index: int | None = None,
    ) -> None:
        self._parent, self._key, self._index = parent, key, index
        self._fields: dict[str, object] = {}
        if not _is_object(value):
            raise RecordError(self._path, "expected an object")
        self._fields = value
        for name in required:
            if name not in value:
                raise self.error(name, "missing")
        if len(value) > len(required):
            for name in value:
                if name not in required and name not in optional:
                    raise self.error(name, "unknown key")

    @property
    def _path(self) -> str:
        """Where the object is; put together only for a message."""
        return "" if self._parent is None else self._parent.path(self._key, self._index)

    def path(self, key: str, index: int | None = None) -> str:
        """Return where a field is, or one entry of its list."""
        own = self._path
        place = f"{own}.{key}" if own else key
        return place if index is None else f"{place}[{index}]"

    def error(self, key: str, detail: str, index: int | None = None) -> RecordError:
        """Return what is wrong with a field, or with one entry of its list."""
        return RecordError(self.path(key, index), detail)

    def has(self, key: str) -> bool:
        """Whether an optional field is there."""
        return key in self._fields

    def is_null(self, key: str) -> bool:
        """Whether a field is `null`."""
        return self._fields[key] is None

    def items(self, key: str) -> list[object]:
        """Read a list of anything."""
        value = self._fields[key]
        if not _is_list(value):
            raise self.error(key, "expected a list")
        return value

    def child(self, key: str, required: Collection[str]) -> Node:
        """Read an object with just these fields."""
        return Node(self._fields[key], required, (), self, key)

    def children(self, key: str, required: Collection[str]) -> list[Node]:
        """Read a list of such objects."""
        return [Node(value, required, (), self, key, index) for index, value in enumerate(self.items(key))]

    def text(self, key: str) -> str:
        """Read a text that can be written again."""
        return self._text(self._fields[key], key)

    def texts(self, key: str) -> dict[str, str]:
        """Read an object of texts."""
        value = self._fields[key]
        if not _is_object(value):
            raise self.error(key, "expected an object")
        place = f"{key}."
        return {
            self._text(name, place + name): self._text(item, place + name) for name, item in value.items()
        }

    def _text(self, value: object, key: str, index: int | None = None) -> str:
        if not isinstance(value, str):
            raise self.error(key, "expected a text", index)
        if not value.isascii() and not _is_unicode(value):
            raise self.error(key, "half of a surrogate pair", index)
        return value

    def integer(self, key: str, low: int = -LIMIT) -> int:
        """Read a whole number of 32 bits, at least `low`."""
        value = self._integer(self._fields[key], key)
        if value < low:
            raise self.error(key, f"expected at least {low}")
        return value

    def integer_or_none(self, key: str) -> int | None:
        """Read a whole number from 0 or `null`."""
        return None if self._fields[key] is None else self.integer(key, low=0)

    def integers(self, key: str) -> tuple[int, ...]:
        """Read a list of whole numbers of 32 bits."""
        return tuple([self._integer(item, key, index) for index, item in enumerate(self.items(key))])

    def _integer(self, value: object, key: str, index: int | None = None) -> int:
        if type(value) is not int:
            raise self.error(key, "expected a whole number", index)
        if not -LIMIT <= value < LIMIT:
            raise self.error(key, "expected a number of 32 bits", index)
        return value

    def boolean(self, key: str) -> bool:
        """Read `true` or `false`."""
        value = self._fields[key]
        if not isinstance(value, bool):
            raise self.error(key, "expected true or false")
        return value

    def milliseconds(self, key: str) -> float:
        """Read a time; it is kept to the microsecond."""
        value = self._fields[key]
        if type(value) is not int and type(value) is not float:
            raise self.error(key, "expected a number")
        if not 0 <= value < MS_LIMIT:
            raise self.error(key, "expected a time in milliseconds")
        return round(float(value), 3)

    def choice(self, key: str, kind: type[_E]) -> _E:
        """Read the name of a member of an enum, in small letters."""
        members = members_of(kind)
        member = members.get(self.text(key))
        if member is None:
            raise self.error(key, f"expected one of {', '.join(members)}")
        return kind[member]

    def trump(self, key: str) -> Trump:
        """Read the letter of a trump."""
        try:
            return Trump.parse(self.text(key))
        except ValueError as error:
            raise self.error(key, str(error)) from None

    def cards(self, key: str) -> tuple[Card, ...]:
        """Read cards."""
        return self._cards(self._fields[key], key)

    def hands(self, key: str) -> tuple[tuple[Card, ...], ...]:
        """Read a list of cards."""
        return tuple([self._cards(item, key, index) for index, item in enumerate(self.items(key))])

    def _cards(self, value: object, key: str, index: int | None = None) -> tuple[Card, ...]:
        text = value if isinstance(value, str) else self._text(value, key, index)
        try:
            return _SINGLES.get(text) or parse_cards(text)
        except ValueError as error:
            raise self.error(key, str(error), index) from None


@lru_cache(maxsize=8)
def members_of(kind: type[Enum]) -> dict[str, str]:
    """Return the names of an enum's members by those of the text."""
    return {member.name.lower(): member.name for member in kind}


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _is_object(value: object) -> TypeGuard[dict[str, object]]:
    return isinstance(value, dict)


def _is_list(value: object) -> TypeGuard[list[object]]:
    return isinstance(value, list)
