"""Who goes on to the finals, and the order in which everybody ends."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from erqiwang_runner.standings import Standings


@dataclass(frozen=True, slots=True)
class Ranked:
    """A place in the end: the bot, and how many tournaments it took part in after which others went on."""

    rank: int
    entry: str
    stage: int


def order_of(standings: Standings) -> list[int]:
    """Give the numbers of the entries, best first; those on another scale come behind the largest one."""
    tables = sorted(standings.tables, key=lambda table: -len(table.rows))
    return [row.entry.id for table in tables for row in table.rows]


def finalists(order: Sequence[str], barred: Collection[str], places: int) -> tuple[str, ...]:
    """Give the best `places`, without those that may not go on.

    >>> finalists(["a", "b", "c", "d"], {"b"}, 2)
    ('a', 'c')
    """
    return tuple(each for each in order if each not in barred)[:places]


def ranking(stages: Sequence[Sequence[str]]) -> tuple[Ranked, ...]:
    """Rank by the last stage that a bot took part in, and there by its place.

    >>> [each.entry for each in ranking([["a", "b", "c", "d"], ["b", "a"]])]
    ['b', 'a', 'c', 'd']
    """
    found: dict[str, int] = {}
    for stage in range(len(stages) - 1, -1, -1):
        for entry in stages[stage]:
            found.setdefault(entry, stage)
    return tuple(Ranked(rank, entry, stage) for rank, (entry, stage) in enumerate(found.items(), 1))
