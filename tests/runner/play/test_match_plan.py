from __future__ import annotations

import hashlib
from collections import Counter

import pytest

from erqiwang.deals import deal_board
from erqiwang_runner.match_plan import Tokens, match_spec, plan_match
from erqiwang_runner.seating import SET_TYPES


def test_sixteen_players_meet_every_deal_once(make_claim):
    plan = plan_match(make_claim(boards=6))
    assert len(plan.players) == 16
    met = Counter((player.index, table.slot) for table in plan.tables for player in table.players)
    assert set(met.values()) == {1}
    assert len(met) == 16 * 6


def test_a_player_stays_at_its_table_with_its_entry(make_claim):
    plan = plan_match(make_claim(boards=3))
    for table in plan.tables:
        assert {player.table for player in table.players} == {table.table}
        assert tuple(player.column for player in table.players) == table.columns
        assert table.entries == table.columns


def test_every_entry_has_every_hand_of_a_deal_once(make_claim):
    plan = plan_match(make_claim(boards=1))
    seats = Counter((entry, seat) for table in plan.tables for seat, entry in enumerate(table.entries))
    assert set(seats.values()) == {1}


@pytest.mark.parametrize("set_type", [name for name, kind in SET_TYPES.items() if kind.seats == 4])
def test_any_set_type_is_seated_without_idle_players(make_claim, set_type):
    kind = SET_TYPES[set_type]
    claim = make_claim(boards=kind.cycle, set_type=set_type)
    plan = plan_match(claim)
    busy = {player.index for table in plan.tables for player in table.players}
    assert busy == set(range(len(plan.players)))
    assert [player.index for player in plan.players] == list(range(len(plan.players)))
    assert len(plan.tables) == kind.cycle * kind.tables


def test_the_referee_gets_hashes_and_the_players_tokens(make_claim):
    plan = plan_match(make_claim(boards=1))
    tokens = Tokens()
    spec = match_spec(plan, tokens)
    assert len(set(tokens.by_player.values())) == 16
    for player in plan.players:
        token = tokens.by_player[player.index]
        assert spec.players[player.index].token_sha256 == hashlib.sha256(token.encode()).digest()
        assert token not in str(spec)


def test_the_tables_of_a_board_share_its_deal_and_no_bot_seed(make_claim):
    claim = make_claim(boards=2)
    spec = match_spec(plan_match(claim), Tokens())
    seeds = [table.board_seed for table in spec.tables]
    assert seeds == [claim.slots[0].board_seed] * 4 + [claim.slots[1].board_seed] * 4
    assert deal_board(claim.conditions.profile, seeds[0]) != deal_board(claim.conditions.profile, seeds[4])
    assert len({seed for table in spec.tables for seed in table.bot_seeds}) == 32


def test_tables_are_named_by_their_key(make_claim):
    spec = match_spec(plan_match(make_claim(boards=2)), Tokens())
    assert [table.record_id for table in spec.tables][3:5] == ["t/0/0/0/0/3", "t/0/0/1/0/0"]
