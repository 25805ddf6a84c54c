"""Where two JSON values differ, in words; numbers agree if rounding explains the difference."""

from __future__ import annotations

from collections.abc import Iterator
from math import isclose
from typing import Final, TypeGuard

_TOLERANCE: Final = 1e-6


def first_difference(computed: object, claimed: object, path: str = "") -> str | None:
    """Name the first place where a claim differs from what was computed.

    >>> first_difference({"rows": [{"elo": 1500.0}]}, {"rows": [{"elo": 1600.0}]})
    'rows.0.elo is claimed to be 1600.0, computed is 1500.0'
    """
    return next(_differences(computed, claimed, path), None)


def _differences(computed: object, claimed: object, path: str) -> Iterator[str]:
    if _is_object(computed) and _is_object(claimed):
        yield from _of_objects(computed, claimed, path)
    elif _is_list(computed) and _is_list(claimed) and len(computed) == len(claimed):
        for place, (one, other) in enumerate(zip(computed, claimed, strict=True)):
            yield from _differences(one, other, _below(path, str(place)))
    elif not _agree(computed, claimed):
        yield f"{path or 'it'} is claimed to be {claimed!r}, computed is {computed!r}"


def _of_objects(computed: dict[str, object], claimed: dict[str, object], path: str) -> Iterator[str]:
    for name, value in computed.items():
        if name in claimed:
            yield from _differences(value, claimed[name], _below(path, name))
        else:
            yield f"{_below(path, name)} is missing"
    yield from (f"{_below(path, name)} is too much" for name in claimed if name not in computed)


def _agree(computed: object, claimed: object) -> bool:
    if isinstance(computed, float) and isinstance(claimed, int | float):
        return isclose(computed, claimed, rel_tol=_TOLERANCE, abs_tol=_TOLERANCE)
    return computed == claimed


def _below(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _is_object(value: object) -> TypeGuard[dict[str, object]]:
    return isinstance(value, dict)


def _is_list(value: object) -> TypeGuard[list[object] | tuple[object, ...]]:
    return isinstance(value, list | tuple)
