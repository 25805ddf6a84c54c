"""Results as the statistics see them: immutable, without a database, in slot order.

A `TableResult` is one play of a board, a `BoardSet` the tables of one board that are compared with each
other. The `ResultReader` is the seam to whatever stores them.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import groupby
from typing import Protocol

from erqiwang.rules import FaultCause


class EntryRole(Enum):
    """What an entry is in a tournament for."""

    CONTESTANT = "contestant"
    """Rated and ranked."""
    ANCHOR = "anchor"
    """Rated and ranked; a frozen house bot whose mean rating is the zero of the scale."""
    FILLER = "filler"
    """Fills a seat; pairs with it are left out of ratings and standings."""


class FaultPolicy(Enum):
    """What a forfeited table costs."""

    FORFEIT = "forfeit"
    """The offender loses against everybody; the innocent pairs of the board set are void."""
    AUTOPLAY = "autoplay"
    """The table is settled with the autoplayed cards and counts like any other (R-73)."""


class Isolation(Enum):
    """What kept the bots of a rating pool apart."""

    ISOLATED = "isolated"
    """They are the platform's own."""
    OPEN = "open"
    """Somebody else's, unsandboxed or on their authors' machines: nobody knows what they told each other."""


@dataclass(frozen=True, slots=True, order=True)
class Slot:
    """The n-th board of a group of entries in an epoch: the place in the plan, whatever the time of play."""

    epoch: int
    group: int
    n: int


@dataclass(frozen=True, slots=True)
class TableResult:
    """One table as it was played and settled; the tuples are by seat.

    `entries` are entry ids, `columns` the columns of the set type, `scores` the net points, which sum to 0,
    and `forfeits` tells which seats forfeited the table. `declarer` is None at a passed-out table.
    """

    epoch: int
    group: int
    n: int
    generation: int
    table: int
    entries: tuple[int, ...]
    columns: tuple[int, ...]
    scores: tuple[int, ...]
    declarer: int | None
    forfeits: tuple[bool, ...]

    def __post_init__(self) -> None:
        lengths = {len(self.entries), len(self.columns), len(self.scores), len(self.forfeits)}
        if len(lengths) != 1:
            raise ValueError(f"table {self.key} has tuples of different lengths: {sorted(lengths)}")
        if sum(self.scores) != 0:
            raise ValueError(f"table {self.key} has scores that do not sum to 0: {self.scores}")
        if self.declarer is not None and not 0 <= self.declarer < len(self.entries):
            raise ValueError(f"table {self.key} has no seat {self.declarer} for its declarer")

    @property
    def slot(self) -> Slot:
        """The slot that the table belongs to."""
        return Slot(self.epoch, self.group, self.n)

    @property
    def key(self) -> tuple[int, int, int, int, int]:
        """The identity of the table in its tournament: (epoch, group, n, generation, table)."""
        return (self.epoch, self.group, self.n, self.generation, self.table)


@dataclass(frozen=True, slots=True)
class BoardSet:
    """The tables of one board, ordered by their number: the atom of every statistic."""

    slot: Slot
    generation: int
    tables: tuple[TableResult, ...]

    def __post_init__(self) -> None:
        if not self.tables:
            raise ValueError(f"{self.slot} has a board set without tables")
        for number, table in enumerate(self.tables):
            if table.slot != self.slot or table.generation != self.generation or table.table != number:
                raise ValueError(f"table {table.key} is not table {number} of {self.slot}.{self.generation}")

    @property
    def key(self) -> tuple[Slot, int]:
        """The identity of the board set in its tournament, and the order in which statistics take them."""
        return (self.slot, self.generation)

    @property
    def seats(self) -> int:
        """How many seats its tables have."""
        return len(self.tables[0].entries)

    @property
    def entries(self) -> tuple[int, ...]:
        """The entries that played it, ascending."""
        return tuple(sorted({entry for table in self.tables for entry in table.entries}))

    @property
    def offenders(self) -> frozenset[int]:
        """The entries that forfeited at least one of its tables."""
        return frozenset(
            entry
            for table in self.tables
            for entry, forfeit in zip(table.entries, table.forfeits, strict=True)
            if forfeit
        )


def board_sets(tables: Iterable[TableResult]) -> tuple[BoardSet, ...]:
    """Put tables, in whatever order they come, together to board sets in slot order."""
    ordered = sorted(tables, key=lambda table: table.key)
    return tuple(
        BoardSet(slot, generation, tuple(group))
        for (slot, generation), group in groupby(ordered, key=lambda table: (table.slot, table.generation))
    )


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of a tournament; `bot` is the text name@version.

    `suspended` marks one that plays no more, `is_remote` one that stays on its author's machine.
    """

    id: int
    bot: str
    role: EntryRole = EntryRole.CONTESTANT
    suspended: bool = False
    is_remote: bool = False


@dataclass(frozen=True, slots=True)
class Tournament:
    """What the standings need to know of a tournament besides its results.

    `pool` is the pool key whose ratings must not be mixed with another's; `verifiable` is False for deals
    from a plain seed text; `forfeit_points` is the positive P of the rule "a forfeit is worth at most -P per
    play".
    """

    id: str
    profile: str
    set_type: str
    pool: str
    policy: FaultPolicy
    forfeit_points: int
    verifiable: bool = False
    isolation: Isolation = Isolation.ISOLATED


class ResultReader(Protocol):
    """Where results come from. Nothing is promised of the order of what is read."""

    def tournament(self, tournament: str | None) -> Tournament:
        """Look a tournament up, or the latest for None; raises LookupError."""
        ...

    def entries(self, tournament: str) -> Sequence[Entry]:
        """List the entries of a tournament."""
        ...

    def board_sets(self, tournament: str) -> Iterable[BoardSet]:
        """Read every finished board set of a tournament."""
        ...

    def faults(self, tournament: str) -> Mapping[int, Mapping[FaultCause, int]]:
        """Count the fault events by entry id and cause; an entry without faults may be missing."""
        ...
