"""Making a record of a finished table."""

from __future__ import annotations

from collections.abc import Iterable

from erqiwang.rules.catalogue import RULES_VERSION
from erqiwang.rules.fault import DecisionTime, Fault
from erqiwang.rules.finished import Finished
from erqiwang.rules.profile import Profile
from erqiwang.rules.record import Record


def record_of(
    finished: Finished,
    *,
    id: str = "",  # noqa: A002 -- the name of the field
    faults: Iterable[Fault] = (),
    decisions: Iterable[DecisionTime] = (),
) -> Record:
    """Return the record of a finished table; the charm ledger follows from the faults (R-73)."""
    table, settled = finished.table, finished.settled
    deal = table.deals[len(finished.redeals)]
    faults = tuple(faults)
    return Record(
        profile=table.profile.slug,
        switches=dict(table.profile.switches),
        rules_version=RULES_VERSION,
        room=table.room,
        pass_out=table.pass_out,
        id=id,
        opener=finished.opener,
        hands=deal.hands,
        kitty=deal.kitty,
        redeals=finished.redeals,
        auction=finished.auction,
        declarer=finished.declarer,
        bid=finished.bid,
        trump=finished.trump,
        buried=finished.buried,
        surrender=finished.surrendered,
        tricks=finished.tricks,
        announcements=finished.announcements,
        kitty_multiplier=settled.kitty_multiplier,
        defender_points=settled.defender_points,
        play_scores=settled.play_scores,
        bonus_scores=settled.bonus_scores,
        scores=settled.scores,
        next_opener=settled.next_opener,
        charm=charm_ledger(table.profile, faults),
        faults=faults,
        decisions=tuple(decisions),
    )


def charm_ledger(profile: Profile, faults: Iterable[Fault]) -> tuple[int, ...]:
    """Return the charm each seat loses by its faults, once per cause (R-73); empty where none is kept."""
    if not profile.charm:
        return ()
    caused = {(fault.seat, fault.cause) for fault in faults}
    return tuple(
        sum(points for cause, points in profile.charm if (seat, cause) in caused)
        for seat in range(profile.seats)
    )
