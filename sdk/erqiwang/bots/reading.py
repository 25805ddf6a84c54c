"""What the cards played so far tell: which are still out, and who has run out of what."""

from __future__ import annotations

from dataclasses import dataclass, field

from erqiwang.rules import Card, Profile, SeatView
from erqiwang.rules.order import Order, Suit, order_for
from erqiwang.rules.shape import Shape, ShapeKind, shape_of

Masks = tuple[int, int]
"""A set of cards in the bits of an `Order`: the types held at least once, the types held twice."""


def copies(once: int, twice: int) -> int:
    """Count the cards of a set."""
    return once.bit_count() + twice.bit_count()


@dataclass(slots=True)
class Reading:
    """Knowledge of one seat about the cards of a table, once trump is named. `read` brings it up to date."""

    view: SeatView
    order: Order
    void: list[int]
    """By seat, the cards of all suits that it is known to have run out of."""
    unpaired: list[int]
    """By seat, the cards of all suits in which it is known to hold no pair."""
    hand: Masks = (0, 0)
    unseen: Masks = (0, 0)
    """Cards that are neither in the own hand nor known to be gone: in other hands, or buried."""
    sizes: list[int] = field(default_factory=list[int])
    """By seat, how many cards it holds."""
    _tricks_read: int = 0

    @classmethod
    def of(cls, view: SeatView) -> Reading:
        """Begin to read a table whose trump is named."""
        trump = view.trump
        if trump is None:
            raise ValueError("there is nothing to read before trump is named")
        seats = view.profile.seats
        return cls(view, order_for(view.profile, trump), [0] * seats, [0] * seats)

    def read(self) -> None:
        """Take in everything that happened since the last call."""
        view, order = self.view, self.order
        self.hand = order.masks(view.hand)
        known = order.masks((*view.hand, *view.cards_seen, *(view.buried or ())))
        self.unseen = unseen_of(view.profile, order, known)
        for trick in view.tricks[self._tricks_read :]:
            self._read_plays(trick.leader, trick.plays)
        self._tricks_read = len(view.tricks)
        plays = view.current_plays
        leader = view.leader
        if plays and leader is not None:
            self._read_plays(leader, plays)
        for seat in view.void_seats:
            self.void[seat] |= order.trumps
        self._count_hands(leader, len(plays))

    def _read_plays(self, leader: int, plays: tuple[tuple[Card, ...], ...]) -> None:
        order = self.order
        seats = self.view.profile.seats
        lead = shape_of(order, *order.masks(plays[0]))
        if lead is None:
            return
        for offset, cards in enumerate(plays):
            once, twice = order.masks(cards)
            seat = (leader + offset) % seats
            if once & ~lead.suit.mask:
                self.void[seat] |= lead.suit.mask
            elif lead.pairs > twice.bit_count():
                self.unpaired[seat] |= lead.suit.mask

    def _count_hands(self, leader: int | None, played: int) -> None:
        view = self.view
        seats = view.profile.seats
        self.sizes = [len(view.hand)] * seats
        if leader is None or not played:
            return
        # Who has played to the current trick holds fewer cards than who has not.
        size = len(view.current_plays[0])
        for offset in range(played):
            self.sizes[(leader + offset) % seats] -= size

    def is_out(self, seat: int, suit: Suit) -> bool:
        """Whether a seat is known to have none of a suit."""
        return bool(self.void[seat] & suit.mask) or not self.unseen[0] & suit.mask

    def share(self, seat: int, suit: Suit) -> float:
        """Estimate the chance that an unseen card of a suit is in the hand of a seat."""
        if self.is_out(seat, suit):
            return 0.0
        me = self.view.seat
        holders = sum(
            size for other, size in enumerate(self.sizes) if other != me and not self.void[other] & suit.mask
        )
        if not suit.is_trump and me != self.view.declarer:
            holders += self.view.profile.kitty_size
        return self.sizes[seat] / holders if holders else 0.0

    def higher(self, shape: Shape) -> Masks:
        """Find the unseen cards of the shape's suit that are higher than its top."""
        return higher_than(self.order, self.unseen, shape.suit, shape.strength)

    def is_master(self, bit: int) -> bool:
        """Whether no unseen card of its suit is higher than a card."""
        suit = self.order.suit_at[bit.bit_length()]
        return not higher_than(self.order, self.unseen, suit, self.order.strengths[bit])[0]


def unseen_of(profile: Profile, order: Order, known: Masks) -> Masks:
    """Find the cards of the deck that are not among the known ones."""
    everything = (1 << len(order.cards)) - 1
    if profile.copies == 1:
        return everything & ~known[0], 0
    return everything & ~known[1], everything & ~known[0]


def higher_than(order: Order, cards: Masks, suit: Suit, strength: int) -> Masks:
    """Find the cards of a suit that are stronger than a given strength."""
    strengths = order.strengths
    rest = cards[0] & suit.mask
    while rest:
        low = rest & -rest
        if strengths[low] > strength:
            break
        rest ^= low
    return rest, cards[1] & rest


@dataclass(frozen=True, slots=True)
class Standing:
    """The trick as it lies on the table: what was led, what wins, who wins, the points in it."""

    lead: Shape
    best: Shape
    winner: int
    points: int


def standing_of(reading: Reading) -> Standing | None:
    """Read the current trick; None before the lead."""
    view, order = reading.view, reading.order
    plays, leader = view.current_plays, view.leader
    if not plays or leader is None:
        return None
    lead = best = _shape(order, plays[0])
    winner, points = leader, order.points(*order.masks(plays[0]))
    for offset, cards in enumerate(plays[1:], start=1):
        once, twice = order.masks(cards)
        points += order.points(once, twice)
        shape = shape_of(order, once, twice)
        if shape is not None and beats(shape, best, lead):
            best, winner = shape, (leader + offset) % view.profile.seats
    return Standing(lead, best, winner, points)


def beats(shape: Shape, best: Shape, lead: Shape) -> bool:
    """Whether a later play of this shape takes a trick from the best play so far (R-69, R-70)."""
    return (
        shape.kind is lead.kind
        and shape.kind is not ShapeKind.THROW
        and shape.size == lead.size
        and (shape.suit is lead.suit or shape.suit.is_trump)
        and shape.strength > best.strength
    )


def _shape(order: Order, cards: tuple[Card, ...]) -> Shape:
    shape = shape_of(order, *order.masks(cards))
    assert shape is not None, "a lead has one effective suit"
    return shape
