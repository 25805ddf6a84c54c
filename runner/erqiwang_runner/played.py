"""What a match hands to the store: whole board sets, and what went wrong on the way."""

import hashlib
import json
from dataclasses import dataclass
from typing import Final

from erqiwang.rules import Deal, Event, FaultCause, Reason, Record, record_to_object
from erqiwang_runner.results import Slot, TableResult

MOVES: Final = (
    "auction",
    "declarer",
    "bid",
    "trump",
    "buried",
    "surrender",
    "tricks",
    "announcements",
    "kitty_multiplier",
    "defender_points",
    "play_scores",
    "bonus_scores",
    "scores",
)
"""The fields of a record that the moves hash is of: `auction` to `scores`."""


@dataclass(frozen=True, slots=True)
class PlayedTable:
    """One table as it was played: what the statistics need, and its record."""

    result: TableResult
    record: Record
    deal_hash: str

    @property
    def moves_hash(self) -> str:
        """SHA-256 of the canonical JSON of what was bid, buried, played and scored."""
        fields = record_to_object(self.record)
        moves = json.dumps({name: fields[name] for name in MOVES}, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(moves.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class FaultNote:
    """One fault event of an entry; `place` and `table` say where, if it belongs to a table.

    `log` holds the last words of the player's process.
    """

    entry: int
    cause: FaultCause
    reason: Reason | None
    detail: str
    place: tuple[Slot, int] | None = None
    table: int | None = None
    log: str | None = None


@dataclass(frozen=True, slots=True)
class TableNews:
    """What happened at the followed table of a board; `entries` are by seat, `deals` one for each Dealt."""

    slot: Slot
    entries: tuple[int, ...]
    events: tuple[Event, ...]
    deals: tuple[Deal, ...]


@dataclass(frozen=True, slots=True)
class PlayedSet:
    """The tables of one board of one generation, all of them, and the faults that happened there."""

    slot: Slot
    generation: int
    tables: tuple[PlayedTable, ...]
    faults: tuple[FaultNote, ...] = ()
