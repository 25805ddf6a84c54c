"""Whole tables: records of the naive player are verified, tampered ones refused, and the other way round."""

import json
from collections import Counter
from random import Random
from typing import Any

import pytest

from erqiwang.rules import (
    RULES_VERSION,
    Card,
    Deal,
    Difference,
    Finished,
    PassOut,
    Record,
    RecordError,
    apply,
    get_profile,
    open_table,
    parse_cards,
    random_legal_action,
    record_of,
    verify_record,
)
from naive.cards import GAMES, PROFILES
from naive.player import play_random_table, random_deal
from naive.replay import replay
from naive.table import Deal as NaiveDeal
from naive.tamper import TAMPERS, tamper

NaiveRecord = dict[str, Any]


def naive_record(profile: str, rng: Random) -> NaiveRecord:
    room = rng.choice([1, 1, 10]) if profile == "qq" else 1
    pass_out = rng.choice(["zero", "redeal"])
    return play_random_table(profile, None, rng, room=room, pass_out=pass_out, rules_version=RULES_VERSION)


SWITCHES = [
    ("classic", {"bonus_pool": "dealt"}),
    ("jiangxi", {"bonus_pool": "dealt"}),
    ("mobile", {"kitty_trump_001": "false", "special_001": "2", "bonus_001_extra": "kinds"}),
    ("qq", {"kitty_trump_004": "false", "room_mult_on_bonus_004": "true", "surrender_004": "85"}),
]


def verdict(record: NaiveRecord) -> Difference | RecordError | None:
    """What the rule book finds wrong with the record."""
    try:
        return verify_record(Record.from_json(json.dumps(record)))
    except RecordError as error:
        return error


def accept(profile: str, rng: Random, number: int) -> None:
    for _ in range(number):
        record = naive_record(profile, rng)
        assert verdict(record) is None, json.dumps(record)


def refuse(kind: str, rng: Random, number: int) -> None:
    """`number` tampered records over all profiles."""
    done = 0
    for attempt in range(60 * number):
        profile = PROFILES[attempt % len(PROFILES)]
        changed = tamper(naive_record(profile, rng), rng, kind)
        if changed is not None:
            done += 1
            assert verdict(changed[1]) is not None, f"{kind}: {json.dumps(changed[1])}"
        if done == number:
            return
    pytest.fail(f"only {done} records could be tampered with: {kind}")


def deal_of(deal: NaiveDeal) -> Deal:
    def cards(texts: list[str]) -> tuple[Card, ...]:
        return parse_cards(" ".join(texts))

    return Deal(tuple(cards(hand) for hand in deal.hands), cards(deal.kitty), deal.opener)


def production_table(profile: str, rng: Random) -> Finished:
    """A table of random legal actions, played by the rule book."""
    room = rng.choice([1, 7]) if profile == "qq" else 1
    deals = [deal_of(random_deal(profile, rng, rng.choice([0.0, 0.5, 0.9]))) for _ in range(4)]
    pass_out = rng.choice(list(PassOut))
    state, _ = open_table(get_profile(profile), deals, room=room, pass_out=pass_out)
    while state.turn is not None:
        action = random_legal_action(state, rng.randrange)
        state, _ = apply(state, state.turn.seat, action)
    assert isinstance(state, Finished)
    return state


def cross(profile: str, rng: Random, number: int) -> Counter[str]:
    seen: Counter[str] = Counter()
    for _ in range(number):
        record = json.loads(record_of(production_table(profile, rng)).to_json())
        assert replay(record) == [], json.dumps(record)
        seen["passed out"] += record["declarer"] is None
        seen["surrender"] += record["surrender"]
        seen["played"] += bool(record["tricks"])
    return seen


@pytest.mark.parametrize("profile", PROFILES)
def test_records_of_the_naive_player_are_accepted(profile: str) -> None:
    accept(profile, Random(f"accept {profile}"), 25)


@pytest.mark.parametrize(("profile", "switches"), SWITCHES)
def test_records_under_switches(profile: str, switches: dict[str, str]) -> None:
    rng, room = Random(f"switches {profile} {switches}"), 10 if profile == "qq" else 1
    bonus = 0
    for _ in range(25):
        # All strong cards on few hands, so that there are bonuses to differ about.
        deal = random_deal(profile, rng, lopsided=rng.choice([0.5, 0.9, 1.0]))
        record = play_random_table(
            profile, deal, rng, switches=switches, room=room, rules_version=RULES_VERSION
        )
        assert verdict(record) is None, json.dumps(record)
        bonus += any(record["bonus_scores"])
    assert bonus


@pytest.mark.nightly
@pytest.mark.parametrize("profile", PROFILES)
def test_records_of_the_naive_player_are_accepted_at_large(profile: str) -> None:
    accept(profile, Random(f"accept more {profile}"), 300)


@pytest.mark.parametrize("kind", sorted(TAMPERS))
def test_tampered_records_are_refused(kind: str) -> None:
    refuse(kind, Random(f"refuse {kind}"), 5)


@pytest.mark.nightly
@pytest.mark.parametrize("kind", sorted(TAMPERS))
def test_tampered_records_are_refused_at_large(kind: str) -> None:
    refuse(kind, Random(f"refuse more {kind}"), 40)


@pytest.mark.parametrize("profile", PROFILES)
def test_records_of_the_rule_book_replay_naively(profile: str) -> None:
    assert cross(profile, Random(f"cross {profile}"), 25)["played"]


@pytest.mark.nightly
@pytest.mark.parametrize("profile", PROFILES)
def test_records_of_the_rule_book_replay_naively_at_large(profile: str) -> None:
    seen = cross(profile, Random(f"cross more {profile}"), 300)
    surrenders = profile != "qq"
    assert bool(seen["surrender"]) == surrenders
    assert bool(seen["passed out"]) == (profile != "mobile")


def test_every_profile_is_compared() -> None:
    assert set(GAMES) == set(PROFILES)
