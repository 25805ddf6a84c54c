"""The first phase: the auction (R-06 to R-10)."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from erqiwang.rules.action import Action, Bid, Surrender
from erqiwang.rules.bidding import Bidding
from erqiwang.rules.card import Card
from erqiwang.rules.choice import BidChoice
from erqiwang.rules.contract import MAX_REDEALS, Contract, Table, auction_view
from erqiwang.rules.deal import Deal
from erqiwang.rules.declaring import Naming
from erqiwang.rules.event import BidMade, Dealt, Event, KittyShown, PassedOut
from erqiwang.rules.fault import FaultPoint
from erqiwang.rules.finished import Finished, finish_passed_out
from erqiwang.rules.profile import Profile
from erqiwang.rules.record import PassedDeal
from erqiwang.rules.turn import PassOut, Phase, Turn, TurnKind
from erqiwang.rules.view import SeatView
from erqiwang.rules.violation import Reason, RuleViolation


class Auction(NamedTuple):
    """The seats are bidding for the contract."""

    table: Table
    redeals: tuple[PassedDeal, ...]
    opener: int
    calls: tuple[BidMade, ...]
    bidding: Bidding

    @property
    def phase(self) -> Phase:
        """The phase, for every state alike."""
        return Phase.AUCTION

    @property
    def profile(self) -> Profile:
        """The profile of the table."""
        return self.table.profile

    @property
    def turn(self) -> Turn:
        """Who is to call."""
        return _TURNS[self.bidding.seat]

    @property
    def at(self) -> FaultPoint:
        """Where in the table it is."""
        return FaultPoint(Phase.AUCTION, 0, len(self.calls))

    @property
    def may_surrender(self) -> bool:
        """Never yet."""
        return False

    @property
    def choice(self) -> BidChoice:
        """The decision of the seat in turn."""
        return BidChoice(self.profile, self.bidding)

    @property
    def deal(self) -> Deal:
        """The deal that is bid on."""
        return self.table.deals[len(self.redeals)]

    def hand(self, seat: int) -> tuple[Card, ...]:
        """Return a seat's cards, ascending by number."""
        return tuple(sorted(self.deal.hands[seat]))

    def view(self, seat: int) -> SeatView:
        """Return what a seat may see."""
        deal = self.deal
        return auction_view(self.table, len(self.redeals), seat, deal.hands[seat], self.opener, self.calls)

    def random_action(self, below: Callable[[int], int]) -> Bid:
        """Return some legal action."""
        return self.choice.random(below)

    def act(self, seat: int, action: Action) -> tuple[Auction | Naming | Finished, tuple[Event, ...]]:
        """Return the state after a call and what it made public; raise `RuleViolation`."""
        profile = self.table.profile
        if not isinstance(action, Bid):
            reason = Reason.SURRENDER_NOT_ALLOWED if isinstance(action, Surrender) else Reason.WRONG_PHASE
            raise RuleViolation(reason, "the auction is not over", ruling="R-12")
        self.bidding.verify(profile, seat, action.value)
        bid = self.bidding.meaning(profile, action.value)
        bidding = self.bidding.after(profile, bid)
        call = _PASSES[seat] if bid is None else BidMade(seat, bid)
        after = Auction(self.table, self.redeals, self.opener, (*self.calls, call), bidding)
        if not bidding.is_over:
            return after, (call,)
        state: Auction | Naming | Finished
        if bidding.bidder is None:
            state, events = after._pass_out()
        else:
            state, events = after._award(bidding.bidder)
        return state, (call, *events)

    def _award(self, declarer: int) -> tuple[Naming, tuple[Event, ...]]:
        """Give the contract to the lowest bidder and show the kitty (R-08, R-11)."""
        bid = self.bidding.standing
        assert bid is not None
        contract = Contract(self.table, self.redeals, self.opener, self.calls, declarer, bid)
        return Naming(contract), (KittyShown(declarer, bid, self.deal.kitty),)

    def _pass_out(self) -> tuple[Auction | Finished, tuple[Event, ...]]:
        """Deal again, or end the table (R-09)."""
        table = self.table
        if table.pass_out is PassOut.ZERO or len(self.redeals) == MAX_REDEALS:
            finished = finish_passed_out(table, self.redeals, self.opener, self.calls)
            return finished, (PassedOut(), finished.settled)
        deal = self.deal
        redeals = (*self.redeals, PassedDeal(self.opener, deal.hands, deal.kitty, self.calls))
        opener = (self.opener + 1) % table.profile.seats
        return open_auction(table, redeals, opener, before=(PassedOut(),))


_PASSES = tuple(BidMade(seat, None) for seat in range(4))
_TURNS = tuple(Turn(seat, TurnKind.BID, False) for seat in range(4))


def open_auction(
    table: Table, redeals: tuple[PassedDeal, ...], opener: int, before: tuple[Event, ...] = ()
) -> tuple[Auction, tuple[Event, ...]]:
    """Deal, and let the opener begin; `before` goes ahead of the events."""
    auction = Auction(table, redeals, opener, (), Bidding(opener))
    return auction, (*before, Dealt(opener, len(redeals)))
