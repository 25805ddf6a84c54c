"""What one seat may see of a table: the public events, folded, and its own cards.

A view is built from events alone, by the referee as by the bot, so it cannot contain what the seat must not
know.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from erqiwang.rules.action import Action, Surrender
from erqiwang.rules.announcement import all_others_void
from erqiwang.rules.bidding import Bidding
from erqiwang.rules.card import Card
from erqiwang.rules.choice import SURRENDER_ONE_IN, BidChoice, BuryChoice, Choice, TrumpChoice
from erqiwang.rules.event import (
    Announced,
    BidMade,
    Buried,
    Dealt,
    Event,
    KittyShown,
    Played,
    Settled,
    TrickWon,
    TrumpNamed,
    TrumpReport,
)
from erqiwang.rules.order import Order, order_for
from erqiwang.rules.position import Position
from erqiwang.rules.profile import Profile, ThrowRule
from erqiwang.rules.record import Announcement, Trick
from erqiwang.rules.shape import Shape, shape_of
from erqiwang.rules.trump import Trump
from erqiwang.rules.turn import Phase, TurnKind
from erqiwang.rules.violation import Reason, RuleViolation


class SeatView:
    """What one seat may see of a table.

    `observe` folds the public events in their order; `hold`, called after them, says which cards the seat
    holds now. Own plays and the kitty are then followed by themselves; buried cards are known from `bury`,
    or from the next `hold`.
    """

    __slots__ = (
        "_hand",
        "_order",
        "_waits",
        "auction",
        "bid",
        "bidding",
        "buried",
        "current_plays",
        "declarer",
        "defender_points",
        "kitty",
        "lead",
        "leader",
        "opener",
        "phase",
        "profile",
        "redeal",
        "room",
        "seat",
        "settled",
        "tricks",
        "trump",
        "trump_reports",
        "turn",
        "void_seats",
    )

    def __init__(self, profile: Profile, seat: int, room: int = 1) -> None:
        self.profile = profile
        self.seat = seat
        self.room = room
        self._hand: tuple[Card, ...] = ()
        self._begin(0, 0)

    def _begin(self, opener: int, redeal: int) -> None:
        self.opener = opener
        self.redeal = redeal
        self.phase = Phase.AUCTION
        self.turn: int | None = opener
        """The seat that is to act, if any."""
        self.auction: tuple[BidMade, ...] = ()
        self.bidding = Bidding(opener)
        self.declarer: int | None = None
        self.bid: int | None = None
        self.kitty: tuple[Card, ...] = ()
        self.trump: Trump | None = None
        self.buried: tuple[Card, ...] | None = None
        """The cards buried, for the declarer; for everybody when the table is over."""
        self.tricks: tuple[Trick, ...] = ()
        self.leader: int | None = None
        self.current_plays: tuple[tuple[Card, ...], ...] = ()
        self.lead: Shape | None = None
        self.void_seats: tuple[int, ...] = ()
        self.trump_reports: tuple[TrumpReport, ...] = ()
        self.defender_points = 0
        """Card points in tricks won by defenders; at the end with the captured kitty."""
        self.settled: Settled | None = None
        self._order: Order | None = None
        self._waits = False

    # What was dealt and what was done.

    def hold(self, cards: Iterable[Card]) -> None:
        """Say which cards the seat holds now."""
        cards = tuple(sorted(cards))
        if self._waits and self.buried is None:
            self.buried = _difference(self._hand, cards)
            self._waits = False
        self._hand = cards

    def bury(self, cards: Iterable[Card]) -> None:
        """Say which cards the seat, being declarer, buried."""
        self.buried = tuple(cards)
        self._hand = _difference(self._hand, self.buried)
        self._waits = False

    def observe(self, event: Event) -> None:
        """Fold one public event; they come in their order."""
        match event:
            case Played():
                self._played(event.seat, event.cards)
            case TrickWon():
                self._trick_won(event.seat, event.points)
            case Announced():
                self.void_seats, self.trump_reports = event.void_seats, event.trumps
            case BidMade():
                self._bid_made(event)
            case Dealt():
                self._begin(event.opener, event.redeal)
            case KittyShown():
                self._kitty_shown(event)
            case TrumpNamed():
                self._trump_named(event.trump)
            case Buried():
                self._buried()
            case Settled():
                self._settled(event)
            case _:  # PassedOut, Surrendered
                self.turn = None

    # What can be read.

    @property
    def hand(self) -> tuple[Card, ...]:
        """The seat's own cards, ascending by number."""
        return self._hand

    @property
    def standing_bid(self) -> int | None:
        """The lowest bid so far."""
        return self.bidding.standing

    @property
    def kind(self) -> TurnKind | None:
        """The decision that this seat is to make now, if it is its turn."""
        return _KINDS.get(self.phase) if self.turn == self.seat else None

    @property
    def may_surrender(self) -> bool:
        """Whether this seat may surrender now (R-33, R-34)."""
        return (
            self.turn == self.seat == self.declarer
            and self.phase in (Phase.BURY, Phase.PLAY)
            and not (self.tricks or self.current_plays)
            and self.bid is not None
            and self.profile.may_surrender(self.bid)
        )

    @property
    def cards_seen(self) -> tuple[Card, ...]:
        """Every card that was played, by anybody, in order of play."""
        return tuple(
            card
            for plays in (*(trick.plays for trick in self.tricks), self.current_plays)
            for cards in plays
            for card in cards
        )

    @property
    def order(self) -> Order:
        """The order of the cards under the named trump; raises `ValueError` before one is named."""
        if self._order is None:
            raise ValueError("trump is not named yet")
        return self._order

    @property
    def may_throw(self) -> bool:
        """Whether this seat could throw trumps if it were to lead (R-30)."""
        profile = self.profile
        if profile.throw_rule is ThrowRule.MAX_NOW:
            return True
        return all_others_void(self.void_seats, self.seat, profile.seats)

    # What the seat can do.

    @property
    def choice(self) -> Choice | None:
        """The decision of this seat, if it is its turn."""
        kind = self.kind
        if kind is None:
            return None
        if kind is TurnKind.BID:
            return BidChoice(self.profile, self.bidding)
        if kind is TurnKind.NAME_TRUMP:
            return TrumpChoice(self.profile, self._hand)
        order = self.order
        once, twice = order.masks(self._hand)
        if kind is TurnKind.BURY:
            return BuryChoice(order, once, twice, self.profile.kitty_size)
        return Position(
            order, once, twice, self.lead, self.lead is None and self.may_throw, self.profile.tractor_owed
        )

    def legal_bids(self) -> tuple[int | None, ...]:
        """Return what the seat may call now, `None` being a pass; nothing if it is not to call."""
        choice = self.choice
        return choice.legal_bids() if isinstance(choice, BidChoice) else ()

    def legal_trumps(self) -> tuple[Trump, ...]:
        """Return what the seat may name now; nothing if it is not to name trump."""
        return self.profile.trumps if self.kind is TurnKind.NAME_TRUMP else ()

    def violation(self, cards: Iterable[Card]) -> RuleViolation | None:
        """Return what is wrong with playing, or burying, some cards now; `None` if it is legal."""
        choice = self.choice
        if choice is None:
            return RuleViolation(Reason.OUT_OF_TURN, f"seat {self.turn} is to act")
        if not isinstance(choice, Position | BuryChoice):
            return RuleViolation(Reason.WRONG_PHASE, "no cards are asked for")
        try:
            choice.verify(tuple(cards))
        except RuleViolation as violation:
            return violation
        return None

    def is_legal(self, cards: Iterable[Card]) -> bool:
        """Whether the seat may play, or bury, some cards now."""
        return self.violation(cards) is None

    def legal_plays(self) -> Iterator[tuple[Card, ...]]:
        """Yield each distinct legal play once, in the order of `Position`; none if no play is wanted."""
        choice = self.choice
        return choice.legal_plays() if isinstance(choice, Position) else iter(())

    def count_legal_plays(self) -> int:
        """Return how many plays `legal_plays` would yield, without making them."""
        choice = self.choice
        return choice.count_legal_plays() if isinstance(choice, Position) else 0

    def random_legal_play(self, below: Callable[[int], int]) -> tuple[Card, ...]:
        """Return some legal play; `below(n)` is a random number from 0 to n - 1."""
        choice = self.choice
        if not isinstance(choice, Position):
            raise ValueError("no play is wanted")
        return choice.random(below).cards

    def random_action(self, below: Callable[[int], int]) -> Action:
        """Return some legal action."""
        choice = self.choice
        if choice is None:
            raise ValueError("no decision is wanted")
        if self.may_surrender and not below(SURRENDER_ONE_IN):
            return Surrender()
        return choice.random(below)

    def fallback(self) -> Action:
        """Return the action that is taken if the seat does not decide; `ValueError` if it is not its turn."""
        choice = self.choice
        if choice is None:
            raise ValueError("no decision is wanted")
        return choice.fallback()

    def resume(
        self,
        hand: tuple[Card, ...],
        turn: int | None,
        tricks: tuple[Trick, ...],
        current_plays: tuple[tuple[Card, ...], ...],
        lead: Shape | None,
        announcement: Announcement | None,
        defender_points: int,
    ) -> None:
        """Go to a later moment of the play at once, as if its events had been observed."""
        self._hand = hand
        self.turn = turn
        self.tricks = tricks
        self.current_plays = current_plays
        self.lead = lead
        self.leader = None if turn is None else (turn - len(current_plays)) % self.profile.seats
        if announcement is not None:
            self.void_seats, self.trump_reports = announcement.void_seats, announcement.trumps
        self.defender_points = defender_points

    # How events are folded.

    def _bid_made(self, event: BidMade) -> None:
        self.auction += (event,)
        self.bidding = self.bidding.after(self.profile, event.bid)
        self.turn = None if self.bidding.is_over else self.bidding.seat

    def _kitty_shown(self, event: KittyShown) -> None:
        self.declarer = self.turn = event.declarer
        self.bid = event.bid
        self.kitty = event.kitty
        self.phase = Phase.TRUMP
        if event.declarer == self.seat:
            self._hand = tuple(sorted(self._hand + event.kitty))

    def _trump_named(self, trump: Trump) -> None:
        self.trump = trump
        self.phase = Phase.BURY
        self._order = order_for(self.profile, trump)

    def _buried(self) -> None:
        self.phase = Phase.PLAY
        self.leader = self.declarer
        self._waits = self.declarer == self.seat and self.buried is None

    def _played(self, seat: int, cards: tuple[Card, ...]) -> None:
        if self.lead is None:
            order = self.order
            self.lead = shape_of(order, *order.masks(cards))
        self.current_plays += (cards,)
        if seat == self.seat:
            self._hand = _difference(self._hand, cards)
        seats = self.profile.seats
        self.turn = None if len(self.current_plays) == seats else (seat + 1) % seats

    def _trick_won(self, seat: int, points: int) -> None:
        assert self.leader is not None
        self.tricks += (Trick(self.leader, self.current_plays, seat),)
        if seat != self.declarer:
            self.defender_points += points
        self.leader = self.turn = seat
        self.current_plays = ()
        self.lead = None

    def _settled(self, event: Settled) -> None:
        self.settled = event
        self.phase = Phase.FINISHED
        self.turn = self.leader = None
        self.buried = event.buried or None
        self.defender_points = event.defender_points


_KINDS = {
    Phase.AUCTION: TurnKind.BID,
    Phase.TRUMP: TurnKind.NAME_TRUMP,
    Phase.BURY: TurnKind.BURY,
    Phase.PLAY: TurnKind.PLAY,
}


def open_view(profile: Profile, seat: int, room: int = 1) -> SeatView:
    """Return the view of a seat before anything happened."""
    return SeatView(profile, seat, room)


def _difference(cards: tuple[Card, ...], taken: Iterable[Card]) -> tuple[Card, ...]:
    left = list(cards)
    for card in taken:
        if card in left:
            left.remove(card)
    return tuple(left)
