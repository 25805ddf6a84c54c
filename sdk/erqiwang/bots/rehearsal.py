"""A contract played out under some trump, and what comes of it for the seat that asks."""

from __future__ import annotations

from erqiwang.bots.open_table import OpenTable
from erqiwang.bots.playout import Playout
from erqiwang.bots.prospects import POINT_STEP, prospects
from erqiwang.bots.reading import Masks
from erqiwang.rules import SeatView
from erqiwang.rules.order import Order


class Rehearsal:
    """Plays imagined tables of one contract to their end; they are worth what the own seat scores."""

    __slots__ = ("_playout", "_prospects", "_sign")

    def __init__(self, view: SeatView, order: Order, slope: float) -> None:
        declarer, bid = view.declarer, view.bid
        if declarer is None or bid is None:
            raise ValueError("there is no contract yet")
        self._playout = Playout(view.profile, order, declarer)
        self._prospects = prospects(view.profile, bid, slope)
        self._sign = 1 if view.seat == declarer else -1

    def play(self, table: OpenTable, play: Masks) -> float:
        """Make a play of the own seat and return what the table is worth then."""
        points = self._playout.points_after(table.copy(), play)
        worth = self._prospects[min(points // POINT_STEP, len(self._prospects) - 1)]
        return self._sign * worth
