"""The record of one table: everything that is needed to replay and to check it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from erqiwang.rules.card import Card, points_of
from erqiwang.rules.event import BidMade, TrumpReport
from erqiwang.rules.fault import DecisionTime, Fault
from erqiwang.rules.trump import Trump
from erqiwang.rules.turn import PassOut

RECORD_FORMAT = "erqiwang.record/1"


class RecordError(ValueError):
    """A record that cannot be read or played; `path` names the field."""

    def __init__(self, path: str, detail: str) -> None:
        super().__init__(path, detail)
        self.path = path
        self.detail = detail

    def __str__(self) -> str:
        return f"{self.path}: {self.detail}" if self.path else self.detail


class Trick(NamedTuple):
    """A completed trick; `plays` are in order of play, the leader's first."""

    leader: int
    plays: tuple[tuple[Card, ...], ...]
    winner: int

    @property
    def points(self) -> int:
        """Card points in the trick."""
        return sum(points_of(cards) for cards in self.plays)


@dataclass(frozen=True, slots=True)
class Announcement:
    """One report of void seats (R-32) and when it was made.

    `after_trick` is the number of completed tricks when the announced play was made, `after_play` the number
    of plays then made in that trick; (0, 0) is the start of play.
    """

    after_trick: int
    after_play: int
    void_seats: tuple[int, ...]
    trumps: tuple[TrumpReport, ...] = ()


@dataclass(frozen=True, slots=True)
class PassedDeal:
    """A deal that everybody passed and that was dealt again."""

    opener: int
    hands: tuple[tuple[Card, ...], ...]
    kitty: tuple[Card, ...]
    auction: tuple[BidMade, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One played table. Order of cards within a field means nothing.

    `declarer`, `bid` and `trump` are `None` after a pass-out, `buried` also after a surrender before burying.
    """

    profile: str
    switches: Mapping[str, str] = field(default_factory=dict[str, str])
    rules_version: str
    room: int = 1
    pass_out: PassOut = PassOut.ZERO
    id: str = ""
    opener: int
    hands: tuple[tuple[Card, ...], ...]
    kitty: tuple[Card, ...]
    redeals: tuple[PassedDeal, ...] = ()
    auction: tuple[BidMade, ...]
    declarer: int | None
    bid: int | None
    trump: Trump | None
    buried: tuple[Card, ...] | None
    surrender: bool
    tricks: tuple[Trick, ...]
    announcements: tuple[Announcement, ...]
    kitty_multiplier: int
    defender_points: int
    play_scores: tuple[int, ...]
    bonus_scores: tuple[int, ...]
    scores: tuple[int, ...]
    next_opener: int
    charm: tuple[int, ...] = ()
    faults: tuple[Fault, ...] = ()
    decisions: tuple[DecisionTime, ...] = ()

    @classmethod
    def from_json(cls, text: str) -> Record:
        """Read the JSON form; raise `RecordError` naming the field that is wrong, missing or unknown."""
        from erqiwang.rules.record_json import read_record

        return read_record(text)

    def to_json(self) -> str:
        """Write the JSON form, on one line."""
        from erqiwang.rules.record_json import write_record

        return write_record(self)
