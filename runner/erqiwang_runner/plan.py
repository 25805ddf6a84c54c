"""The plan of a tournament as arithmetic: which boards there are, and which of them make a match.

Nothing of it depends on time or on the order of results. Boards are numbered n = 0, 1, 2, … in each group;
the first generation of board n of group g has the deal index n · groups + g, replacements get indices from
groups · boards on. Matches take turns over the groups, so that all groups advance together.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Claim:
    """The boards `first_n` to `end_n` - 1 of a group: what one match plays."""

    group: int
    first_n: int
    end_n: int


@dataclass(frozen=True, slots=True)
class Plan:
    """A plan of `boards` boards for each of `groups` groups, `boards_per_match` of them in a match.

    >>> plan = Plan(groups=2, boards=5, boards_per_match=3)
    >>> plan.board_sets, plan.matches, plan.claim(2)
    (10, 4, Claim(group=0, first_n=3, end_n=5))
    """

    groups: int
    boards: int
    boards_per_match: int

    @property
    def board_sets(self) -> int:
        """How many board sets are planned."""
        return self.groups * self.boards

    @property
    def matches(self) -> int:
        """How many matches play them."""
        return self.groups * -(-self.boards // self.boards_per_match)

    def claim(self, number: int) -> Claim:
        """Give what match `number` plays, 0 ≤ number < `matches`."""
        block, group = divmod(number, self.groups)
        first = block * self.boards_per_match
        return Claim(group, first, min(first + self.boards_per_match, self.boards))

    def deal_index(self, group: int, n: int) -> int:
        """Give the deal index of the first generation of a board."""
        return n * self.groups + group
