"""What everybody at a table may see; the events of a table, in order, are its history.

Field for field the messages of `events.proto`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from erqiwang.rules.card import Card
from erqiwang.rules.trump import Trump


@dataclass(frozen=True, slots=True)
class Dealt:
    """Cards were dealt and the auction opens; `redeal` is 0 for the first deal of the table."""

    opener: int
    redeal: int


@dataclass(frozen=True, slots=True)
class BidMade:
    """One call of the auction; a pass has no bid."""

    seat: int
    bid: int | None


@dataclass(frozen=True, slots=True)
class PassedOut:
    """Every seat passed (R-09)."""


@dataclass(frozen=True, slots=True)
class KittyShown:
    """The auction is over and the declarer took the kitty, face up (R-11)."""

    declarer: int
    bid: int
    kitty: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class TrumpNamed:
    """The declarer named trump (R-12)."""

    trump: Trump


@dataclass(frozen=True, slots=True)
class Surrendered:
    """The declarer gave up (R-36)."""


@dataclass(frozen=True, slots=True)
class Buried:
    """The declarer buried cards, unseen (R-15)."""


@dataclass(frozen=True, slots=True)
class Played:
    """Cards played by one seat.

    `thrown` is empty but where a throw may fail (`throw_rule=max_now`): then it holds the cards of the
    attempt that another hand beats, and `cards` the part of it that had to be led instead.
    """

    seat: int
    cards: tuple[Card, ...]
    thrown: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True)
class TrumpReport:
    """What is told of one seat's trumps: how many, and whether a pair is among them (R-32)."""

    seat: int
    count: int
    pair: bool


@dataclass(frozen=True, slots=True)
class Announced:
    """Who is void of trump, and once enough seats are, what the others hold (R-32)."""

    void_seats: tuple[int, ...]
    trumps: tuple[TrumpReport, ...] = ()


@dataclass(frozen=True, slots=True)
class TrickWon:
    """A trick is complete: its winner leads the next."""

    seat: int
    points: int


@dataclass(frozen=True, slots=True)
class Settled:
    """The table is over and scored: always the last event."""

    defender_points: int
    kitty_multiplier: int
    buried: tuple[Card, ...]
    play_scores: tuple[int, ...]
    bonus_scores: tuple[int, ...]
    scores: tuple[int, ...]
    next_opener: int


Event: TypeAlias = (
    Dealt
    | BidMade
    | PassedOut
    | KittyShown
    | TrumpNamed
    | Surrendered
    | Buried
    | Played
    | Announced
    | TrickWon
    | Settled
)
