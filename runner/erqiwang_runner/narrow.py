"""Lines for a narrow terminal, broken where a reader would break them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Final, TextIO

_BAR: Final = " | "
_INDENT: Final = 6
_LEAST: Final = 20


def columns_of(stream: TextIO) -> int | None:
    """Give the width to write for: COLUMNS, else that of the terminal; None for what is no terminal."""
    told = os.environ.get("COLUMNS", "")
    if told.isdecimal() and int(told) > 0:
        return int(told)
    try:
        return os.get_terminal_size(stream.fileno()).columns or None
    except (OSError, ValueError):
        return None


def narrowed(text: str, columns: int | None) -> str:
    """Break lines that are longer than `columns`: between suits and plays, within them only between cards.

    >>> print(narrowed("  seat 0 ann: BJ S7 | HA HK HQ | CK C9", 26))
      seat 0 ann: BJ S7 |
          HA HK HQ | CK C9
    """
    if columns is None:
        return text
    return "\n".join(part for line in text.split("\n") for part in _parts(line, max(columns, _LEAST)))


def _parts(line: str, columns: int) -> Iterator[str]:
    if len(line) <= columns:
        yield line
        return
    indent = " " * _INDENT
    groups = line.split(_BAR)
    now = ""
    for number, group in enumerate(groups):
        bar = " |" if number + 1 < len(groups) else ""
        piece = f"{group}{bar}"
        if now and len(now) + 1 + len(piece) <= columns:
            now += f" {piece}"
            continue
        if now:
            yield now
        *whole, now = _words(piece if number == 0 else indent + piece, columns, indent)
        yield from whole
    yield now


def _words(text: str, columns: int, indent: str) -> list[str]:
    """Break between words; the blanks that the text begins with stay."""
    if len(text) <= columns:
        return [text]
    start = text[: len(text) - len(text.lstrip())]
    first, *words = text.split()
    lines = [start + first]
    for word in words:
        fits = len(lines[-1]) + 1 + len(word) <= columns
        if fits:
            lines[-1] += f" {word}"
        else:
            lines.append(indent + word)
    return lines
