"""The sums that explain a score end in the score, whatever the profile."""

from __future__ import annotations

import random
import re

import pytest

from erqiwang import deals
from erqiwang.rules import (
    PROFILES,
    PassOut,
    Record,
    Surrender,
    TurnKind,
    apply,
    get_profile,
    open_table,
    random_legal_action,
    record_of,
)
from erqiwang_runner.arithmetic import arithmetic


def played(slug: str, n: int, *, surrender: bool = False) -> Record:
    profile = get_profile(slug)
    seed = deals.board_seed(deals.master_key("arithmetic"), n)
    room = 10 if profile.has_room else 1
    state, _ = open_table(profile, deals.deals_of_board(profile, seed, PassOut.ZERO), room=room)
    draw = random.Random(n).random
    while (turn := state.turn) is not None:
        wanted = surrender and turn.may_surrender and turn.kind is TurnKind.BURY
        action = Surrender() if wanted else random_legal_action(state, lambda k: int(draw() * k))
        state, _ = apply(state, turn.seat, action)
    return record_of(state)


@pytest.mark.parametrize("slug", PROFILES)
@pytest.mark.parametrize("surrender", [False, True])
def test_the_factors_multiply_to_the_declarers_score(slug: str, surrender: bool) -> None:
    explained = 0
    for n in range(25):
        record = played(slug, n, surrender=surrender)
        lines = arithmetic(record)
        if record.declarer is None:
            assert lines == ()
            continue
        (product,) = [line for line in lines if " defenders = " in line]
        factors, total = product.removesuffix(", no bid multiplier").rsplit(" = ", 1)
        numbers = [int(number) for number in re.findall(r"\d+", re.sub(r"surrender at \d+:", "", factors))]
        result = 1
        for number in numbers:
            result *= number
        assert result == int(total) == abs(record.play_scores[record.declarer]), product
        explained += 1
    assert explained > 10


def test_a_made_contract_of_a_tier_says_so() -> None:
    records = (played("jiangxi", n) for n in range(400))
    lines = [line for record in records for line in arithmetic(record)]
    assert any(line.startswith("down at ") and "rounded down" in line for line in lines)
    assert any("bonus 冲关" in line for line in lines)
