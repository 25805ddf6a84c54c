"""How a player ended, and whose fault that is."""

from __future__ import annotations

from dataclasses import dataclass

from erqiwang.rules import FaultCause


@dataclass(frozen=True, slots=True)
class Exit:
    """What the launcher knows of a player's end: exit code or signal, and whether the platform did it."""

    code: int | None = None
    signal: int | None = None
    out_of_memory: bool = False
    by_us: bool = False

    @property
    def cause(self) -> FaultCause:
        """Whose fault the end is, for a player in the middle of a match."""
        if self.by_us or self.out_of_memory:
            return FaultCause.PLATFORM
        if self.code == 0:
            return FaultCause.LEFT
        return FaultCause.CRASHED

    def __str__(self) -> str:
        if self.out_of_memory:
            return "ended because the host ran out of memory"
        how = f"signal {self.signal}" if self.signal is not None else f"exit code {self.code}"
        return f"ended by the platform with {how}" if self.by_us else f"ended with {how}"
