"""Words of a closed set on the command line."""

from enum import Enum
from typing import TypeVar

from erqiwang_runner.errors import UsageError

_E = TypeVar("_E", bound=Enum)


def word_of(words: type[_E], text: str, what: str) -> _E:
    """Read a word; raises UsageError that names `what` it is and lists the words."""
    try:
        return words(text)
    except ValueError:
        known = ", ".join(str(each.value) for each in words)
        raise UsageError(f"no {what} {text!r}; there are: {known}") from None
