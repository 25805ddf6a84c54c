"""Tables under the switches of the play, and ledgers of charm: two implementations, the same verdict."""

import json
from random import Random
from typing import Any

import pytest

from erqiwang.rules import (
    RULES_VERSION,
    Deal,
    Fault,
    FaultCause,
    FaultPoint,
    Phase,
    Record,
    Surrender,
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
from naive.tamper import tamper
from naive.throw import is_throw

SWITCHED = [
    ("classic", {"throw_rule": "max_now"}),
    ("classic-1deck", {"throw_rule": "max_now"}),
    ("mobile", {"throw_rule": "max_now"}),
    ("qq", {"throw_rule": "max_now", "short_tractor_follow": "pairs"}),
    ("jiangxi-3p", {"throw_rule": "max_now", "short_tractor_follow": "pairs"}),
    ("jiangxi-92", {"short_tractor_follow": "pairs"}),
]
UNSWITCHED = [(profile, dict[str, str]()) for profile in PROFILES]
SURRENDERED = ("qq", {"surrender_004": "85"})
KINDS = [
    "held back",
    "revoke",
    "mixed lead",
    "side throw",
    "trump throw",
    "winner",
    "play gone",
    "card twice",
]


def naive_record(profile: str, switches: dict[str, str], rng: Random) -> dict[str, Any]:
    # Most trumps on few hands, so that throws stand although others hold trumps.
    deal = random_deal(profile, rng, lopsided=rng.choice([0.5, 0.9, 1.0]))
    return play_random_table(profile, deal, rng, switches=switches, rules_version=RULES_VERSION)


def is_accepted(record: dict[str, Any]) -> bool:
    return verify_record(Record.from_json(json.dumps(record))) is None


def early_throws(record: dict[str, Any]) -> int:
    """How many throws were led before all others were announced void of trump."""
    others = len(record["hands"]) - 1
    reported = [entry["after_trick"] for entry in record["announcements"] if len(entry["void"]) >= others]
    first = min(reported, default=len(record["tricks"]))
    leads = [trick["plays"][0].split() for trick in record["tricks"][:first]]
    return sum(is_throw(lead, record["trump"]) for lead in leads)


@pytest.mark.parametrize(("profile", "switches"), SWITCHED)
def test_records_of_the_naive_player(profile: str, switches: dict[str, str]) -> None:
    rng, throws = Random(f"switched {profile} {switches}"), 0
    for _ in range(20):
        record = naive_record(profile, switches, rng)
        assert is_accepted(record), json.dumps(record)
        throws += early_throws(record)
    assert bool(throws) == ("throw_rule" in switches)


@pytest.mark.parametrize(("profile", "switches"), SWITCHED)
def test_spoilt_records(profile: str, switches: dict[str, str]) -> None:
    rng, done = Random(f"spoilt {profile} {switches}"), set[str]()
    for _ in range(4):
        record = naive_record(profile, switches, rng)
        for kind in KINDS:
            changed = tamper(record, rng, kind)
            if changed is not None:
                done.add(kind)
                assert not is_accepted(changed[1]), f"{kind}: {json.dumps(changed[1])}"
    assert len(done) >= len(KINDS) - 2, done


def rule_book_record(profile: str, switches: dict[str, str], rng: Random) -> Record:
    rules = get_profile(profile, switches)
    dealt = random_deal(profile, rng, lopsided=rng.choice([0.0, 0.5, 0.9]))
    hands = tuple(parse_cards(" ".join(hand)) for hand in dealt.hands)
    deal = Deal(hands, parse_cards(" ".join(dealt.kitty)), dealt.opener)
    state, _ = open_table(rules, [deal], room=rng.choice([1, 10]) if rules.has_room else 1)
    while state.turn is not None:
        gives_up = state.may_surrender and profile == "qq"
        action = Surrender() if gives_up else random_legal_action(state, rng.randrange)
        state, _ = apply(state, state.turn.seat, action)
    return record_of(state, faults=random_faults(rules.seats, rng))


def random_faults(seats: int, rng: Random) -> list[Fault]:
    causes = [rng.choice(list(FaultCause)) for _ in range(rng.choice([0, 1, 2, 6]))]
    at = FaultPoint(Phase.PLAY, 1, 0)
    return [Fault(rng.randrange(seats), cause, None, at) for cause in causes]


@pytest.mark.parametrize(("profile", "switches"), [*SWITCHED, SURRENDERED, *UNSWITCHED])
def test_records_of_the_rule_book(profile: str, switches: dict[str, str]) -> None:
    rng, ledgers, surrenders = Random(f"book {profile} {switches}"), 0, 0
    for _ in range(60 if (profile, switches) == SURRENDERED else 12):
        record = json.loads(rule_book_record(profile, switches, rng).to_json())
        assert replay(record) == [], json.dumps(record)
        ledgers += any(record.get("charm", []))
        surrenders += record["surrender"] and record["room"] > 1
    assert bool(surrenders) == ((profile, switches) == SURRENDERED)
    assert bool(ledgers) == profile.startswith("jiangxi")


@pytest.mark.parametrize("profile", ["classic", "mobile", "jiangxi", "jiangxi-3p", "qq"])
def test_ledgers_that_do_not_follow_from_the_faults(profile: str) -> None:
    rng, verdicts = Random(f"charm {profile}"), set[bool]()
    record = json.loads(rule_book_record(profile, {}, rng).to_json())
    seats = GAMES[profile].seats
    for _ in range(20):
        faults = [{"seat": rng.randrange(seats), "cause": rng.choice(["left", "left", "disconnected"])}]
        at = {"phase": "play", "trick": 0, "play": 0}
        faults = [fault | {"reason": None, "at": at, "detail": ""} for fault in faults] * rng.randint(0, 2)
        charm = rng.choice([[], [0] * seats, [rng.choice([0, 0, -5, -10]) for _ in range(seats)]])
        changed = record | {"faults": faults, "charm": charm}
        assert is_accepted(changed) == (replay(changed) == []), json.dumps(changed)
        verdicts.add(is_accepted(changed))
    assert verdicts == {True, False}
