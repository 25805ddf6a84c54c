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
    void = tuple([seat for seat, (once, _) in enumerate(hands) if not once & trumps])
    if len(void) < void_reports:
        return Announcement(after_trick, after_play, void)
    told = [
        _trump_report(seat, (once & trumps).bit_count() + (twice & trumps).bit_count(), twice & trumps > 0)
        for seat, (once, twice) in enumerate(hands)
        if once & trumps
    ]
    return Announcement(after_trick, after_play, void, tuple(told))


@lru_cache(maxsize=512)
def _trump_report(seat: int, count: int, pair: bool) -> TrumpReport:
    return TrumpReport(seat, count, pair)


def all_others_void(void_seats: Sequence[int], seat: int, seats: int) -> bool:
    """Whether every seat but one has been announced void (R-30)."""
    return len(void_seats) - (seat in void_seats) == seats - 1
