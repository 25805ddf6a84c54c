"""Hidden cards given out to those who may hold them, each having room for so many."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

Chance: TypeAlias = Callable[[], float]
"""A source of random numbers from 0 up to 1."""


class Hidden(NamedTuple):
    """A card that lies where a seat cannot see it.

    `holders` are the seats that may hold it; the number of seats stands for the kitty. `burial` is how
    likely it is to be buried, beside the others.
    """

    bit: int
    holders: tuple[int, ...]
    burial: float
    is_trump: bool


class Dealt:
    """Cards by holder: `once` and `twice` are sets in the bits of an `Order`, the kitty's last.

    `rooms` are the cards that each holder takes, of trumps and of side cards; one list for both where only
    their sum is known. `unpaired` are by holder the types of which it takes no second card.
    """

    __slots__ = ("_at", "_rooms", "_unpaired", "once", "twice")

    def __init__(self, rooms: tuple[list[int], list[int]], unpaired: list[int]) -> None:
        trumps, sides = rooms
        left = sides[:]
        self._rooms = left, left if trumps is sides else trumps[:]
        self._unpaired = unpaired
        self._at: list[list[Hidden]] = [[] for _ in unpaired]
        self.once = [0] * len(unpaired)
        self.twice = [0] * len(unpaired)

    def put(self, card: Hidden, holder: int) -> bool:
        """Give a card to a holder, if he may hold it and has room."""
        room = self._rooms[card.is_trump]
        if not room[holder] or holder not in card.holders or self._is_unwanted(card, holder):
            return False
        room[holder] -= 1
        self._add(card, holder)
        return True

    def put_at_random(self, card: Hidden, chance: Chance) -> bool:
        """Give a card to any who may hold it, the likelier the more room he has."""
        bit, room = card.bit, self._rooms[card.is_trump]
        once, unpaired = self.once, self._unpaired
        fit = [
            (holder, room[holder])
            for holder in card.holders
            if room[holder] and not (once[holder] & bit and unpaired[holder] & bit)
        ]
        if not fit:
            return False
        holder = _pick(fit, chance)
        room[holder] -= 1
        self._add(card, holder)
        return True

    def make_room(self, card: Hidden, asked: set[int]) -> bool:
        """Give a card to one who has no room, by passing on a card of his; `asked` are not asked again."""
        room = self._rooms[card.is_trump]
        for holder in card.holders:
            if holder in asked or self._is_unwanted(card, holder):
                continue
            asked.add(holder)
            if room[holder]:
                room[holder] -= 1
                self._add(card, holder)
                return True
            for other in self._at[holder]:
                if self._rooms[other.is_trump] is room and self.make_room(other, asked):
                    self._remove(other, holder)
                    self._add(card, holder)
                    return True
        return False

    def _is_unwanted(self, card: Hidden, holder: int) -> bool:
        return bool(self.once[holder] & self._unpaired[holder] & card.bit)

    def _add(self, card: Hidden, holder: int) -> None:
        self._at[holder].append(card)
        self.twice[holder] |= self.once[holder] & card.bit
        self.once[holder] |= card.bit

    def _remove(self, card: Hidden, holder: int) -> None:
        self._at[holder].remove(card)
        if self.twice[holder] & card.bit:
            self.twice[holder] ^= card.bit
        else:
            self.once[holder] ^= card.bit


def _pick(sizes: list[tuple[int, int]], chance: Chance) -> int:
    """Pick one of some holders, each as likely as he has room."""
    if len(sizes) > 1:
        left = chance() * sum([size for _, size in sizes])
        for holder, size in sizes:
            left -= size
            if left < 0:
                return holder
    return sizes[-1][0]
