"""Set types: who sits where at the tables of one board.

A set type is data: for each table and seat a *column*, and for each column the letter of the entry that plays
it. Two columns with the same letter are two copies of one bot. Because a player is one process for one
(entry, table, column), it meets each deal once however often the set is played.

The condition that every set type is checked for: let n(c, s) be the number of tables where entry c sits on
seat s. Every effect of the hand, the seat and the first bid cancels from the difference of two entries' means
per play if and only if n(c, s) does not depend on s, for each c.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from types import MappingProxyType
from typing import Final, TypeAlias

Row: TypeAlias = tuple[int, ...]
"""The column on each seat of one table."""

Square: TypeAlias = tuple[Row, ...]
"""The tables of one board."""


@dataclass(frozen=True, slots=True)
class SetType:
    """A duplicate seating.

    `letters` holds the entry letter of each column, `squares` what is played on the boards n = 0, 1, 2, … of
    a group, over and over. A group should get a multiple of `len(squares)` boards: only then are neighbours
    balanced, too.
    """

    name: str
    letters: str
    squares: tuple[Square, ...]
    is_for_practice: bool = False
    """Whether it need not be fair, because no result of it is ever compared."""

    def __post_init__(self) -> None:
        for square in () if self.is_for_practice else self.squares:
            _check_square(self.name, self.letters, square)

    @property
    def seats(self) -> int:
        """Seats at a table: k."""
        return len(self.squares[0][0])

    @property
    def tables(self) -> int:
        """Tables of a board: T."""
        return len(self.squares[0])

    @property
    def columns(self) -> int:
        """Number of columns; a table may use only some of them."""
        return len(self.letters)

    @property
    def entries(self) -> int:
        """Number of different entries in a group: m."""
        return len(set(self.letters))

    @property
    def cycle(self) -> int:
        """After how many boards the squares repeat."""
        return len(self.squares)

    def square(self, n: int) -> Square:
        """Give the columns by table and seat on the n-th board of a group."""
        return self.squares[n % len(self.squares)]

    def place(self, column: int) -> int:
        """Give the place, in a group, of the entry that plays a column."""
        return sorted(set(self.letters)).index(self.letters[column])

    def seating(self, group: Sequence[int], n: int) -> Square:
        """Give the entries by table and seat on the n-th board of a group of `entries` entries.

        >>> get_set_type("klein4").seating((7, 8, 9, 10), 0)[1]
        (8, 7, 10, 9)
        """
        if len(group) != self.entries:
            raise ValueError(f"{self.name} seats {self.entries} entries, not {len(group)}")
        entry = [group[self.place(column)] for column in range(self.columns)]
        return tuple(tuple(entry[column] for column in row) for row in self.square(n))


def seat_counts(rows: Iterable[Row]) -> dict[int, tuple[int, ...]]:
    """Count how often each occupant has each seat: n(c, s)."""
    table = list(rows)
    counts = Counter((occupant, seat) for row in table for seat, occupant in enumerate(row))
    occupants = sorted({occupant for row in table for occupant in row})
    return {each: tuple(counts[each, seat] for seat in range(len(table[0]))) for each in occupants}


def is_seat_balanced(rows: Iterable[Row]) -> bool:
    """Tell whether n(c, s) does not depend on s, for each occupant c."""
    return all(len(set(counts)) == 1 for counts in seat_counts(rows).values())


def pair_counts(rows: Iterable[Row]) -> Counter[tuple[int, int, int, int]]:
    """Count how often the occupants (i, j) have the ordered seats (s, t), as (i, j, s, t)."""
    return Counter(
        (row[s], row[t], s, t)
        for row in rows
        for s, t in permutations(range(len(row)), 2)
        if row[s] != row[t]
    )


def get_set_type(name: str) -> SetType:
    """Look a set type up by its name; raises LookupError that lists the known ones."""
    try:
        return SET_TYPES[name]
    except KeyError:
        raise LookupError(f"no set type {name!r}; known: {', '.join(SET_TYPES)}") from None


def default_set_type(seats: int, entries: int) -> SetType:
    """Choose the set type for tables of `seats` seats and groups of `entries` entries.

    Three entries at four seats get a filler as the fourth.
    """
    try:
        return SET_TYPES[_DEFAULTS[seats, entries]]
    except KeyError:
        raise LookupError(f"no set type seats {entries} entries at {seats} seats") from None


def _check_square(name: str, letters: str, square: Square) -> None:
    """Refuse data that would not be fair: a column with two seats, or an entry with a favourite seat."""
    for row in square:
        if len(set(row)) != len(row):
            raise ValueError(f"{name}: a column has two seats in {row}")
    by_letter = [tuple(ord(letters[column]) for column in row) for row in square]
    if not is_seat_balanced(by_letter):
        raise ValueError(f"{name}: an entry has not every seat equally often in {square}")


def _digits(text: str) -> Square:
    return tuple(tuple(int(digit) for digit in row) for row in text.split())


def _copies(letters: str, text: str) -> Square:
    """Read tables written in entry letters; the lower copy of an entry gets its lower seat."""
    return tuple(_copies_row(letters, row) for row in text.split())


def _copies_row(letters: str, row: str) -> Row:
    free = {letter: [column for column, each in enumerate(letters) if each == letter] for letter in letters}
    return tuple(free[letter].pop(0) for letter in row)


def _rotations(order: Row) -> Square:
    return tuple(order[start:] + order[:start] for start in range(len(order)))


def _splits(seats: int, size: int) -> str:
    """Write every table on which A has `size` of the seats and B the others."""
    chosen = combinations(range(seats), size)
    return " ".join("".join("A" if seat in side else "B" for seat in range(seats)) for side in chosen)


def _recoloured(square: Square, columns: Row) -> Square:
    return tuple(tuple(columns[column] for column in row) for row in square)


def _double3() -> tuple[Square, ...]:
    """Seat three entries at four seats: each in turn plays a second copy, on every square."""
    return tuple(_recoloured(KLEIN[n % 3], (0, 2, 4, 2 * ((n + n // 3) % 3) + 1)) for n in range(9))


def _field8() -> tuple[Square, ...]:
    """Seat A, then B, against the same three reference bots."""
    return tuple(_recoloured(q, (0, 2, 3, 4)) + _recoloured(q, (1, 2, 3, 4)) for q in KLEIN)


KLEIN: Final[tuple[Square, ...]] = (
    _digits("0123 1032 2301 3210"),
    _digits("0231 1320 2013 3102"),
    _digits("0312 1203 2130 3021"),
)
"""Three pairwise orthogonal squares; their union is the alternating group A4.

