"""Suits in colour, for a terminal."""

from __future__ import annotations

import os
import re
from typing import TextIO

_CARD = re.compile(r"\b(?:([SHCD])[AKQJT2-9]|([BL]J))\b")
_COLOURS = {"S": "34", "H": "31", "C": "32", "D": "33"}
_JOKER = "35"


def wants_colour(stream: TextIO) -> bool:
    """Whether text for a stream should be coloured: a terminal, unless NO_COLOR is set."""
    return stream.isatty() and not os.environ.get("NO_COLOR")


def coloured(text: str) -> str:
    r"""Colour every card of a text by its suit.

    >>> coloured("seat 0: HA BJ")
    'seat 0: \x1b[31mHA\x1b[0m \x1b[35mBJ\x1b[0m'
    """
    return _CARD.sub(_paint, text)


def _paint(match: re.Match[str]) -> str:
    return f"\x1b[{_COLOURS.get(match[1] or '', _JOKER)}m{match[0]}\x1b[0m"
