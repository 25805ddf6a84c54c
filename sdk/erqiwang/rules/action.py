"""What a seat can do at its turn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from erqiwang.rules.card import Card
from erqiwang.rules.trump import Trump


@dataclass(frozen=True, slots=True)
class Bid:
    """A bid in card points, or with `None` a pass (R-06, R-07)."""

    value: int | None


@dataclass(frozen=True, slots=True)
class NameTrump:
    """The declarer's choice of trump (R-13)."""

    trump: Trump


@dataclass(frozen=True, slots=True)
class Bury:
    """As many cards as the kitty holds, put aside by the declarer (R-14)."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Surrender:
    """The declarer gives up, instead of burying or of the first lead (R-33)."""


@dataclass(frozen=True, slots=True)
class Play:
    """Cards led or followed with; their order means nothing."""

    cards: tuple[Card, ...]


Action: TypeAlias = Bid | NameTrump | Bury | Surrender | Play