Each of the 144 combinations of an ordered pair of entries and an ordered pair of seats occurs in it exactly
once.
"""

_LONE8: Final = f"{_splits(4, 1)} {_splits(4, 3)}"
_SIX22: Final = _splits(4, 2)

SET_TYPES: Final[Mapping[str, SetType]] = MappingProxyType(
    {
        each.name: each
        for each in (
            SetType("klein4", "ABCD", KLEIN),
            SetType("klein4h", "ABCH", KLEIN),
            SetType("cyclic4", "ABCD", tuple(_rotations((0, *rest)) for rest in permutations((1, 2, 3)))),
            SetType("a4", "ABCD", (KLEIN[0] + KLEIN[1] + KLEIN[2],)),
            SetType("all24", "ABCD", (tuple(permutations(range(4))),)),
            SetType("double3", "AABBCC", _double3()),
            SetType(
                "pair22",
                "AABB",
                tuple(_copies("AABB", rows) for rows in ("ABAB BABA", "AABB BBAA", "ABBA BAAB")),
            ),
            SetType("six22", "AABB", (_copies("AABB", _SIX22),)),
            SetType("lone8", "AAABBB", (_copies("AAABBB", _LONE8),)),
            SetType("all14", "AAABBB", (_copies("AAABBB", f"{_SIX22} {_LONE8}"),)),
            SetType("field8", "ABRST", _field8()),
            SetType("cyc3", "ABC", (_rotations((0, 1, 2)), _rotations((0, 2, 1)))),
            SetType("all6", "ABC", (tuple(permutations(range(3))),)),
            SetType(
                "pair21", "AABB", tuple(_copies("AABB", rows) for rows in ("BAA ABB", "ABA BAB", "AAB BBA"))
            ),
            SetType("six21", "AABB", (_copies("AABB", f"{_splits(3, 1)} {_splits(3, 2)}"),)),
        )
    }
)
"""Every set type by its name."""

_DEFAULTS: Final[Mapping[tuple[int, int], str]] = MappingProxyType(
    {(4, 4): "klein4", (4, 3): "klein4h", (4, 2): "pair22", (3, 3): "cyc3", (3, 2): "pair21"}
)
