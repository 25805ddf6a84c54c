"""Hands that the other players may hold: drawn at random, true to everything that was shown."""

from __future__ import annotations

from collections import Counter

from erqiwang.bots.dealt import Chance, Dealt, Hidden
from erqiwang.bots.open_table import OpenTable
from erqiwang.bots.reading import Reading, Standing
from erqiwang.rules.order import bits_of

ACE_BURIED = 0.05
POINTS_BURIED = 0.6
SHOWN_BURIED = 3.0
TRUMP_BURIED = 0.001
SURELY_BURIED = 1e9
"""How likely the declarer is to bury the highest card of a side suit, one with points, one that he took up
before all eyes, a trump, and a card that nobody can hold; any other side card has 1."""

ATTEMPTS = 4
"""How often the cards are given out anew when pairs come up that a player was seen not to hold."""


class Worlds:
    """Draws the hidden cards of one moment of the play."""

    __slots__ = ("_cards", "_chance", "_reading", "_rooms", "_standing", "_unpaired")

    def __init__(self, reading: Reading, standing: Standing | None, chance: Chance) -> None:
        self._reading = reading
        self._standing = standing
        self._chance = chance
        self._unpaired = [*reading.unpaired, 0]
        for report in reading.view.trump_reports:
            if not report.pair:
                self._unpaired[report.seat] |= reading.order.trumps
        self._cards = _hidden_cards(reading)
        self._rooms = _rooms(reading, sum(card.is_trump for card in self._cards))

    def draw(self) -> OpenTable:
        """Draw one world; every call another."""
        for _ in range(ATTEMPTS):
            dealt = self._deal(self._unpaired)
            if dealt is not None:
                return self._table(dealt)
        dealt = self._deal([0] * len(self._unpaired))
        assert dealt is not None, "the cards as they lie are a way to deal them"
        return self._table(dealt)

    def _deal(self, unpaired: list[int]) -> Dealt | None:
        """Give the cards out, to the kitty first, then those that fewest may hold; None if one is left."""
        chance, kitty = self._chance, len(unpaired) - 1
        dealt = Dealt(self._rooms, unpaired)
        rest = self._cards
        if self._rooms[0][kitty] or self._rooms[1][kitty]:
            ranked = sorted(self._cards, key=lambda card: -(chance() ** (1 / card.burial)))
            rest = [card for card in ranked if not dealt.put(card, kitty)]
        for _, card in sorted([(len(card.holders) + chance(), card) for card in rest]):
            if not dealt.put_at_random(card, chance) and not dealt.make_room(card, set()):
                return None
        return dealt

    def _table(self, dealt: Dealt) -> OpenTable:
        reading, standing = self._reading, self._standing
        view = reading.view
        once, twice = dealt.once, dealt.twice
        once[view.seat], twice[view.seat] = reading.hand
        buried = (once.pop(), twice.pop())
        if view.buried is not None:
            buried = reading.order.masks(view.buried)
        table = OpenTable(once, twice, buried, view.seat, view.defender_points)
        if standing is not None:
            assert view.leader is not None, "somebody led"
            best = (standing.winner - view.leader) % view.profile.seats
            table.played = len(view.current_plays)
            table.lead = standing.lead
            table.strength = standing.best.strength
            table.winner = standing.winner
            table.points = standing.points
            table.best = reading.order.masks(view.current_plays[best])
        return table


def _rooms(reading: Reading, trumps: int) -> tuple[list[int], list[int]]:
    """Return for how many trumps and side cards each has room: one list where only the sum is known."""
    view = reading.view
    sizes = [*reading.sizes, 0 if view.seat == view.declarer else view.profile.kitty_size]
    sizes[view.seat] = 0
    if not view.trump_reports:
        return sizes, sizes
    told = {report.seat: report.count for report in view.trump_reports}
    # Nothing is told after the plays of the last trick.
    room = [min(told.get(seat, 0), size) for seat, size in enumerate(sizes)]
    room[-1] = trumps - sum(room)
    return room, [size - count for size, count in zip(sizes, room, strict=True)]


def _hidden_cards(reading: Reading) -> list[Hidden]:
    view, order = reading.view, reading.order
    once, twice = reading.unseen
    shown = _shown_of_kitty(reading)
    kitty = () if view.seat == view.declarer else (view.profile.seats,)
    others = [seat for seat in range(view.profile.seats) if seat != view.seat]
    cards: list[Hidden] = []
    for bit in bits_of(once):
        is_trump = bool(bit & order.trumps)
        holders = tuple(seat for seat in others if not reading.void[seat] & bit)
        for copy in range(1 + bool(twice & bit)):
            is_shown = copy < shown[bit]
            able = tuple(seat for seat in holders if seat == view.declarer) if is_shown else holders
            burial = _burial(reading, bit) * (SHOWN_BURIED if is_shown else 1)
            cards.append(Hidden(bit, able + kitty, burial if able else SURELY_BURIED, is_trump))
    return cards


def _burial(reading: Reading, bit: int) -> float:
    order = reading.order
    if bit & order.trumps:
        return TRUMP_BURIED
    if not bit << 1 & order.suit_at[bit.bit_length()].mask:
        return ACE_BURIED
    return POINTS_BURIED if bit & (order.fives | order.tens) else 1.0


def _shown_of_kitty(reading: Reading) -> Counter[int]:
    """Count by bit the cards of the kitty that the declarer still holds or buried, as far as others know."""
    view, order = reading.view, reading.order
    shown: Counter[int] = Counter()
    if view.seat == view.declarer:
        return shown
    shown.update(order.bits[card] for card in view.kitty)
    seats = view.profile.seats
    plays = [(trick.leader, trick.plays) for trick in view.tricks]
    if view.leader is not None:
        plays.append((view.leader, view.current_plays))
    for leader, cards in plays:
        for offset, play in enumerate(cards):
            if (leader + offset) % seats == view.declarer:
                shown.subtract(order.bits[card] for card in play)
    return shown
