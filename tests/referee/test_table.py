"""One table: what it keeps beside the state of the rule book is always the same."""

import random

import pytest

from erqiwang.rules import (
    PROFILES,
    DecidedBy,
    PassOut,
    RuleViolation,
    Surrender,
    random_legal_action,
    verify_record,
)
from erqiwang_referee.plan import ClockPlan, MatchPlan, PlayerPlan, TablePlan
from erqiwang_referee.table import Table


def open_table(slug: str, seed: int, pass_out: PassOut = PassOut.ZERO) -> Table:
    profile = PROFILES[slug]
    seats = tuple(range(profile.seats))
    plan = TablePlan("t", bytes([seed] * 32), seats, tuple(bytes(32) for _ in seats))
    return Table(
        0,
        plan,
        MatchPlan(
            match_id="m",
            profile=profile,
            switches={},
            room=1,
            pass_out=pass_out,
            players=tuple(PlayerPlan(bytes([seat] * 32), "bot") for seat in seats),
            tables=(plan,),
            clock=ClockPlan(1000, 1000, 50, None),
            tables_in_flight=1,
        ),
    )


def held(table: Table) -> list[bytes]:
    return [bytes(sorted(seat.hand)) for seat in table.seats]


@pytest.mark.parametrize("slug", sorted(PROFILES))
@pytest.mark.parametrize("pass_out", PassOut)
def test_hands_are_those_of_the_rule_book(slug: str, pass_out: PassOut) -> None:
    draw = random.Random(slug)
    for seed in range(6):
        table = open_table(slug, seed, pass_out)
        while (turn := table.advance()) is not None:
            state = table._state
            assert held(table) == [bytes(state.hand(seat)) for seat in range(len(table.seats))]
            table.act(turn.seat, random_legal_action(state, draw.randrange), 0.001, DecidedBy.BOT)
        assert verify_record(table.record()) is None


def test_what_the_rules_refuse_changes_nothing() -> None:
    table = open_table("classic", 1)
    turn = table.advance()
    before = (held(table), list(table.history), table.decision_count)
    with pytest.raises(RuleViolation):
        table.act(turn.seat, Surrender(), 0.001, DecidedBy.BOT)
    assert (held(table), table.history, table.decision_count) == before


def test_a_forfeited_seat_is_played_to_the_end() -> None:
    table = open_table("classic", 1)
    for seat in table.seats:
        seat.forfeited = True
    assert table.advance() is None
    assert table.is_over
    assert table.forfeited_seats == [0, 1, 2, 3]
    assert {decision.by for decision in table.record().decisions} == {DecidedBy.AUTOPLAY}
