"""What a play is worth: the points it is likely to bring, less what its cards would do later."""

from __future__ import annotations

from dataclasses import dataclass

from erqiwang.bots.reading import Masks, Reading, Standing, beats, copies, higher_than
from erqiwang.rules.order import Suit, bits_of
from erqiwang.rules.shape import Shape, shape_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """The numbers that a weighing turns on, all in card points; found by play against other numbers."""

    trump: float = 2.0
    """Any trump, for the tricks it can ruff."""
    trump_rank: float = 5.0
    """The strength of a trump: all of it for one that beats every trump still out."""
    master_trump: float = 3.0
    """The highest trump still out, for the last trick."""
    side_rank: float = 1.5
    """The strength of a side card among those still out."""
    master: float = 3.0
    """The highest card of its suit still out."""
    pair: float = 2.0
    """A pair that is broken."""
    keep_points: float = 0.45
    """What a point card is worth in the hand, of each of its points."""
    feed: float = 4.0
    """Points that a partner adds to each card of a trick that the defenders are going to win."""
    spare: float = 1.0
    """Points that must fall on each card of a trick whoever wins it."""
    will: float = 0.9
    """How often a player who can beat a play does so."""
    ruff_will: float = 0.8
    """How often a player who can ruff does so."""
    draw: float = 2.5
    """A trump led by the declarer, for the trumps it takes from the others."""
    draw_against: float = 0.0
    """The same led by a defender."""
    tempo: float = 1.0
    """Having the next lead."""
    cashed: float = 0.3
    """The share of a card's price that winning the trick with it pays back."""
    force: float = 1.5
    """A card led in a suit that the declarer is out of, for the trump it costs him."""


class Weighing:
    """The worth of plays at one turn."""

    __slots__ = ("_is_declarer", "_reading", "_standing", "_weights", "_yet_to_play")

    def __init__(self, reading: Reading, standing: Standing | None, weights: Weights) -> None:
        view = reading.view
        seats = view.profile.seats
        played = len(view.current_plays)
        self._reading = reading
        self._standing = standing
        self._weights = weights
        self._is_declarer = view.seat == view.declarer
        self._yet_to_play = [(view.seat + offset) % seats for offset in range(1, seats - played)]

    def cost(self, bit: int, breaks_pair: bool) -> float:
        """Price the loss of one card, its points aside."""
        reading, weights = self._reading, self._weights
        order, unseen = reading.order, reading.unseen
        suit = order.suit_at[bit.bit_length()]
        out = copies(unseen[0] & suit.mask, unseen[1] & suit.mask)
        above = copies(*higher_than(order, unseen, suit, order.strengths[bit])) if out else 0
        rank = 1 - above / out if out else 1.0
        price = weights.pair if breaks_pair else 0.0
        if not suit.is_trump:
            return price + weights.side_rank * rank + (0.0 if above else weights.master)
        if not out:
            return price + weights.trump
        price += weights.trump + weights.trump_rank * rank * rank
        return price if above else price + weights.master_trump

    def value(self, play: Masks) -> float:
        """Weigh a play; the highest is best."""
        reading, weights = self._reading, self._weights
        own_points = reading.order.points(*play)
        size = copies(*play)
        lead, best, winner = self._trick_with(play)
        defenders = self._defenders_win(lead, best, winner)
        points = own_points + size * self._coming(defenders)
        if self._standing is not None:
            points += self._standing.points
        side = 1 - defenders if self._is_declarer else defenders
        mine = side if winner == reading.view.seat else 0.0
        gain = (side - 1 if self._is_declarer else side) * points
        gain += weights.keep_points * own_points * (1 if self._is_declarer else -1)
        gain += weights.tempo * mine - self._price(play) * (1 - weights.cashed * mine)
        return gain if self._standing is not None else gain + self._lead_bonus(lead)

    def _price(self, play: Masks) -> float:
        once, twice = play
        pairs = self._reading.hand[1]
        price = 0.0
        for bit in bits_of(once):
            if twice & bit:
                price += 2 * self.cost(bit, False)
            else:
                price += self.cost(bit, bool(pairs & bit))
        return price

    def _trick_with(self, play: Masks) -> tuple[Shape, Shape, int]:
        """Return the lead, the best play and its seat once this play lies on the table."""
        shape = shape_of(self._reading.order, *play)
        seat, standing = self._reading.view.seat, self._standing
        if standing is None:
            assert shape is not None, "a lead has one effective suit"
            return shape, shape, seat
        if shape is not None and beats(shape, standing.best, standing.lead):
            return standing.lead, shape, seat
        return standing.lead, standing.best, standing.winner

    def _lead_bonus(self, lead: Shape) -> float:
        reading, weights = self._reading, self._weights
        if lead.suit.is_trump:
            if not reading.unseen[0] & lead.suit.mask:
                return 0.0
            return lead.size * (weights.draw if self._is_declarer else weights.draw_against)
        declarer = reading.view.declarer
        if not self._is_declarer and declarer is not None and reading.is_out(declarer, lead.suit):
            return lead.size * weights.force
        return 0.0

    def _coming(self, defenders: float) -> float:
        """Estimate the points that the players yet to play add for each card of the trick."""
        weights = self._weights
        points = 0.0
        for seat in self._yet_to_play:
            if seat == self._reading.view.declarer:
                points += weights.spare
            else:
                points += weights.spare + (weights.feed - weights.spare) * defenders
        return points

    def _defenders_win(self, lead: Shape, best: Shape, winner: int) -> float:
        """Estimate the chance that a defender wins the trick, from who wins now and who is yet to play."""
        declarer = self._reading.view.declarer
        chance = 0.0 if winner == declarer else 1.0
        for seat in self._yet_to_play:
            beaten = self._beats(seat, lead, best)
            chance = chance * (1 - beaten) if seat == declarer else chance + (1 - chance) * beaten
        return chance

    def _beats(self, seat: int, lead: Shape, best: Shape) -> float:
        """Estimate the chance that a seat can and does beat the best play so far."""
        reading, weights = self._reading, self._weights
        if lead.size != 2 * lead.pairs and lead.size > 1:
            return 0.0
        trumps = reading.order.suits[-1]
        if lead.suit.is_trump:
            return weights.will * self._holds(seat, trumps, best.strength, lead.pairs)
        if reading.is_out(seat, lead.suit):
            out = 1.0
        else:
            unseen = reading.unseen
            still_out = copies(unseen[0] & lead.suit.mask, unseen[1] & lead.suit.mask)
            out = (1 - reading.share(seat, lead.suit)) ** still_out
        beaten = 0.0
        if out < 1 and not best.suit.is_trump:
            beaten = weights.will * (1 - out) * self._holds(seat, lead.suit, best.strength, lead.pairs)
        if out > 0.01:
            beaten += weights.ruff_will * out * self._holds(seat, trumps, best.strength, lead.pairs)
        return beaten

    def _holds(self, seat: int, suit: Suit, strength: int, pairs: int) -> float:
        """Estimate the chance that a seat holds a single, pair or tractor of a suit above a strength."""
        reading = self._reading
        share = reading.share(seat, suit)
        if not share:
            return 0.0
        once, twice = higher_than(reading.order, reading.unseen, suit, strength)
        if not pairs:
            return float(1 - (1 - share) ** copies(once, twice))
        if reading.unpaired[seat] & suit.mask:
            return 0.0
        ways = twice.bit_count() - (pairs - 1)
        return float(1 - (1 - share ** (2 * pairs)) ** ways) if ways > 0 else 0.0
