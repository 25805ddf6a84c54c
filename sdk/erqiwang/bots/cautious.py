"""Feeds points to its own side's tricks, ducks what it cannot win, saves trumps, bids by a rough count.

It looks at the trick on the table and at its own hand, and remembers nothing.
"""

from __future__ import annotations

from erqiwang.bot import Bot
from erqiwang.bots.candidates import follows, leads
from erqiwang.bots.reading import Masks, Reading, Standing, beats, copies, standing_of
from erqiwang.client import run
from erqiwang.rules import Card, Profile, SeatView, Trump, points_of
from erqiwang.rules.order import Order, order_for
from erqiwang.rules.shape import Shape, shape_of

NAME = "cautious"
VERSION = "1"

WORTH_A_TRUMP = 10
"""Points in a trick for which a trump is spent."""

LONG = 1.5
"""A hand with so many times the average number of trumps is long in trumps."""


class CautiousBot(Bot):
    """A careful beginner."""

    def __init__(self) -> None:
        self._reading: Reading | None = None

    def bid(self, view: SeatView) -> int | None:
        """Bid the most that is allowed as long as the rough count of the hand says it can be made."""
        enough = min(rough_count(view.profile, order, view.hand) for order in _orders(view))
        bid = view.legal_bids()[0]
        return bid if bid is not None and bid >= enough else None

    def name_trump(self, view: SeatView) -> Trump:
        """Name the trump with the best rough count."""
        return min(_orders(view), key=lambda order: rough_count(view.profile, order, view.hand)).trump

    def bury(self, view: SeatView) -> tuple[Card, ...]:
        """Bury low side cards without points, from the shortest suits first."""
        trump = view.trump
        assert trump is not None, "trump is named before burying"
        order = order_for(view.profile, trump)
        once, twice = order.masks(view.hand)

        def keep(card: Card) -> tuple[bool, bool, bool, int, int]:
            bit = order.bits[card]
            suit = order.suit_at[bit.bit_length()]
            is_top = bit << 1 & ~suit.mask != 0 or bool(twice & bit)
            length = copies(once & suit.mask, twice & suit.mask)
            return suit.is_trump, is_top, points_of([card]) > 0, length, order.strengths[bit]

        return tuple(sorted(view.hand, key=lambda card: (keep(card), card))[: view.profile.kitty_size])

    def play(self, view: SeatView) -> tuple[Card, ...]:
        """Lead winners, follow to feed, to win or to duck."""
        if self._reading is None:
            self._reading = Reading.of(view)
        reading = self._reading
        reading.read()
        standing = standing_of(reading)
        play = _lead(reading) if standing is None else _follow(reading, standing)
        return reading.order.cards_of(*play)


def rough_count(profile: Profile, order: Order, hand: tuple[Card, ...]) -> float:
    """Guess the points that the defenders would take: fewer with long trumps, jokers, sevens and aces."""
    once, twice = order.masks(hand)
    trumps = copies(once & order.trumps, twice & order.trumps)
    jokers = sum(card.is_joker for card in hand)
    sevens = sum(not card.is_joker and card.rank == "7" for card in hand)
    aces = sum(not card.is_joker and card.rank == "A" for card in hand)
    pairs = (twice & order.trumps).bit_count()
    good = 4.5 * trumps + 7 * jokers + 2.5 * sevens + 4 * aces + 2 * pairs
    # A full hand of two decks is the measure; a third defender takes points too.
    return (130 + 25 * profile.defenders) * profile.copies / 2 - good


def _orders(view: SeatView) -> list[Order]:
    return [order_for(view.profile, trump) for trump in view.profile.trumps]


def _lead(reading: Reading) -> Masks:
    """Lead long trumps as declarer, then high side cards, then the lowest card without points."""
    order, view = reading.order, reading.view
    trumps = copies(reading.hand[0] & order.trumps, reading.hand[1] & order.trumps)
    average = len(view.hand) * order.trumps.bit_count() / len(order.cards)
    draws = view.seat == view.declarer and trumps > LONG * average and len(view.void_seats) < 2

    def appeal(play: Masks) -> tuple[float, Masks]:
        shape = _shape(order, play)
        points = order.points(*play)
        is_high = _is_high(order, shape)
        if shape.suit.is_trump:
            return (20.0 + shape.size + shape.strength if draws else -40.0 - shape.strength), play
        return (30.0 + shape.size if is_high else -points - shape.strength), play

    return max(leads(reading), key=appeal)


def _follow(reading: Reading, standing: Standing) -> Masks:
    order, view = reading.order, reading.view
    plays = list(follows(reading, standing.lead, lambda bit, breaks: _price(order, bit) + 2 * breaks))
    cheapest = min(plays, key=lambda play: (_total(order, play), play))
    if not _is_against(view, standing.winner):
        is_last = len(view.current_plays) == view.profile.seats - 1
        declarer_played = view.seat == view.declarer or _has_played(view, view.declarer)
        if is_last or declarer_played or _is_high(order, standing.best):
            return max(plays, key=lambda play: (order.points(*play) - 0.3 * _total(order, play), play))
        return cheapest
    winning = [play for play in plays if _wins(order, play, standing)]
    if not winning:
        return cheapest
    best = min(winning, key=lambda play: (_total(order, play), play))
    spends_trump = _shape(order, best).suit.is_trump
    points = standing.points + order.points(*best)
    return cheapest if spends_trump and points < WORTH_A_TRUMP else best


def _is_against(view: SeatView, seat: int) -> bool:
    return view.declarer in (seat, view.seat)


def _has_played(view: SeatView, seat: int | None) -> bool:
    leader = view.leader
    if leader is None or seat is None:
        return False
    return (seat - leader) % view.profile.seats < len(view.current_plays)


def _wins(order: Order, play: Masks, standing: Standing) -> bool:
    shape = shape_of(order, *play)
    return shape is not None and beats(shape, standing.best, standing.lead)


def _is_high(order: Order, shape: Shape) -> bool:
    """Tell whether hardly anything of its suit is higher: an ace, or a trump above the sevens."""
    top = (shape.suit.mask + (1 << shape.suit.shift)) >> 1
    return shape.strength >= order.strengths[top] - (2 if shape.suit.is_trump else 0)


def _price(order: Order, bit: int) -> float:
    points = order.points(bit, 0)
    strength = order.strengths[bit]
    return points + strength / 4


def _total(order: Order, play: Masks) -> float:
    return sum(_price(order, order.bits[card]) for card in order.cards_of(*play))


def _shape(order: Order, play: Masks) -> Shape:
    shape = shape_of(order, *play)
    assert shape is not None, "a lead has one effective suit"
    return shape


if __name__ == "__main__":
    run(CautiousBot)
