"""A match specification is checked field by field."""

import re
from collections.abc import Callable

import pytest

from erqiwang.rules import PassOut, read_profile
from erqiwang.v1 import match_service_pb2, record_pb2
from erqiwang.wire import profile_to_wire
from erqiwang_referee.errors import SpecError
from erqiwang_referee.plan import companies, plan_match

HOUSE = read_profile('slug = "friday"\nbase = "classic"\nrules.bid_high = 100\n')


def valid_spec() -> match_service_pb2.MatchSpec:
    return match_service_pb2.MatchSpec(
        match_id="m",
        profile="classic",
        pass_out=record_pb2.PASS_OUT_ZERO,
        players=[
            match_service_pb2.PlayerSpec(token_sha256=bytes([number] * 32), label=f"bot{number}@1")
            for number in range(8)
        ],
        tables=[
            match_service_pb2.TableSpec(
                record_id=f"t/{number}", board_seed=bytes(32), players=players, bot_seeds=[bytes(32)] * 4
            )
            for number, players in enumerate([(0, 1, 2, 3), (4, 5, 6, 7), (3, 2, 1, 0)])
        ],
        clock=match_service_pb2.ClockSpec(move_limit_ms=1000, start_limit_ms=30_000, latency_ms=50),
    )


def test_a_house_profile_comes_with_its_definition() -> None:
    spec = valid_spec()
    spec.profile = "friday"
    spec.switches.update(HOUSE.switches)
    spec.definition.CopyFrom(profile_to_wire(HOUSE))
    spec.tables[0].opener = 3
    plan = plan_match(spec, 16)
    assert plan.profile == HOUSE
    assert [table.opener for table in plan.tables] == [3, None, None]


def test_a_valid_spec_is_read() -> None:
    plan = plan_match(valid_spec(), 16)
    assert plan.profile.slug == "classic"
    assert plan.pass_out is PassOut.ZERO
    assert plan.room == 1
    assert plan.tables_in_flight == 16
    assert plan.clock.bank_ms is None
    assert plan.tables[2].players == (3, 2, 1, 0)


def test_players_who_never_meet_are_different_companies() -> None:
    assert companies(plan_match(valid_spec(), 16)) == ((0, 1, 2, 3), (4, 5, 6, 7))


Change = Callable[[match_service_pb2.MatchSpec], object]


def _token(spec: match_service_pb2.MatchSpec) -> None:
    spec.players[1].token_sha256 = b"short"


def _same_token(spec: match_service_pb2.MatchSpec) -> None:
    spec.players[1].token_sha256 = spec.players[0].token_sha256


def _profile(spec: match_service_pb2.MatchSpec) -> None:
    spec.profile = "bridge"


def _pass_out(spec: match_service_pb2.MatchSpec) -> None:
    spec.pass_out = record_pb2.PASS_OUT_UNSPECIFIED


def _room(spec: match_service_pb2.MatchSpec) -> None:
    spec.room = 10


def _seed(spec: match_service_pb2.MatchSpec) -> None:
    spec.tables[1].board_seed = b"1"


def _bot_seeds(spec: match_service_pb2.MatchSpec) -> None:
    del spec.tables[1].bot_seeds[:]


def _move_limit(spec: match_service_pb2.MatchSpec) -> None:
    spec.clock.move_limit_ms = 0


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (_profile, "profile: no such profile: 'bridge'"),
        (_pass_out, "pass_out: must be"),
        (_room, "room: profile classic has no room multiplier"),
        (lambda spec: spec.ClearField("players"), "players: 1 to"),
        (_token, "players[1].token_sha256: 32 bytes"),
        (_same_token, "players: two of them have the same token_sha256"),
        (lambda spec: spec.ClearField("tables"), "tables: 1 to"),
        (lambda spec: spec.tables[0].players.append(4), "tables[0].players: one for each of 4 seats"),
        (lambda spec: spec.tables[0].players.__setitem__(0, 1), "tables[0].players: a player sits on one"),
        (lambda spec: spec.tables[0].players.__setitem__(0, 8), "tables[0].players: there are 8 players"),
        (lambda spec: spec.tables.pop(1), "players[4]: sits at no table"),
        (_seed, "tables[1].board_seed: 32 bytes"),
        (_bot_seeds, "tables[1].bot_seeds: 32 bytes for each of 4 seats"),
        (_move_limit, "clock.move_limit_ms: 1 to"),
        (lambda spec: spec.clock.ClearField("start_limit_ms"), "clock.start_limit_ms: 1 to"),
        (lambda spec: setattr(spec.tables[0], "opener", 4), "tables[0].opener: there are 4 seats"),
        (
            lambda spec: setattr(spec.definition, "slug", "friday"),
            "profile: definition: rules.no_trump_tractors: expected one of",
        ),
        (lambda spec: spec.definition.CopyFrom(profile_to_wire(HOUSE)), "profile: definition: "),
    ],
)
def test_what_cannot_be_played_is_refused_by_name(change: Change, text: str) -> None:
    spec = valid_spec()
    change(spec)
    with pytest.raises(SpecError, match="^" + re.escape(text)):
        plan_match(spec, 16)
