"""What the referee says about trumps: who is void, and what the others hold (R-32)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from erqiwang.rules.event import TrumpReport
from erqiwang.rules.record import Announcement


def announce(
    hands: Sequence[tuple[int, int]], trumps: int, void_reports: int, after_trick: int, after_play: int
) -> Announcement:
    """Return the report on some hands, given as types held and types held twice.

    `void_reports` is the number of void seats from which on the others' counts are told.
    """
    void: list[int] = []
    told: list[TrumpReport] = []
    for seat, (once, twice) in enumerate(hands):
        held, pairs = once & trumps, twice & trumps
        if held:
            told.append(_trump_report(seat, held.bit_count() + pairs.bit_count(), pairs > 0))
        else:
            void.append(seat)
    counted = tuple(told) if len(void) >= void_reports else ()
    return Announcement(after_trick, after_play, tuple(void), counted)


@lru_cache(maxsize=512)
def _trump_report(seat: int, count: int, pair: bool) -> TrumpReport:
    return TrumpReport(seat, count, pair)


def all_others_void(void_seats: Sequence[int], seat: int, seats: int) -> bool:
    """Whether every seat but one has been announced void (R-30)."""
    return len(void_seats) - (seat in void_seats) == seats - 1
