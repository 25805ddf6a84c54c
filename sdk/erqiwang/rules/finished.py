"""The last phase: a table that is over."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from erqiwang.rules.action import Action
from erqiwang.rules.bonus import bonus_scores
from erqiwang.rules.card import Card
from erqiwang.rules.contract import Contract, Table, auction_view
from erqiwang.rules.event import BidMade, Event, Settled, TrumpNamed
from erqiwang.rules.fault import FaultPoint
from erqiwang.rules.profile import Profile
from erqiwang.rules.record import Announcement, PassedDeal, Trick
from erqiwang.rules.settlement import is_made, next_opener, play_scores, surrender_scores
from erqiwang.rules.trump import Trump
from erqiwang.rules.turn import Phase, Turn
from erqiwang.rules.view import SeatView
from erqiwang.rules.violation import Reason, RuleViolation


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """A table that is over; nobody is to act."""

    table: Table
    redeals: tuple[PassedDeal, ...]
    opener: int
    auction: tuple[BidMade, ...]
    contract: Contract | None = None
    """What the auction led to; `None` if everybody passed."""
    trump: Trump | None = None
    buried: tuple[Card, ...] | None = None
    surrendered: bool = False
    tricks: tuple[Trick, ...] = ()
    announcements: tuple[Announcement, ...] = ()
    settled: Settled

    @property
    def phase(self) -> Phase:
        """The phase, for every state alike."""
        return Phase.FINISHED

    @property
    def profile(self) -> Profile:
        """The profile of the table."""
        return self.table.profile

    @property
    def turn(self) -> Turn | None:
        """Nobody's turn."""
        return None

    @property
    def may_surrender(self) -> bool:
        """Not any more."""
        return False

    @property
    def choice(self) -> None:
        """Nobody's decision."""
        return None

    @property
    def at(self) -> FaultPoint:
        """Where in the table it is."""
        return FaultPoint(Phase.FINISHED)

    @property
    def declarer(self) -> int | None:
        """The declarer's seat, if anybody bid."""
        return None if self.contract is None else self.contract.declarer

    @property
    def bid(self) -> int | None:
        """The winning bid, if anybody bid."""
        return None if self.contract is None else self.contract.bid

    @property
    def scores(self) -> tuple[int, ...]:
        """The scores by seat."""
        return self.settled.scores

    def hand(self, seat: int) -> tuple[Card, ...]:
        """Return no cards: the table is over."""
        del seat
        return ()

    def view(self, seat: int) -> SeatView:
        """Return what a seat may see: all that was public, and its own cards if they were not played."""
        if self.contract is None:
            deal = self.table.deals[len(self.redeals)]
            view = auction_view(
                self.table, len(self.redeals), seat, deal.hands[seat], self.opener, self.auction
            )
        else:
            view = self.contract.view(seat)
        if self.trump is not None:
            view.observe(TrumpNamed(self.trump))
        if self.buried is not None and seat == self.declarer:
            view.bury(self.buried)
        last = self.announcements[-1] if self.announcements else None
        hand = () if self.tricks else view.hand
        view.resume(hand, None, self.tricks, (), None, last, 0)
        view.observe(self.settled)
        return view

    def random_action(self, below: Callable[[int], int]) -> Action:
        """Return some legal action."""
        del below
        raise ValueError("no decision is wanted")

    def act(self, seat: int, action: Action) -> tuple[Finished, tuple[Event, ...]]:
        """Refuse every action."""
        raise RuleViolation(Reason.WRONG_PHASE, f"the table is over: seat {seat} cannot {_verb(action)}")


def _verb(action: Action) -> str:
    return type(action).__name__.lower()


def finish_passed_out(
    table: Table, redeals: tuple[PassedDeal, ...], opener: int, auction: tuple[BidMade, ...]
) -> Finished:
    """End a table that everybody passed: no score, the opener's next opens (R-09)."""
    zeros = (0,) * table.profile.seats
    settled = Settled(0, 0, (), zeros, zeros, zeros, (opener + 1) % table.profile.seats)
    return Finished(table=table, redeals=redeals, opener=opener, auction=auction, settled=settled)


def finish_surrendered(
    contract: Contract,
    trump: Trump,
    buried: tuple[Card, ...] | None,
    announcements: tuple[Announcement, ...] = (),
) -> Finished:
    """End a table whose declarer gave up (R-35, R-36)."""
    table, declarer = contract.table, contract.declarer
    play = surrender_scores(table.profile, declarer=declarer, bid=contract.bid, room=table.room)
    return _finish(contract, trump, buried, True, (), announcements, play, 0, 0)


def finish_played(
    contract: Contract,
    trump: Trump,
    buried: tuple[Card, ...],
    tricks: tuple[Trick, ...],
    announcements: tuple[Announcement, ...],
    points: int,
    multiplier: int,
) -> Finished:
    """End a table after its last trick; `points` includes what the kitty brought (R-40)."""
    table, declarer = contract.table, contract.declarer
    play = play_scores(table.profile, declarer=declarer, bid=contract.bid, points=points, room=table.room)
    return _finish(contract, trump, buried, False, tricks, announcements, play, points, multiplier)


def _finish(
    contract: Contract,
    trump: Trump,
    buried: tuple[Card, ...] | None,
    surrendered: bool,
    tricks: tuple[Trick, ...],
    announcements: tuple[Announcement, ...],
    play: tuple[int, ...],
    points: int,
    multiplier: int,
) -> Finished:
    profile, declarer = contract.table.profile, contract.declarer
    bonus = bonus_scores(
        profile,
        _pools(contract),
        trump,
        contract.auction,
        declarer if surrendered else None,
        contract.table.room,
    )
    made = not surrendered and is_made(contract.bid, points)
    return Finished(
        table=contract.table,
        redeals=contract.redeals,
        opener=contract.opener,
        auction=contract.auction,
        contract=contract,
        trump=trump,
        buried=buried,
        surrendered=surrendered,
        tricks=tricks,
        announcements=announcements,
        settled=Settled(
            points,
            multiplier,
            buried or (),
            play,
            bonus,
            tuple(map(sum, zip(play, bonus, strict=True))),
            next_opener(profile, declarer, made),
        ),
    )


def _pools(contract: Contract) -> tuple[tuple[Card, ...], ...]:
    """Return the cards that count for each seat's bonus (R-50)."""
    return contract.hands if contract.table.profile.bonus_with_kitty else contract.deal.hands
