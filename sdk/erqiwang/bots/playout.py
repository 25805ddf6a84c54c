"""A table played out to its end with all hands open, as quickly as the rule book allows.

What is legal and who wins is asked of the rule book; what is played is up to `Foresight`.
"""

from __future__ import annotations

from erqiwang.bots.foresight import Foresight
from erqiwang.bots.open_table import OpenTable
from erqiwang.bots.reading import Masks
from erqiwang.bots.singles import Singles
from erqiwang.rules import Profile
from erqiwang.rules.order import Order
from erqiwang.rules.settlement import captured_points, kitty_multiplier


class Playout:
    """Plays open tables of one contract to their end."""

    __slots__ = ("_declarer", "_foresight", "_order", "_profile", "_seats", "_singles")

    def __init__(self, profile: Profile, order: Order, declarer: int) -> None:
        self._profile = profile
        self._order = order
        self._declarer = declarer
        self._seats = profile.seats
        self._singles = Singles(order, profile.seats, declarer)
        self._foresight = Foresight(profile, order, declarer)

    def points_after(self, table: OpenTable, play: Masks) -> int:
        """Return what the defenders have at the end if the seat in turn makes a play; uses the table up."""
        order, seats, declarer = self._order, self._seats, self._declarer
        once, choose, finish = table.once, self._foresight.choose, self._singles.finish
        while True:
            table.put(order, seats, play)
            if table.played < seats and table.lead is not None and table.lead.size == 1:
                finish(table)
            if table.played == seats:
                if table.winner != declarer:
                    table.captured += table.points
                if not once[table.winner]:
                    return table.captured + self._kitty(table)
                table.next_trick()
            play = choose(table)

    def _kitty(self, table: OpenTable) -> int:
        """Count the kitty after the last trick (R-37 to R-40)."""
        if table.winner == self._declarer:
            return 0
        order = self._order
        multiplier = kitty_multiplier(self._profile, order, order.cards_of(*table.best), True)
        return captured_points(multiplier, order.cards_of(*table.buried)) if multiplier else 0
