"""Ladders in numbers, for the exporter."""

from collections import Counter

from sqlalchemy import Connection

from erqiwang_runner.exporter import LadderFigure
from erqiwang_runner.ladders.membership import MemberState
from erqiwang_runner.store import ladders
from erqiwang_runner.store.ladders import LadderRow, LadderState


def ladder_figures(connection: Connection) -> tuple[LadderFigure, ...]:
    """Give the ladders that are not closed."""
    found = ladders.every(connection)
    return tuple(_figure(connection, each) for each in found if each.state is not LadderState.CLOSED)


def _figure(connection: Connection, ladder: LadderRow) -> LadderFigure:
    members = ladders.members(connection, ladder)
    epoch = ladders.latest_epoch(connection, ladder)
    rated = ladders.latest_ratings(connection, ladder)
    counts = Counter(each.state.value for each in members)
    return LadderFigure(
        ladder=ladder.name,
        epochs=0 if epoch is None else epoch.number + 1,
        bots={state.value: counts[state.value] for state in MemberState},
        ratings={
            str(each.contestant): (rated[each.id].rating, rated[each.id].error)
            for each in members
            if each.plays and each.id in rated
        },
    )
