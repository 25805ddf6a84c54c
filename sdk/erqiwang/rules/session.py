"""A session: tables one after another with the same players (R-05, R-75)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

from erqiwang.rules.profile import Level, Profile
from erqiwang.rules.settlement import level_of


class Outcome(Protocol):
    """What a session needs of a table that is over: a `Settled` or a `Record`."""

    @property
    def scores(self) -> tuple[int, ...]:
        """The scores by seat."""
        ...

    @property
    def next_opener(self) -> int:
        """The seat that opens the next table."""
        ...


@dataclass(frozen=True, slots=True)
class Session:
    """Who opens the next table, and the scores so far by seat."""

    profile: Profile
    opener: int
    scores: tuple[int, ...]
    tables: int = 0

    def after(self, outcome: Outcome) -> Session:
        """Return the session after a table (R-05)."""
        scores = tuple(map(sum, zip(self.scores, outcome.scores, strict=True)))
        return replace(self, opener=outcome.next_opener, scores=scores, tables=self.tables + 1)

    @property
    def levels(self) -> tuple[int, ...]:
        """The level of each seat, from 1; 0 where the profile has none (R-75)."""
        return tuple(level_of(self.profile, score) for score in self.scores)

    @property
    def titles(self) -> tuple[Level, ...]:
        """The level of each seat with its name; empty where the profile has none (R-75)."""
        return tuple(self.profile.levels[number - 1] for number in self.levels if number)


def open_session(profile: Profile, opener: int) -> Session:
    """Return a session whose first table a seat opens (R-04)."""
    return Session(profile, opener, (0,) * profile.seats)
