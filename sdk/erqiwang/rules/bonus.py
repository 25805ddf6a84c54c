"""The bonus of special hands, 冲关 (R-50 to R-59).

Three jokers and the pair of trump sevens, bid once, are worth two from each other player:

>>> from erqiwang.rules.card import parse_cards
>>> from erqiwang.rules.catalogue import get_profile
>>> bonus_value(get_profile("classic"), parse_cards("BJ BJ LJ S7 S7"), Trump.SPADES, 80, surrendered=False)
2
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from erqiwang.rules.card import Card
from erqiwang.rules.event import BidMade
from erqiwang.rules.profile import BonusRow, Profile
from erqiwang.rules.trump import TRUMP_SUIT, Trump

_LEAST_JOKERS = 3


def bonus_scores(
    profile: Profile,
    pools: Sequence[tuple[Card, ...]],
    trump: Trump,
    auction: Iterable[BidMade],
    surrendered_by: int | None,
    room: int,
) -> tuple[int, ...]:
    """Return the bonus by seat, given each seat's pool of cards (R-50, R-51, R-52)."""
    lowest = {call.seat: call.bid for call in auction if call.bid is not None}
    for seat, bid in lowest.items():
        value = bonus_value(profile, pools[seat], trump, bid, seat == surrendered_by)
        if value:
            value *= room if profile.room_on_bonus else 1
            seats = range(profile.seats)
            return tuple(value * (profile.seats - 1) if other == seat else -value for other in seats)
    return (0,) * profile.seats


def bonus_value(
    profile: Profile, pool: tuple[Card, ...], trump: Trump, lowest_bid: int | None, surrendered: bool
) -> int:
    """Return what each other player pays for a pool of cards.

    `lowest_bid` is the holder's own lowest bid, if any (R-57, R-58); `surrendered` says that the holder is a
    declarer who gave up (R-59).
    """
    jokers = pool.count(Card.BJ) + pool.count(Card.LJ)
    if jokers < _LEAST_JOKERS or trump is Trump.NONE or lowest_bid is None:
        return 0
    if any(jokers == held and lowest_bid > highest for held, highest in profile.bonus_bids):
        return 0
    rows = [row for row in profile.bonus_rows if row.jokers == jokers]
    if surrendered:
        return max((row.value for row in rows if row.is_bare), default=0)
    counts = Counter(card for card in pool if not card.is_joker)
    pairs = _pairs_of([card for card in counts if counts[card] == 2], trump)
    value = max((row.value for row in rows if pairs.satisfy(row)), default=0)
    return value + sum(_extra(profile, counts, rank) for rank in "27")


class _Pairs(NamedTuple):
    """How many pairs of each kind a pool has, jokers aside."""

    main7: int
    off7: int
    main2: int
    off2: int
    trumps: int
    sides: int

    def satisfy(self, row: BonusRow) -> bool:
        """Whether they contain what a row asks for beside the jokers (R-53 to R-56)."""
        return (
            self.main7 >= row.main7
            and self.off7 >= row.off7
            and self.main2 >= row.main2
            and self.off2 >= row.off2
            and self.trumps - row.named_pairs >= row.further_trumps
            and self.sides >= row.side_pairs
        )


def _pairs_of(pairs: list[Card], trump: Trump) -> _Pairs:
    main = [card.rank for card in pairs if card.suit == trump.letter]
    off = [card.rank for card in pairs if card.suit != trump.letter]
    trumps = sum(trump.effective_suit(card) == TRUMP_SUIT for card in pairs)
    return _Pairs(
        main.count("7"), off.count("7"), main.count("2"), off.count("2"), trumps, len(pairs) - trumps
    )


def _extra(profile: Profile, counts: Counter[Card], rank: str) -> int:
    """Return what many cards of one rank add (R-55)."""
    held = [count for card, count in counts.items() if card.rank == rank]
    cards, pairs = sum(held), held.count(2)
    return max(
        (row.value for row in profile.bonus_extras if cards == row.cards and pairs >= row.pairs), default=0
    )
