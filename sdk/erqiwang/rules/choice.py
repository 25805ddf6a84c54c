"""The decisions before the play: a call, a trump, cards to bury. Those of the play are a `Position`.

Each holds just what the seat that decides may know, says what is legal, and offers a fallback.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from erqiwang.rules.action import Bid, Bury, NameTrump
from erqiwang.rules.bidding import Bidding
from erqiwang.rules.card import Card
from erqiwang.rules.follow import not_held
from erqiwang.rules.order import Order
from erqiwang.rules.position import Position
from erqiwang.rules.profile import Profile
from erqiwang.rules.trump import Trump
from erqiwang.rules.violation import Reason, RuleViolation


class BidChoice(NamedTuple):
    """To bid or to pass."""

    profile: Profile
    bidding: Bidding

    def legal_bids(self) -> tuple[int | None, ...]:
        """Return the bids from the highest down, then `None` for a pass."""
        return (*self.bidding.bids(self.profile), None)

    def fallback(self) -> Bid:
        """Pass."""
        return _PASS

    def random(self, below: Callable[[int], int]) -> Bid:
        """Return a pass as often as some bid."""
        if not below(2):
            return _PASS
        bids = self.bidding.bids(self.profile)
        index = below(len(bids) + 1)
        return Bid(bids[index]) if index < len(bids) else _PASS


class TrumpChoice(NamedTuple):
    """To name trump."""

    profile: Profile
    cards: tuple[Card, ...]

    def verify(self, trump: Trump) -> None:
        """Raise `RuleViolation` for no-trump where there is none (R-13)."""
        if trump not in self.profile.trumps:
            detail = f"{self.profile.slug} has no no-trump"
            raise RuleViolation(Reason.NO_TRUMP_NOT_ALLOWED, detail, ruling="R-13")

    def fallback(self) -> NameTrump:
        """Name the suit with most trumps, the first of S H C D among equals."""
        # Jokers, sevens and twos are trumps whichever suit is named.
        suits = [card.suit for card in self.cards if not card.is_joker and card.rank not in "72"]
        return NameTrump(max(_SUITS, key=lambda trump: suits.count(trump.letter)))

    def random(self, below: Callable[[int], int]) -> NameTrump:
        """Return any trump."""
        trumps = self.profile.trumps
        return NameTrump(trumps[below(len(trumps))])


class BuryChoice(NamedTuple):
    """To bury `size` cards of a hand that holds the kitty."""

    order: Order
    once: int
    twice: int
    size: int

    def verify(self, cards: tuple[Card, ...]) -> tuple[int, int]:
        """Return what is left of the hand; raise `RuleViolation` if these cards may not be buried (R-14)."""
        count, once, twice = self.size, self.once, self.twice
        if len(cards) != count:
            detail = f"{count} cards are buried, not {len(cards)}"
            raise RuleViolation(Reason.WRONG_COUNT, detail, ruling="R-14")
        buried, doubled = self.order.masks(cards)
        if buried & ~once or doubled & ~twice:
            raise not_held(self.order, once, twice, cards)
        return once & ~buried | twice & buried & ~doubled, twice & ~buried

    def fallback(self) -> Bury:
        """Bury the least valuable cards: trump last, points last, then by level and card number."""
        return Bury(self.order.cards_of(*self.order.lowest(self.once, self.twice, self.size)))

    def random(self, below: Callable[[int], int]) -> Bury:
        """Return any cards."""
        cards = list(self.order.cards_of(self.once, self.twice))
        return Bury(tuple([cards.pop(below(len(cards))) for _ in range(self.size)]))


Choice: TypeAlias = BidChoice | TrumpChoice | BuryChoice | Position
"""A decision, as the seat that makes it sees it."""

SURRENDER_ONE_IN = 16
"""How often a random declarer surrenders who may."""

_PASS = Bid(None)
_SUITS = (Trump.SPADES, Trump.HEARTS, Trump.CLUBS, Trump.DIAMONDS)
