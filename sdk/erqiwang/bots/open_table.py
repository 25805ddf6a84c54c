"""A table whose hands lie open, as sets in the bits of an `Order`; made to be played on a thousand times."""

from __future__ import annotations

from dataclasses import dataclass

from erqiwang.bots.reading import Masks
from erqiwang.rules.order import Order
from erqiwang.rules.playing import strength_of
from erqiwang.rules.shape import Shape, shape_of


@dataclass(slots=True)
class OpenTable:
    """All hands, by seat the types held once and those held twice, and the trick on the table.

    `best`, `strength` and `winner` are of the best play of the trick, `points` lie in it; `captured` are the
    points that the defenders have in completed tricks.
    """

    once: list[int]
    twice: list[int]
    buried: Masks
    seat: int
    captured: int
    played: int = 0
    lead: Shape | None = None
    strength: int = 0
    winner: int = 0
    best: Masks = (0, 0)
    points: int = 0

    def copy(self) -> OpenTable:
        """Make another table that stands at the same point."""
        return OpenTable(
            self.once[:],
            self.twice[:],
            self.buried,
            self.seat,
            self.captured,
            self.played,
            self.lead,
            self.strength,
            self.winner,
            self.best,
            self.points,
        )

    def put(self, order: Order, seats: int, play: Masks) -> None:
        """Make a legal play of the seat in turn."""
        played, doubled = play
        seat = self.seat
        pairs = self.twice[seat]
        self.once[seat] = self.once[seat] & ~played | pairs & played & ~doubled
        self.twice[seat] = pairs & ~played
        if played & (order.fives | order.tens):
            self.points += order.points(played, doubled)
        lead = self.lead
        if lead is None:
            lead = self.lead = shape_of(order, played, doubled)
            assert lead is not None, "a lead has one effective suit"
            self.strength, self.winner, self.best = lead.strength, seat, play
        elif played & lead.contest:
            reached = order.strengths[played] if lead.size == 1 else strength_of(order, lead, played, doubled)
            if reached > self.strength:
                self.strength, self.winner, self.best = reached, seat, play
        self.seat = (seat + 1) % seats
        self.played += 1

    def next_trick(self) -> None:
        """Let the winner of a full trick lead the next one."""
        self.seat = self.winner
        self.lead = None
        self.played = self.points = 0
