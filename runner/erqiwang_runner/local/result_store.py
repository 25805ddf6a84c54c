"""Where a play keeps its results."""

from typing import Protocol

from erqiwang_runner.played import FaultNote, PlayedSet
from erqiwang_runner.results import ResultReader, Slot


class ResultStore(ResultReader, Protocol):
    """A place for whole board sets: what it took is safe, and it takes each once."""

    def store_set(self, played: PlayedSet) -> None:
        """Keep all tables of a board set, and the faults that happened there, or nothing of it."""
        ...

    def store_faults(self, faults: tuple[FaultNote, ...]) -> None:
        """Keep faults that belong to no board set."""
        ...

    def finished_slots(self) -> frozenset[Slot]:
        """Give the slots whose board sets are kept."""
        ...
