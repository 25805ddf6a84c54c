"""The plan of a tournament as arithmetic: which boards there are, in which order, and what is claimed.

Nothing of it depends on time or on the order of results. Groups are numbered through all rounds; the boards
of each are n = 0, 1, 2, …. A *stint* is what a group plays before the next group's turn: `lap` boards, or
what is left of them; the groups of a round take turns stint by stint, so that all advance together. The order
of the slots is their `position`: stint after stint. A claim is a stint or a part of it, of no consequence.

The first generation of board n of group g has the deal index n · groups + g within its round, behind the
indices of the rounds before. Generation k adds k · (all board sets): nobody's deal depends on when another
board failed.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise


@dataclass(frozen=True, slots=True)
class Claim:
    """The boards `first_n` to `end_n` - 1 of a group."""

    group: int
    first_n: int
    end_n: int

    def parts(self, size: int) -> "Iterator[Claim]":
        """Cut it into claims of about `size` boards, none of them much smaller than the others.

        >>> [part.end_n - part.first_n for part in Claim(0, 0, 24).parts(7)]
        [6, 6, 6, 6]
        """
        boards = self.end_n - self.first_n
        number = min(boards, max(1, -(-boards // size)))
        bounds = [self.first_n + boards * cut // number for cut in range(number + 1)]
        return (Claim(self.group, *bound) for bound in pairwise(bounds))


@dataclass(frozen=True, slots=True)
class Round:
    """The groups `first` to `end` - 1, which are chosen together; `boards` of each are played."""

    number: int
    first: int
    end: int
    boards: int

    @property
    def groups(self) -> int:
        """How many groups play it."""
        return self.end - self.first

    @property
    def start(self) -> int:
        """How many board sets the rounds before have."""
        return self.first * self.boards


@dataclass(frozen=True, slots=True)
class Plan:
    """A plan of `boards` boards for each of `groups` groups; `rounds` has the groups of each round.

    >>> plan = Plan(groups=2, boards=5, lap=3)
    >>> plan.board_sets, plan.stints, plan.stint(2)
    (10, 4, Claim(group=0, first_n=3, end_n=5))
    """

    groups: int
    boards: int
    lap: int
    rounds: tuple[int, ...] = ()

    @property
    def board_sets(self) -> int:
        """How many board sets are planned."""
        return self.groups * self.boards

    @property
    def stints(self) -> int:
        """How many stints there are."""
        return self.groups * self._laps

    def round_of(self, group: int) -> Round:
        """Give the round that a group plays in, 0 ≤ group < `groups`."""
        return next(each for each in self.each_round() if group < each.end)

    def each_round(self) -> Iterator[Round]:
        """Give the rounds in their order."""
        first = 0
        for number, groups in enumerate(self.rounds or (self.groups,)):
            yield Round(number, first, first + groups, self.boards)
            first += groups

    def stint(self, number: int) -> Claim:
        """Give stint `number`, 0 ≤ number < `stints`."""
        round_ = self.round_of(number // self._laps)
        block, group = divmod(number - round_.first * self._laps, round_.groups)
        first = block * self.lap
        return Claim(round_.first + group, first, min(first + self.lap, self.boards))

    def position(self, group: int, n: int) -> int:
        """Give the place of a slot in the order of the plan, from 0."""
        round_ = self.round_of(group)
        first = n // self.lap * self.lap
        lap = min(self.lap, self.boards - first)
        return round_.start + first * round_.groups + (group - round_.first) * lap + n - first

    def deal_index(self, group: int, n: int, generation: int = 0) -> int:
        """Give the deal index of a generation of a board."""
        round_ = self.round_of(group)
        own = round_.start + n * round_.groups + group - round_.first
        return generation * self.board_sets + own

    @property
    def _laps(self) -> int:
        return -(-self.boards // self.lap)
