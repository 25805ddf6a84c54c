"""What is settled about a table before the first card is led, stage by stage."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

from erqiwang.rules.card import Card
from erqiwang.rules.deal import Deal
from erqiwang.rules.event import BidMade, Dealt, KittyShown
from erqiwang.rules.profile import Profile
from erqiwang.rules.record import PassedDeal
from erqiwang.rules.turn import PassOut
from erqiwang.rules.view import SeatView, open_view

MAX_REDEALS = 3
"""After so many redeals a table that is passed out again ends; a limit of the platform, not a rule."""


@dataclass(frozen=True, slots=True)
class Table:
    """The conditions of a table, and its deals: the first, then those that passed-out deals lead to."""

    profile: Profile
    room: int
    pass_out: PassOut
    deals: tuple[Deal, ...]


@dataclass(frozen=True, slots=True)
class Contract:
    """The result of an auction."""

    table: Table
    redeals: tuple[PassedDeal, ...]
    opener: int
    auction: tuple[BidMade, ...]
    declarer: int
    bid: int

    @property
    def deal(self) -> Deal:
        """The deal that is played."""
        return self.table.deals[len(self.redeals)]

    @property
    def may_surrender(self) -> bool:
        """Whether the bid allows the declarer to surrender (R-34)."""
        return self.table.profile.may_surrender(self.bid)

    @property
    def declarer_cards(self) -> tuple[Card, ...]:
        """The declarer's hand with the kitty."""
        return self.deal.hands[self.declarer] + self.deal.kitty

    @property
    def hands(self) -> tuple[tuple[Card, ...], ...]:
        """The hands, that of the declarer with the kitty."""
        dealt, declarer = self.deal.hands, self.declarer
        return (*dealt[:declarer], self.declarer_cards, *dealt[declarer + 1 :])

    def view(self, seat: int) -> SeatView:
        """Return what a seat may see when the kitty is shown."""
        deal = self.deal
        view = auction_view(self.table, len(self.redeals), seat, deal.hands[seat], self.opener, self.auction)
        view.observe(KittyShown(self.declarer, self.bid, deal.kitty))
        return view


def auction_view(
    table: Table, redeal: int, seat: int, hand: tuple[Card, ...], opener: int, calls: Iterable[BidMade]
) -> SeatView:
    """Return what a seat may see of an auction."""
    view = open_view(table.profile, seat, table.room)
    view.observe(Dealt(opener, redeal))
    view.hold(hand)
    for call in calls:
        view.observe(call)
    return view


def check_deals(profile: Profile, deals: Sequence[Deal]) -> None:
    """Raise `ValueError` naming the first deal that is not one of the profile's deck."""
    for number, deal in enumerate(deals):
        fault = _fault(profile, deal)
        if fault:
            raise ValueError(f"deal {number}: {fault}")


def _fault(profile: Profile, deal: Deal) -> str | None:
    if len(deal.hands) != profile.seats:
        return f"{len(deal.hands)} hands for {profile.seats} seats"
    if not 0 <= deal.opener < profile.seats:
        return f"opener {deal.opener} is no seat"
    for seat, hand in enumerate(deal.hands):
        if len(hand) != profile.hand_size:
            return f"seat {seat} has {len(hand)} cards instead of {profile.hand_size}"
    if len(deal.kitty) != profile.kitty_size:
        return f"the kitty has {len(deal.kitty)} cards instead of {profile.kitty_size}"
    if sorted(b"".join(map(bytes, (*deal.hands, deal.kitty)))) != profile.sorted_deck:
        dealt, deck = Counter(chain(*deal.hands, deal.kitty)), Counter(profile.deck)
        card = min((dealt - deck) | (deck - dealt))
        return f"{card} occurs {dealt[card]} times instead of {deck[card]}"
    return None
