"""How the entries of a tournament are called: by their bot, and copies of one bot by their letters too."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""How entries are called in the order of their numbers."""


def letter_of(number: int) -> str:
    """Give the letter of an entry; after Z the numbers go on."""
    return LETTERS[number] if number < len(LETTERS) else f"N{number}"


def entry_names(bots: Sequence[str]) -> list[str]:
    """Name entries so that no two have the same name.

    >>> entry_names(["counter@1", "random@1", "random@1"])
    ['counter@1', 'random@1 (B)', 'random@1 (C)']
    """
    often = Counter(bots)
    return [f"{bot} ({letter_of(number)})" if often[bot] > 1 else bot for number, bot in enumerate(bots)]
