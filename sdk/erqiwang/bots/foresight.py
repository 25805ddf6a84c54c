"""A quick player who sees all hands: wins what is worth it, feeds its side, else gives what it can spare.

It plays the tables that `montecarlo` imagines. It never sees a real one.
"""

from __future__ import annotations

from erqiwang.bots.open_table import OpenTable
from erqiwang.bots.reading import Masks
from erqiwang.bots.singles import least, powers_of
from erqiwang.rules import Profile
from erqiwang.rules.follow import duty_of
from erqiwang.rules.order import Order, bits_of
from erqiwang.rules.shape import Shape, shape_of, tractors_in


class Foresight:
    """The choices of every seat of a table with open hands."""

    __slots__ = ("_declarer", "_order", "_powers", "_seats", "_sides", "_tractor_owed")

    def __init__(self, profile: Profile, order: Order, declarer: int) -> None:
        self._order = order
        self._declarer = declarer
        self._seats = profile.seats
        self._tractor_owed = profile.tractor_owed
        self._powers = powers_of(order)
        self._sides = tuple(suit.mask for suit in order.suits[:-1])

    def choose(self, table: OpenTable) -> Masks:
        """Choose a lead, or a play that follows several cards, for the seat in turn."""
        lead = table.lead
        return self._lead(table) if lead is None else self._follow_many(table, lead)

    # Following several cards.

    def _follow_many(self, table: OpenTable, lead: Shape) -> Masks:
        order, seat, declarer = self._order, table.seat, self._declarer
        once, twice = table.once[seat], table.twice[seat]
        duty = duty_of(order, once, twice, lead, self._tractor_owed)
        if len(duty.options) == 1 and not duty.free:
            return duty.options[0]
        threat = ally = 0
        for offset in range(1, self._seats - table.played):
            other = (seat + offset) % self._seats
            reach = self._reach(table, other, lead)
            if seat != declarer != other:
                ally = max(ally, reach)
            else:
                threat = max(threat, reach)
        needed = max(threat - 1, table.strength)
        wins = seat != declarer and (ally > needed or (table.winner != declarer and table.strength >= threat))
        if not wins:
            best = self._cheapest_win(once, twice, lead, needed, duty.options if duty.in_suit else ())
            if best is not None:
                return best
        owed_once, owed_twice = duty.options[0]
        if wins and len(duty.options) > 1:
            owed_once, owed_twice = max(duty.options, key=lambda option: order.points(*option))
        more, doubled = self._fill(duty.pool_once, duty.pool_twice, duty.free, wins)
        return owed_once | more, owed_twice | doubled

    def _reach(self, table: OpenTable, seat: int, lead: Shape) -> int:
        """Return the strength that a seat can reach, 0 if it cannot win."""
        once, twice = table.once[seat], table.twice[seat]
        in_suit = once & lead.mask
        pairs = twice & (lead.mask if in_suit else self._order.trumps)
        if not pairs or not lead.pairs:
            return 0
        if lead.pairs == 1:
            return self._powers[pairs.bit_length()]
        suit = lead.suit if in_suit else self._order.suits[-1]
        fits = [tractor for tractor in tractors_in(suit, pairs) if tractor.bit_count() == lead.pairs]
        return max((self._powers[tractor.bit_length()] for tractor in fits), default=0)

    def _cheapest_win(
        self, once: int, twice: int, lead: Shape, needed: int, options: tuple[Masks, ...]
    ) -> Masks | None:
        """Find the weakest play of pairs that is stronger than needed."""
        if not lead.pairs:
            return None
        order = self._order
        if once & lead.mask:
            sets = [pairs for pairs, _ in options]
        elif lead.pairs == 1:
            sets = list(bits_of(twice & order.trumps))
        else:
            sets = list(tractors_in(order.suits[-1], twice & order.trumps))
        for pairs in sets:
            shape = shape_of(order, pairs, pairs) if pairs.bit_count() == lead.pairs else None
            if shape is not None and shape.pairs == lead.pairs and shape.strength > needed:
                return pairs, pairs
        return None

    def _fill(self, once: int, twice: int, count: int, rich: bool) -> Masks:
        order = self._order
        if not rich or not count:
            return order.lowest(once, twice, count)
        taken = doubled = 0
        for worth in (order.tens & ~order.trumps, order.fives & ~order.trumps):
            for bit in bits_of(once & worth):
                for _ in range(1 + bool(twice & bit)):
                    if count:
                        doubled |= taken & bit
                        taken |= bit
                        count -= 1
        rest = once & ~taken | twice & taken & ~doubled
        more, again = order.lowest(rest, twice & ~taken, count)
        return taken | more, doubled | again | taken & more

    # Leading.

    def _lead(self, table: OpenTable) -> Masks:
        once, twice = table.once[table.seat], table.twice[table.seat]
        if not once & once - 1:
            return once, twice
        if table.seat == self._declarer:
            return self._lead_as_declarer(table, once, twice)
        return self._lead_as_defender(table, once, twice)

    def _lead_as_declarer(self, table: OpenTable, once: int, twice: int) -> Masks:
        """Lead what wins for sure, then trumps from the top, then as little as there is."""
        trumps, powers = self._order.trumps, self._powers
        others = [cards for seat, cards in enumerate(table.once) if seat != table.seat]
        for mask in self._sides:
            mine = once & mask
            if mine and not any(_beats(cards, mine, mask, trumps) for cards in others):
                return _top(mine, twice)
        mine = once & trumps
        theirs = max(cards & trumps for cards in others)
        if not mine or (theirs and powers[mine.bit_length()] < powers[theirs.bit_length()]):
            return least(self._order, once), 0
        if theirs or mine == once:
            return _top(mine, twice) if theirs else (mine, twice & trumps)
        return least(self._order, once), 0

    def _lead_as_defender(self, table: OpenTable, once: int, twice: int) -> Masks:
        """Lead what the declarer cannot win, then what costs him a trump, then as little as there is."""
        order = self._order
        declarer_cards = table.once[self._declarer]
        ruffs = declarer_cards & order.trumps
        force = 0
        for mask in self._sides:
            mine = once & mask
            if not mine:
                continue
            his = declarer_cards & mask
            if not his and ruffs:
                force = mine
                continue
            if mine.bit_length() >= his.bit_length():
                return _top(mine, twice)
            if any((cards & mask).bit_length() > his.bit_length() for cards in table.once):
                rich = mine & order.tens or mine & order.fives or mine
                return rich & -rich, 0
        if once & order.trumps == once and not any(
            cards & order.trumps for seat, cards in enumerate(table.once) if seat != table.seat
        ):
            return once, twice
        plain = force & ~(order.fives | order.tens)
        if plain:
            return plain & -plain, 0
        return least(order, once), 0


def _beats(cards: int, mine: int, mask: int, trumps: int) -> bool:
    """Whether a hand can beat the highest of some cards of a side suit."""
    held = cards & mask
    return held.bit_length() > mine.bit_length() if held else cards & trumps > 0


def _top(cards: int, twice: int) -> Masks:
    """Return the highest card of a suit, with its twin if it is held."""
    top = 1 << cards.bit_length() - 1
    return top, top & twice
