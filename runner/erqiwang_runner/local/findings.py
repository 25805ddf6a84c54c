"""What a check saw of a bot, and what that means."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from erqiwang.rules import DecidedBy
from erqiwang_runner.played import FaultNote, PlayedSet

BOT: Final = 0
"""The entry that is checked; the other one is a bundled bot that always decides the same."""


class Level(Enum):
    """How bad a finding is."""

    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


@dataclass(frozen=True, slots=True)
class Finding:
    """One row: what was looked at, what was seen, and what that would cost on a ladder ("" for nothing)."""

    check: str
    level: Level
    seen: str
    cost: str = ""


@dataclass(slots=True)
class Played:
    """One match of the bot: what came of it."""

    sets: list[PlayedSet] = field(default_factory=list[PlayedSet])
    faults: list[FaultNote] = field(default_factory=list[FaultNote])
    start_times_s: tuple[float, ...] = ()

    @property
    def moves(self) -> dict[tuple[int, int], str]:
        """What was played, by board and table."""
        return {
            (each.slot.n, table.result.table): table.moves_hash for each in self.sets for table in each.tables
        }

    @property
    def decision_ms(self) -> list[float]:
        """How long the bot's own decisions took, ascending."""
        return sorted(
            decision.ms
            for each in self.sets
            for table in each.tables
            for decision in table.record.decisions
            if table.result.entries[decision.seat] == BOT and decision.by is DecidedBy.BOT
        )
