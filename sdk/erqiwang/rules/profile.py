"""A profile: one set of rules as data. No logic of the rule book names a profile; it asks these fields."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from erqiwang.rules.card import CARD_POINTS, RANKS, Card
from erqiwang.rules.fault import FaultCause
from erqiwang.rules.trump import Trump


class ThrowRule(Enum):
    """When several units of trump may be led at once (R-30)."""

    OTHERS_VOID = "others_void"
    MAX_NOW = "max_now"


class NoTrumpTractors(Enum):
    """Which pairs of trumps are neighbours in no-trump (R-24)."""

    LADDER = "ladder"
    JOKERS = "jokers"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Band:
    """A value for every bid from `floor` up to the next band."""

    floor: int
    value: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeTier:
    """Steps of a contract that was made, where its bid and the defenders' points lie within the tier."""

    steps: int
    bid_from: int = 0
    bid_to: int = 1000
    points_to: int = 1000
    half_bid: bool = False
    """Whether the points must also be at most half the bid."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BonusRow:
    """One row of a bonus table: what the holder's pool must contain, and what it is worth (R-52)."""

    jokers: int
    value: int
    main7: bool = False
    """The pair of trump sevens."""
    off7: int = 0
    """At least so many pairs of other sevens."""
    main2: bool = False
    off2: int = 0
    further_trumps: int = 0
    """At least so many pairs of trumps beside the jokers and the pairs that the row names."""
    side_pairs: int = 0
    """At least so many pairs of side suits."""

    @property
    def named_pairs(self) -> int:
        """How many pairs of sevens and twos the row names."""
        return self.main7 + self.off7 + self.main2 + self.off2

    @property
    def is_bare(self) -> bool:
        """Whether the row asks for jokers and nothing else."""
        return not (self.named_pairs or self.further_trumps or self.side_pairs)


@dataclass(frozen=True, slots=True)
class RankExtra:
    """What `cards` sevens (or twos) with at least `pairs` pairs among them add to a bonus (R-55)."""

    cards: int
    pairs: int
    value: int


@dataclass(frozen=True, slots=True)
class Level:
    """A level of a player's career, reached with a cumulative score."""

    threshold: int
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """One set of rules. Fields without a default differ between the source documents."""

    slug: str
    # The deck and the deal.
    ranks: str
    """Ranks of the deck, from the ace down."""
    copies: int
    seats: int
    hand_size: int
    kitty_size: int
    random_opener: bool
    # The auction.
    bid_high: int
    bid_low: int
    bid_step: int = 5
    forced_bid: int | None = None
    """What the opener's pass counts as, while nobody has bid."""
    no_trump: bool
    # Tractors, following and leading.
    no_trump_tractors: NoTrumpTractors = NoTrumpTractors.LADDER
    tractor_owed: bool = True
    """Whether who cannot follow a tractor with an equal one owes shorter tractors before pairs."""
    throw_rule: ThrowRule = ThrowRule.OTHERS_VOID
    void_reports: int
    """How many seats must be void of trump before the others' trumps are told."""
    # The kitty.
    kitty_needs_trump: bool = True
    kitty_multipliers: tuple[int, ...]
    """By pairs in the largest unit of the play that captures; the last value holds for any more."""
    # The score.
    bid_bands: tuple[Band, ...]
    step_points: int
    """Card points that make one step of the score."""
    made_by_steps: bool
    """Whether a made contract also counts steps of points below the bid."""
    made_tiers: tuple[MadeTier, ...]
    down_steps_max: int | None = None
    surrender_bands: tuple[Band, ...]
    """Steps lost by surrender from each bid up; below the lowest band it is not allowed."""
    # The bonus.
    bonus_rows: tuple[BonusRow, ...]
    bonus_extras: tuple[RankExtra, ...] = ()
    bonus_bids: tuple[tuple[int, int], ...] = ()
    """Pairs of jokers held and the highest value that the holder's lowest bid may have."""
    bonus_with_kitty: bool = True
    # The room, the career, conduct.
    has_room: bool = False
    room_on_bonus: bool = False
    levels: tuple[Level, ...] = ()
    charm: tuple[tuple[FaultCause, int], ...] = ()
    """What a fault costs in the charm ledger; empty where none is kept."""
    forfeit_points: int
    """The least a competition charges for a forfeited table, as a positive number; no rule of the game."""
    questions: tuple[str, ...]
    """The switches that the profile has (`erqiwang.rules.switches`)."""
    switches: tuple[tuple[str, str], ...] = ()
    """Switches that were set to other than their default, by name."""

    @property
    def types(self) -> tuple[Card, ...]:
        """The card types of the deck, ascending."""
        return types_of(self.ranks)

    @property
    def deck(self) -> tuple[Card, ...]:
        """The deck in the order that deals number it: every type once, then again for each further copy."""
        return types_of(self.ranks) * self.copies

    @property
    def sorted_deck(self) -> list[int]:
        """The numbers of the deck's cards, ascending."""
        return list(_sorted_deck(self.ranks, self.copies))

    @property
    def deck_points(self) -> int:
        """Points of the whole deck."""
        return sum(CARD_POINTS[card] for card in self.deck)

    @property
    def defenders(self) -> int:
        """How many seats play against the declarer."""
        return self.seats - 1

    @property
    def trumps(self) -> tuple[Trump, ...]:
        """What a declarer may name (R-13)."""
        return _TRUMPS if self.no_trump else _TRUMPS[:-1]

    @property
    def bids(self) -> tuple[int, ...]:
        """Every bid there is, from the highest down (R-06)."""
        return tuple(range(self.bid_high, self.bid_low - 1, -self.bid_step))

    def bid_multiplier(self, bid: int) -> int:
        """Return the multiplier of a bid."""
        return next(band.value for band in self.bid_bands if bid >= band.floor)

    def may_surrender(self, bid: int) -> bool:
        """Whether a declarer who bid so may surrender (R-34)."""
        return bool(self.surrender_bands) and bid >= self.surrender_bands[-1].floor


_TRUMPS = tuple(Trump)
"""No-trump is the last."""


@lru_cache(maxsize=64)
def types_of(ranks: str) -> tuple[Card, ...]:
    """Return the card types of a deck of these ranks, ascending."""
    return tuple(card for card in Card if card.is_joker or card.rank in ranks)


@lru_cache(maxsize=64)
def _sorted_deck(ranks: str, copies: int) -> tuple[int, ...]:
    return tuple(sorted(card.value for card in types_of(ranks) * copies))


ALL_RANKS = RANKS
RANKS_WITHOUT_43 = RANKS.replace("4", "").replace("3", "")
