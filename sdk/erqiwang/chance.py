"""Random choices that a replay repeats: a seed gives the same ones on every machine and in every version."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from erqiwang.deals import below, random_words

_Item = TypeVar("_Item")


class TableRandom:
    """The random source of one bot at one table, made from the 32-byte seed that the referee offers.

    >>> chance = TableRandom(bytes(32))
    >>> chance.below(6), chance.choice("SHCD"), chance.shuffled([1, 2, 3])
    (4, 'S', [2, 1, 3])
    """

    __slots__ = ("_words",)

    def __init__(self, seed: bytes) -> None:
        self._words = random_words(seed)

    def below(self, limit: int) -> int:
        """Draw a whole number from 0 to limit - 1, all equally likely; `limit` is from 1 to 2**32."""
        return below(self._words, limit)

    def choice(self, items: Sequence[_Item]) -> _Item:
        """Draw one of the items, all equally likely; raises `IndexError` if there are none."""
        if not items:
            raise IndexError("there is nothing to choose from")
        return items[below(self._words, len(items))]

    def shuffled(self, items: Sequence[_Item]) -> list[_Item]:
        """Put the items in random order, all orders equally likely."""
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            chosen = below(self._words, last + 1)
            order[last], order[chosen] = order[chosen], order[last]
        return order
