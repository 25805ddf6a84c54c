"""A trick of single cards among open hands: the commonest one by far, finished in one go."""

from __future__ import annotations

from functools import lru_cache

from erqiwang.bots.open_table import OpenTable
from erqiwang.rules.order import TRUMP_STRENGTH, Order

TRUMP_PRICE = 0.33
"""Card points that a trump is worth for each step of its rank."""
TEMPO = 3
"""Card points that winning a trick is worth beside those in it."""


class Singles:
    """Lets every seat that is yet to play to a single card follow as it thinks best.

    A seat gives points where its side is sure to win, wins as cheaply as it can where that is sure and worth
    the card, and else plays what it will miss least.
    """

    __slots__ = ("_declarer", "_order", "_powers", "_prices", "_seats", "_stronger")

    def __init__(self, order: Order, seats: int, declarer: int) -> None:
        self._order = order
        self._seats = seats
        self._declarer = declarer
        self._powers = powers_of(order)
        self._stronger = _stronger(order)
        self._prices = _prices(order)

    def finish(self, table: OpenTable) -> None:
        """Complete the trick on the table."""
        lead = table.lead
        assert lead is not None, "a card was led"
        once, twice, powers, order = table.once, table.twice, self._powers, self._order
        mask, trumps, contest, tens = lead.mask, order.trumps, lead.contest, order.tens
        with_points = order.fives | tens
        strength, winner, points = table.strength, table.winner, table.points
        seats = [(table.seat + more) % self._seats for more in range(self._seats - table.played)]
        reach = [
            powers[(cards & mask or cards & trumps).bit_length()] for cards in [once[seat] for seat in seats]
        ]
        for index, seat in enumerate(seats, start=1):
            held = once[seat]
            bit = held & mask or held
            if bit & bit - 1:
                bit = self._choose(
                    seat, bit, twice[seat], mask, seats[index:], reach[index:], strength, winner, points
                )
            if twice[seat] & bit:
                twice[seat] ^= bit
            else:
                once[seat] = held ^ bit
            if bit & with_points:
                points += 10 if bit & tens else 5
            if bit & contest and powers[bit.bit_length()] > strength:
                strength, winner, table.best = powers[bit.bit_length()], seat, (bit, 0)
        table.strength, table.winner, table.points, table.played = strength, winner, points, self._seats

    def _choose(
        self,
        seat: int,
        legal: int,
        pairs: int,
        mask: int,
        later: list[int],
        reach: list[int],
        strength: int,
        winner: int,
        points: int,
    ) -> int:
        declarer, trumps = self._declarer, self._order.trumps
        threat = ally = 0
        for other, far in zip(later, reach, strict=True):
            if seat == declarer or other == declarer:
                threat = far if far > threat else threat
            elif far > ally:
                ally = far
        needed = threat - 1 if threat > strength else strength
        if ally > needed or (seat != declarer != winner and strength >= threat):
            return self._feed(legal, mask)
        winning = (legal & mask or legal & trumps) & self._stronger[needed]
        win = winning & -winning
        if win and (not win & trumps or points + TEMPO >= self._prices[win.bit_length()]):
            return win
        return self._spare(legal, mask, pairs)

    def _feed(self, legal: int, mask: int) -> int:
        """Choose the card with most points, trumps aside unless they were led."""
        order = self._order
        fit = legal if legal & mask else legal & ~order.trumps
        rich = fit & order.tens or fit & order.fives
        return rich & -rich if rich else least(order, legal)

    def _spare(self, legal: int, mask: int, pairs: int) -> int:
        """Choose the card that is missed least."""
        order = self._order
        if not legal & mask:
            return least(order, legal)
        plain = legal & ~(order.fives | order.tens) or legal & order.fives or legal
        plain = plain & ~pairs or plain
        return plain & -plain


def least(order: Order, cards: int) -> int:
    """Return the least valuable card of a set."""
    for step in order.ladder:
        if cards & step:
            found = cards & step
            return found & -found
    raise ValueError("no cards")


@lru_cache(maxsize=64)
def powers_of(order: Order) -> tuple[int, ...]:
    """Return the strength of the highest card of a set of one suit, by the set's bit length."""
    return (0, *(order.strengths[1 << index] for index in range(len(order.cards))))


@lru_cache(maxsize=64)
def _stronger(order: Order) -> tuple[int, ...]:
    """Return, by strength, the cards that are stronger."""
    most = max(order.strengths.values())
    return tuple(
        sum(bit for bit, strength in order.strengths.items() if strength > least) for least in range(most + 1)
    )


@lru_cache(maxsize=64)
def _prices(order: Order) -> tuple[float, ...]:
    """Return the price of a card as a trump, by its bit length."""
    return tuple((power - TRUMP_STRENGTH) * TRUMP_PRICE for power in powers_of(order))
