"""The course of an auction: who may bid what, and when it is over (R-06 to R-10)."""

from __future__ import annotations

from typing import NamedTuple

from erqiwang.rules.profile import Profile
from erqiwang.rules.violation import Reason, RuleViolation


class Bidding(NamedTuple):
    """An auction so far. `seat` is to call; `passed` has a bit for each seat that passed."""

    seat: int
    standing: int | None = None
    bidder: int | None = None
    passed: int = 0
    is_over: bool = False

    def verify(self, profile: Profile, seat: int, bid: int | None) -> None:
        """Raise `RuleViolation` if a seat may not call so."""
        if seat >= 0 and self.passed >> seat & 1:
            detail = f"seat {seat} has passed and bids no more"
            raise RuleViolation(Reason.ALREADY_PASSED, detail, ruling="R-07")
        if seat != self.seat:
            raise RuleViolation(Reason.OUT_OF_TURN, f"seat {self.seat} is to call", ruling="R-07")
        if bid is None:
            return
        low, high, step = profile.bid_low, profile.bid_high, profile.bid_step
        if not low <= bid <= high or bid % step:
            detail = f"{bid} is not a multiple of {step} from {high} down to {low}"
            raise RuleViolation(Reason.BID_OUT_OF_RANGE, detail, ruling="R-06")
        if self.standing is not None and bid > self.standing - step:
            detail = f"{bid} is not at least {step} below the standing bid {self.standing}"
            raise RuleViolation(Reason.BID_TOO_HIGH, detail, ruling="R-06")

    def bids(self, profile: Profile) -> range:
        """Return what the seat in turn may bid, from the highest down."""
        high = profile.bid_high if self.standing is None else self.standing - profile.bid_step
        return range(high, profile.bid_low - 1, -profile.bid_step)

    def meaning(self, profile: Profile, bid: int | None) -> int | None:
        """Return what a call counts as: a pass of the opener may be a bid (R-10)."""
        if bid is None and not self.passed and self.standing is None:
            return profile.forced_bid
        return bid

    def after(self, profile: Profile, bid: int | None) -> Bidding:
        """Return the auction after a legal call of the seat in turn, given by its meaning (R-07, R-08)."""
        standing, bidder, passed = self.standing, self.bidder, self.passed
        if bid is None:
            passed |= 1 << self.seat
        else:
            standing, bidder = bid, self.seat
        seats = profile.seats
        if passed.bit_count() == seats:
            return Bidding(self.seat, standing, bidder, passed, is_over=True)
        seat = (self.seat + 1) % seats
        while passed >> seat & 1:
            seat = (seat + 1) % seats
        is_alone = passed.bit_count() == seats - 1 and seat == bidder
        return Bidding(seat, standing, bidder, passed, is_alone or standing == profile.bid_low)
