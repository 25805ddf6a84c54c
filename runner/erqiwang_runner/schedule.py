"""Which groups of entries meet: every group while they are few, else a few base blocks developed cyclically.

A base block {0, a, b, c} of N entries stands for the N groups {g, a+g, b+g, c+g} mod N. In these every entry
appears exactly k times, once at each place of the block, and how often a pair meets depends only on its
distance d = min(|i-j|, N-|i-j|): λ_d is the number of differences d within the blocks (a difference of N/2
counts twice). So ⌊N/2⌋ numbers certify the balance of any number of groups. For a prime N the multiples x·B,
x = 1..(N-1)/2, of any block B meet every pair exactly k(k-1)/2 times.

The efficiency is that of the differences of strengths, against a design in which all pairs meet equally
often::

    E = [(N-1) / Σ_{i≥2} 1/e_i] / r  ÷  [N (k-1) / ((N-1) k)]

with e_i the eigenvalues of Σ over groups of (diag(z) - z zᵀ / k), z the membership of the group, r the mean
number of groups of an entry.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final, TypeAlias

import numpy as np

from erqiwang.deals import below, master_key, random_words
from erqiwang_runner.comparisons import Floats, Ints

Group: TypeAlias = tuple[int, ...]

FEW: Final = 10
"""Up to so many entries every group plays."""

WIDEST_SPREAD: Final = 2
"""A schedule whose pairs meet more unevenly than that is refused unless forced."""

_CANDIDATES: Final = 400
_EXCHANGES: Final = 4000
_SEEDS: Final = 5


@dataclass(frozen=True, slots=True)
class Certificate:
    """What may be printed before play: how often pairs meet, how often entries play, and the efficiency."""

    meetings_min: int
    meetings_max: int
    groups_min: int
    groups_max: int
    efficiency: float

    @property
    def spread(self) -> int:
        """Difference between the most and the fewest meetings of a pair."""
        return self.meetings_max - self.meetings_min

    @property
    def is_acceptable(self) -> bool:
        """Whether pairs meet evenly enough to play without being forced to."""
        return self.spread <= WIDEST_SPREAD

    def __str__(self) -> str:
        meetings, groups = (self.meetings_min, self.meetings_max), (self.groups_min, self.groups_max)
        return f"pairs meet {meetings} times, entries play {groups} groups, efficiency {self.efficiency:.3f}"


@dataclass(frozen=True, slots=True)
class Schedule:
    """Groups of positions 0..entries-1, made one by one: the memory does not grow with their number.

    `blocks` are developed by the shifts 0..`shifts`-1. Play may stop after any multiple of `cycle` groups:
    then all entries have played equally often. `seed` is the text from which the blocks were searched.
    """

    entries: int
    blocks: tuple[Group, ...]
    shifts: int
    seed: str = ""

    def __len__(self) -> int:
        return len(self.blocks) * self.shifts

    def __iter__(self) -> Iterator[Group]:
        return (self.group(number) for number in range(len(self)))

    def group(self, number: int) -> Group:
        """Give group `number`, 0 ≤ number < len, ascending."""
        block, shift = divmod(number, self.shifts)
        return tuple(sorted((place + shift) % self.entries for place in self.blocks[block]))

    @property
    def size(self) -> int:
        """Entries of a group: k."""
        return len(self.blocks[0])

    @property
    def cycle(self) -> int:
        """Groups after which all entries have played equally often."""
        return self.shifts if self.shifts > 1 else len(self.blocks)

    @property
    def certificate(self) -> Certificate:
        """Count meetings and appearances, without listing the groups of a developed schedule."""
        row = _meetings_by_distance(self) if self.shifts > 1 else None
        meetings = _meetings(self) if row is None else row[None, :]
        played = _appearances(self)
        apart = meetings[~np.eye(len(meetings), self.entries, dtype=np.bool_)]
        eigenvalues = _eigenvalues(meetings, played, self.size)
        return Certificate(
            meetings_min=int(apart.min()),
            meetings_max=int(apart.max()),
            groups_min=int(played.min()),
            groups_max=int(played.max()),
            efficiency=_efficiency(eigenvalues, float(played.mean()), self.size),
        )


def make_schedule(entries: int, size: int, cycles: int | None = None, seed: str = "schedule") -> Schedule:
    """Choose a schedule: every group for up to ten entries, else the exact one of a prime or a cyclic one.

    `cycles` is the number of base blocks, in each of which every entry plays `size` groups; by default so
    many as an entry needs to meet each other about `size` - 1 times.
    """
    _check(entries, size)
    if entries <= FEW and cycles is None:
        return every_group(entries, size)
    if cycles is None and _is_prime(entries) and entries <= 4 * FEW:
        return prime_schedule(entries, size)
    return cyclic_schedule(entries, size, cycles or max(1, round((entries - 1) / size)), seed)


def every_group(entries: int, size: int) -> Schedule:
    """Let every group of `size` entries play: λ = C(N-2, k-2)."""
    _check(entries, size)
    return Schedule(entries, tuple(combinations(range(entries), size)), 1)


def prime_schedule(entries: int, size: int) -> Schedule:
    """Give the exactly balanced schedule of a prime number of entries: N(N-1)/2 groups, λ = k(k-1)/2."""
    _check(entries, size)
    if not _is_prime(entries) or entries < 5:
        raise ValueError(f"{entries} is not a prime of 5 or more")
    blocks = (tuple(x * place % entries for place in range(size)) for x in range(1, (entries - 1) // 2 + 1))
    return Schedule(entries, tuple(blocks), entries)


def cyclic_schedule(entries: int, size: int, cycles: int, seed: str = "schedule") -> Schedule:
    """Search base blocks that let pairs meet evenly: greedily, then by exchange, with a few seeds.

    The texts tried are `seed`, `seed/1`, `seed/2`, …; the best result is kept and carries its text.
    """
    _check(entries, size)
    if cycles < 1:
        raise ValueError("a schedule needs at least one cycle")
    texts = [seed, *(f"{seed}/{number}" for number in range(1, _SEEDS))]
    best: Schedule | None = None
    for text in texts:
        found = Schedule(entries, _Search(entries, size, text).blocks(cycles), entries, text)
        if best is None or found.certificate.spread < best.certificate.spread:
            best = found
        if best.certificate.spread <= 1:
            break
    assert best is not None
    return best


class _Search:
    """The search of base blocks with random numbers that are the same on every machine."""

    def __init__(self, entries: int, size: int, seed: str) -> None:
        self._entries = entries
        self._size = size
        self._words = random_words(master_key(f"schedule/{entries}/{size}/{seed}"))
        self._weights = np.full(entries // 2 + 1, float(entries))
        if entries % 2 == 0:
            self._weights[-1] = entries / 2

    def blocks(self, cycles: int) -> tuple[Group, ...]:
        """Find `cycles` blocks."""
        counts = np.zeros(self._entries // 2 + 1, dtype=np.int64)
        chosen: list[Group] = []
        for _ in range(cycles):
            block = self._best_block(counts)
            chosen.append(block)
            counts = counts + self._differences(block)
        return tuple(self._exchanged(chosen, counts))

    def _exchanged(self, chosen: list[Group], counts: Ints) -> list[Group]:
        """Replace random blocks by random ones while the unevenness does not rise."""
        cost = self._cost(counts)
        for _ in range(_EXCHANGES):
            if counts[1:].max() - counts[1:].min() <= 1:
                break
            place, block = below(self._words, len(chosen)), self._random_block()
            changed = counts - self._differences(chosen[place]) + self._differences(block)
            if (after := self._cost(changed)) <= cost:
                chosen[place], counts, cost = block, changed, after
        return chosen

    def _best_block(self, counts: Ints) -> Group:
        candidates = [self._random_block() for _ in range(_CANDIDATES)]
        return min(candidates, key=lambda block: self._cost(counts + self._differences(block)))

    def _random_block(self) -> Group:
        block = {0}
        while len(block) < self._size:
            block.add(below(self._words, self._entries))
        return tuple(sorted(block))

    def _differences(self, block: Group) -> Ints:
        return _differences(block, self._entries)

    def _cost(self, counts: Ints) -> float:
        return float(self._weights[1:] @ counts[1:] ** 2)


def _differences(block: Group, entries: int) -> Ints:
    """Count the differences of a block by distance; that of half the circle counts twice."""
    counts = np.zeros(entries // 2 + 1, dtype=np.int64)
    for a, b in combinations(block, 2):
        distance = min((a - b) % entries, (b - a) % entries)
        counts[distance] += 2 if 2 * distance == entries else 1
    return counts


def _meetings_by_distance(schedule: Schedule) -> Ints:
    """Give how often entry 0 meets each entry of a developed schedule."""
    by_distance = sum((_differences(block, schedule.entries) for block in schedule.blocks), np.int64(0))
    places = np.arange(schedule.entries)
    return np.asarray(by_distance, dtype=np.int64)[np.minimum(places, schedule.entries - places)]


def _meetings(schedule: Schedule) -> Ints:
    matrix = np.zeros((schedule.entries, schedule.entries), dtype=np.int64)
    for group in schedule:
        for a, b in combinations(group, 2):
            matrix[a, b] += 1
            matrix[b, a] += 1
    return matrix


def _appearances(schedule: Schedule) -> Ints:
    if schedule.shifts > 1:
        return np.full(schedule.entries, len(schedule.blocks) * schedule.size, dtype=np.int64)
    counts = Counter(entry for group in schedule for entry in group)
    return np.array([counts[entry] for entry in range(schedule.entries)], dtype=np.int64)


def _eigenvalues(meetings: Ints, played: Ints, size: int) -> Floats:
    """Give the eigenvalues of the information matrix, ascending; one row of it means that it is circulant."""
    if len(meetings) == 1:
        row = -meetings[0] / size
        row[0] = played[0] * (1 - 1 / size)
        return np.sort(np.fft.fft(row).real.astype(np.float64, copy=False))
    matrix = np.diag(played * (1 - 1 / size)) - meetings / size
    return np.linalg.eigvalsh(matrix).astype(np.float64, copy=False)


def _efficiency(eigenvalues: Floats, played: float, size: int) -> float:
    entries = len(eigenvalues)
    rest = eigenvalues[1:]
    if rest[0] <= 1e-9:
        return 0.0  # some entries are not connected with the others
    ideal = entries * (size - 1) / ((entries - 1) * size)
    return (entries - 1) / float((1 / rest).sum()) / played / ideal


def _is_prime(number: int) -> bool:
    return number > 1 and all(number % divisor for divisor in range(2, int(number**0.5) + 1))


def _check(entries: int, size: int) -> None:
    if not 2 <= size <= entries:
        raise ValueError(f"groups of {size} cannot be made of {entries} entries")


def groups_of(schedule: Schedule, entries: Sequence[int]) -> Iterator[Group]:
    """Give the groups as entry ids instead of positions."""
    return (tuple(entries[place] for place in group) for group in schedule)
