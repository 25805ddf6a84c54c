"""What a seat can work out from its view: what is still out, who may hold it, who has run out of what.

Counting only, no guesses: all of it follows from what was shown and said.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType

from erqiwang.rules import Card, Phase, SeatView, points_of
from erqiwang.rules.shape import shape_of

TRUMP = "T"
"""The letter of the trumps, as `Trump.effective_suit` gives it."""


class Knowledge:
    """What follows from a view, brought up to date when something is asked and never before.

    Made once for a table, in `table_opened` or later. Suits are effective ones: `S`, `H`, `C` and `D`
    without their trumps, and `T`; nothing can be asked of suits before trump is named (`ValueError`).
    """

    __slots__ = ("_from_kitty", "_mark", "_tricks_read", "_unpaired", "_unseen", "_view", "_void")

    def __init__(self, view: SeatView) -> None:
        self._view = view
        self._mark: object = None
        self._unseen: Mapping[Card, int] = {}
        self._begin()

    def _begin(self) -> None:
        seats = self._view.profile.seats
        self._tricks_read = 0
        self._from_kitty: Counter[Card] = Counter()
        self._void: list[set[str]] = [set() for _ in range(seats)]
        self._unpaired: list[set[str]] = [set() for _ in range(seats)]

    # Cards.

    @property
    def unseen(self) -> Mapping[Card, int]:
        """How many of each card other hands and the buried cards, where not known, hold; never 0."""
        self._update()
        return self._unseen

    @property
    def points_unseen(self) -> int:
        """Card points of the unseen cards (R-03)."""
        return sum(points_of([card]) * count for card, count in self.unseen.items())

    @property
    def points_out(self) -> int:
        """Card points that lie in no completed trick: in hands, on the table, or buried (R-03)."""
        view = self._view
        return view.profile.deck_points - sum(trick.points for trick in view.tricks)

    @property
    def trumps_unseen(self) -> int:
        """How many of the unseen cards are trumps."""
        return sum(count for card, count in self.unseen.items() if self._suit_of(card) == TRUMP)

    def may_hold(self, card: Card) -> tuple[int, ...]:
        """Return the other seats that may hold a copy of a card, ascending; none if no copy is unseen.

        What the declarer took up before all eyes is his until he plays it, or it is buried (R-11).
        """
        count = self.unseen.get(card, 0)
        view = self._view
        if not count:
            return ()
        suit = None if view.trump is None else self._suit_of(card)
        his_only = count <= self._from_kitty[card]
        return tuple(
            seat
            for seat in range(view.profile.seats)
            if seat != view.seat
            and suit not in self._void[seat]
            and (seat == view.declarer or not his_only)
            and self.cards_left(seat)
        )

    def may_be_buried(self, card: Card) -> bool:
        """Whether an unseen copy of a card may be among the buried ones (R-15)."""
        view = self._view
        return card in self.unseen and view.phase is Phase.PLAY and view.seat != view.declarer

    # Hands.

    def cards_left(self, seat: int) -> int:
        """Return how many cards a seat holds; 0 when the table is over."""
        view = self._view
        if view.phase is Phase.FINISHED:
            return 0
        if view.phase in (Phase.TRUMP, Phase.BURY) and seat == view.declarer:
            return view.profile.hand_size + view.profile.kitty_size
        left = view.profile.hand_size - sum(len(trick.plays[0]) for trick in view.tricks)
        if view.leader is None or not view.current_plays:
            return left
        has_played = (seat - view.leader) % view.profile.seats < len(view.current_plays)
        return left - len(view.current_plays[0]) * has_played

    def is_void(self, seat: int, suit: str) -> bool:
        """Whether a seat has none of a suit for certain: by its plays, by announcement, or none is left."""
        self._update()
        if seat == self._view.seat:
            return not any(self._suit_of(card) == suit for card in self._view.hand)
        return suit in self._void[seat] or not any(
            self._suit_of(card) == suit and seat in self.may_hold(card) for card in self._unseen
        )

    def has_no_pair(self, seat: int, suit: str) -> bool:
        """Whether another seat has no pair of a suit for certain, by its plays or by report (R-61, R-32)."""
        self._update()
        return suit in self._unpaired[seat] or not any(
            count > 1 and self._suit_of(card) == suit and seat in self.may_hold(card)
            for card, count in self._unseen.items()
        )

    def trump_count(self, seat: int) -> int | None:
        """Return how many trumps another seat holds, `None` if it was not told (R-32)."""
        if self.is_void(seat, TRUMP):
            return 0
        counts = [report.count for report in self._view.trump_reports if report.seat == seat]
        # Nothing is told of the plays of the last trick.
        return min(counts[0], self.cards_left(seat)) if counts else None

    # How it is worked out.

    def _suit_of(self, card: Card) -> str:
        trump = self._view.trump
        if trump is None:
            raise ValueError("trump is not named yet")
        return trump.effective_suit(card)

    def _update(self) -> None:
        """Take in what happened since the last question."""
        view = self._view
        mark = view.redeal, view.phase, view.hand, len(view.tricks), view.current_plays
        if mark == self._mark:
            return
        if len(view.tricks) < self._tricks_read:  # cards were dealt again
            self._begin()
        self._mark = mark
        for trick in view.tricks[self._tricks_read :]:
            self._read(trick.leader, trick.plays)
        self._tricks_read = len(view.tricks)
        self._read(view.leader or 0, view.current_plays)
        for seat in view.void_seats:
            self._void[seat].add(TRUMP)
        for report in view.trump_reports:
            if not report.pair:
                self._unpaired[report.seat].add(TRUMP)
        self._count()

    def _read(self, leader: int, plays: tuple[tuple[Card, ...], ...]) -> None:
        """Read a trick; reading the one on the table again does no harm."""
        if not plays:
            return
        order = self._view.order
        lead = shape_of(order, *order.masks(plays[0]))
        assert lead is not None, "a lead has one effective suit"
        for offset, cards in enumerate(plays[1:], start=1):
            seat = (leader + offset) % self._view.profile.seats
            once, twice = order.masks(cards)
            if once & ~lead.mask:
                self._void[seat].add(lead.suit.letter)
            elif lead.pairs > twice.bit_count():
                self._unpaired[seat].add(lead.suit.letter)

    def _count(self) -> None:
        view = self._view
        rest = Counter(view.profile.deck)
        rest.subtract(view.hand)
        rest.subtract(view.cards_seen)
        rest.subtract(view.buried or ())
        self._unseen = MappingProxyType({card: count for card, count in sorted(rest.items()) if count > 0})
        self._from_kitty = Counter(view.kitty if view.seat != view.declarer else ())
        self._from_kitty.subtract(self._played_by(view.declarer))

    def _played_by(self, seat: int | None) -> list[Card]:
        view = self._view
        tricks = [(trick.leader, trick.plays) for trick in view.tricks]
        if view.leader is not None:
            tricks.append((view.leader, view.current_plays))
        return [
            card
            for leader, plays in tricks
            for offset, cards in enumerate(plays)
            if (leader + offset) % view.profile.seats == seat
            for card in cards
        ]
