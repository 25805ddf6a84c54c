"""Shapes of cards: single, pair, tractor, throw; and the runs of pairs that follow duty compares.

A set of cards is two integers in the bits of an `Order`: the types held at least once and those held twice.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations, product

from erqiwang.rules.order import Order, bits_of
from erqiwang.rules.suit import Shape, ShapeKind, Suit

__all__ = [
    "Shape",
    "ShapeKind",
    "best_runs",
    "is_run",
    "largest_unit",
    "owed_runs",
    "pair_choices",
    "shape_of",
    "tractors_in",
]


@lru_cache(maxsize=1 << 14)
def shape_of(order: Order, once: int, twice: int) -> Shape | None:
    """Return the shape of a set that is not empty, or `None` if it has more than one effective suit.

    R-19, R-20, R-22: a tractor has exactly one pair on each of two or more neighbouring levels.
    """
    suit = order.suit_of(once)
    if suit is None:
        return None
    size = once.bit_count() + twice.bit_count()
    if size == 1:
        return order.single(once)
    strength = order.strengths[1 << once.bit_length() - 1]
    if once == twice and size == 2:
        return Shape(ShapeKind.PAIR, size, 1, suit, strength, suit.mask, suit.contest)
    if once == twice and is_run(suit, once):
        return Shape(ShapeKind.TRACTOR, size, size // 2, suit, strength, suit.mask, suit.contest)
    return Shape(ShapeKind.THROW, size, 0, suit, 0, suit.mask, suit.contest)


def is_run(suit: Suit, pairs: int) -> bool:
    """Whether some pairs of a suit, given as bits, lie one by one on neighbouring levels."""
    if not suit.is_flat:
        levels = level_mask(suit, pairs)
        return levels.bit_count() == pairs.bit_count() and _is_block(levels)
    return _is_block(pairs)


def _is_block(mask: int) -> bool:
    return not mask & mask + (mask & -mask)


@lru_cache(maxsize=1 << 14)
def level_mask(suit: Suit, pairs: int) -> int:
    """Return the levels of some pairs of a suit, as bits."""
    mask = 0
    for bit in bits_of(pairs >> suit.shift):
        mask |= 1 << suit.levels[bit.bit_length() - 1]
    return mask


@lru_cache(maxsize=1 << 15)
def best_runs(suit: Suit, pairs: int, limit: int) -> tuple[int, ...]:
    """Return the greatest list of runs that some pairs of a suit can show (R-62 to R-65, rule book 4.5).

    The list is not increasing and sums to at most `limit`; each entry is the length of a run of pairs on
    neighbouring levels (1 for a lone pair), and the runs are disjoint. Lists compare as texts do: the first
    difference decides, a longer list is greater than its beginning.
    """
    return _best(suit.counts(pairs), limit, limit)


@lru_cache(maxsize=1 << 15)
def _best(counts: tuple[int, ...], rest: int, longest: int) -> tuple[int, ...]:
    for length in range(min(rest, longest), 0, -1):
        candidates = [
            (length, *_best(_without(counts, start, length), rest - length, length))
            for start in range(len(counts) - length + 1)
            if all(counts[start : start + length])
        ]
        if candidates:
            return max(candidates)
    return ()


def _without(counts: tuple[int, ...], start: int, length: int) -> tuple[int, ...]:
    run = (count - 1 for count in counts[start : start + length])
    return (*counts[:start], *run, *counts[start + length :])


def owed_runs(suit: Suit, pairs: int, limit: int, tractor_owed: bool) -> tuple[int, ...]:
    """Return the runs that count when `limit` pairs are asked for.

    Without `tractor_owed` only a run of the full length counts as one; anything else is so many pairs.
    """
    runs = best_runs(suit, pairs, limit)
    if tractor_owed or runs[:1] == (limit,):
        return runs
    return (1,) * sum(runs)


@lru_cache(maxsize=1 << 12)
def pair_choices(suit: Suit, pairs: int, limit: int, tractor_owed: bool) -> tuple[tuple[int, int], ...]:
    """Return, ascending, every choice of `limit` of some pairs that shows the runs owed, as sets of cards."""
    owed = owed_runs(suit, pairs, limit, tractor_owed)
    sums = sorted(sum(chosen) for chosen in combinations(bits_of(pairs), limit))
    return tuple((chosen, chosen) for chosen in sums if owed_runs(suit, chosen, limit, tractor_owed) == owed)


@lru_cache(maxsize=1 << 14)
def tractors_in(suit: Suit, pairs: int) -> tuple[int, ...]:
    """Return every tractor within some pairs of a suit, ascending (R-22, R-23)."""
    by_level: list[list[int]] = [[] for _ in range(suit.levels[-1] + 2)]
    for bit in bits_of(pairs):
        by_level[suit.levels[bit.bit_length() - 1 - suit.shift]].append(bit)
    found: list[int] = []
    for start in range(len(by_level)):
        stop = start + 2
        while by_level[start] and by_level[stop - 1]:
            found += map(sum, product(*by_level[start:stop]))
            stop += 1
    return tuple(sorted(found))


def largest_unit(suit: Suit, twice: int) -> int:
    """Return the pairs of the largest unit of a set with these pairs: 0 for singles only (R-39b, 4.3)."""
    return next(iter(best_runs(suit, twice, twice.bit_count())), 0)
