"""Clock classes, and how long a match may last under them."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from erqiwang.rules import Profile
from erqiwang_runner.errors import UsageError

LATENCY_MS: Final = 50
START_LIMIT_MS: Final = 30_000
FREE_TIMEOUTS: Final = 3
"""Timed-out decisions at one table that cost only the fallback; one more forfeits the table."""

SOFT_MARGIN_S: Final = 20.0
"""A match that plays on so long after its bound is asked to end; it should have ended by itself."""

HARD_MARGIN_S: Final = 40.0
"""After this its process is killed."""

LEASE_MARGIN_S: Final = 60.0
"""After this, and without progress, the match belongs to others."""

BEAT_S: Final = 10.0
"""How often a worker says that it still plays a match."""

SILENCE_S: Final = 60.0
"""A worker that said nothing for so long has lost its match; the clocks of all hosts must agree that well."""

VISIBILITY_S: Final = 4 * 3600
"""After this time the broker gives a message that was not acknowledged to another worker, too.

The usual value exceeds every lease. A match that outlasts a shorter one is not played twice: whoever gets the
second message finds the lease held by a worker that lives, and leaves the match alone.
"""

OTHER_DECISIONS: Final = 3
"""Decisions of a player at a table besides its tricks: bids, trump, burying; an estimate for the bank."""


@dataclass(frozen=True, slots=True)
class ClockClass:
    """Limits of a player: `move_ms` for a decision, `bank_ms` for each decision of a table together."""

    name: str
    move_ms: int
    decision_bank_ms: int

    def bank_ms(self, profile: Profile) -> int:
        """Give the bank of a player for one table."""
        return self.decision_bank_ms * (profile.hand_size + OTHER_DECISIONS)

    def match_bound_s(self, profile: Profile, boards: int) -> float:
        """Bound the time of a match: every player uses up its bank and its free timeouts on every board."""
        player_ms = self.bank_ms(profile) + (FREE_TIMEOUTS + 1) * (self.move_ms + LATENCY_MS)
        return (START_LIMIT_MS + boards * profile.seats * player_ms) / 1000


CLOCK_CLASSES: Final[Mapping[str, ClockClass]] = MappingProxyType(
    {
        each.name: each
        for each in (
            ClockClass("fast", 1_000, 60),
            ClockClass("normal", 5_000, 300),
            ClockClass("slow", 30_000, 2_000),
        )
    }
)


def get_clock_class(name: str) -> ClockClass:
    """Look a clock class up by its name."""
    try:
        return CLOCK_CLASSES[name]
    except KeyError:
        raise UsageError(f"no clock class {name!r}; known: {', '.join(CLOCK_CLASSES)}") from None
