"""A session: tables one after another with the same players (R-05, R-75)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from erqiwang.rules.event import Settled
from erqiwang.rules.profile import Profile
from erqiwang.rules.settlement import level_of


@dataclass(frozen=True, slots=True)
class Session:
    """Who opens the next table, and the scores so far by seat."""

    profile: Profile
    opener: int
    scores: tuple[int, ...]
    tables: int = 0

    def after(self, settled: Settled) -> Session:
        """Return the session after a table (R-05)."""
        scores = tuple(map(sum, zip(self.scores, settled.scores, strict=True)))
        return replace(self, opener=settled.next_opener, scores=scores, tables=self.tables + 1)

    @property
    def levels(self) -> tuple[int, ...]:
        """The level of each seat, from 1; 0 where the profile has none (R-75)."""
        return tuple(level_of(self.profile, score) for score in self.scores)


def open_session(profile: Profile, opener: int) -> Session:
    """Return a session whose first table a seat opens (R-04)."""
    return Session(profile, opener, (0,) * profile.seats)
