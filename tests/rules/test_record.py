"""Records: the JSON form, and a word for every way in which one can be wrong."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from erqiwang.rules import (
    DecidedBy,
    DecisionTime,
    Fault,
    FaultCause,
    FaultPoint,
    Finished,
    PassOut,
    Phase,
    Reason,
    Record,
    RecordError,
    Trick,
    get_profile,
    parse_cards,
    record_of,
    replay,
    replay_states,
    verify_record,
)
from strategies import finished_at_random


def seeded(slug: str, wanted: Callable[[Finished], bool], pass_out: PassOut = PassOut.ZERO) -> Record:
    profile = get_profile(slug)
    for seed in range(400):
        finished = finished_at_random(profile, Random(seed), pass_out)
        if wanted(finished):
            faults = [
                Fault(1, FaultCause.ILLEGAL, Reason.PAIR_OWED, FaultPoint(Phase.PLAY, 3, 1), "对子"),
                Fault(0, FaultCause.LEFT, None, FaultPoint(Phase.AUCTION, 0, 2)),
            ]
            times = [DecisionTime(0, 1.25, DecidedBy.BOT), DecisionTime(1, 0.0, DecidedBy.FORCED)]
            return record_of(finished, id="a/0/0/1/0/2", faults=faults, decisions=times)
    raise AssertionError("no such table")


@pytest.fixture(scope="session")
def played() -> Record:
    return seeded("jiangxi", lambda table: len(table.announcements) > 2 and bool(table.tricks))


@pytest.fixture(scope="session")
def redealt() -> Record:
    return seeded("classic", lambda table: len(table.redeals) == 1 and bool(table.tricks), PassOut.REDEAL)


@pytest.fixture(scope="session")
def passed_out() -> Record:
    return seeded("classic", lambda table: table.declarer is None)


@pytest.fixture(scope="session")
def surrendered() -> Record:
    return seeded("jiangxi", lambda table: table.surrendered)


def test_the_json_form_is_that_of_the_design(played):
    value = json.loads(played.to_json())
    assert list(value) == [
        "format",
        "profile",
        "rules_version",
        "room",
        "pass_out",
        "id",
        "opener",
        "hands",
        "kitty",
        "redeals",
        "auction",
        "declarer",
        "bid",
        "trump",
        "buried",
        "surrender",
        "tricks",
        "announcements",
        "kitty_multiplier",
        "defender_points",
        "play_scores",
        "bonus_scores",
        "scores",
        "next_opener",
        "charm",
        "faults",
        "decisions",
    ]
    assert value["format"] == "erqiwang.record/1"
    assert value["faults"][0] == {
        "seat": 1,
        "cause": "illegal",
        "reason": "pair_owed",
        "at": {"phase": "play", "trick": 3, "play": 1},
        "detail": "对子",
    }
    assert value["decisions"][0] == {"seat": 0, "ms": 1.25, "by": "bot"}
    assert value["charm"] == [-5, 0, 0, 0]
    assert set(value["announcements"][0]) == {"after_trick", "after_play", "void", "trumps"}
    assert set(value["tricks"][0]) == {"leader", "plays", "winner"}


@pytest.mark.parametrize("name", ["played", "redealt", "passed_out", "surrendered"])
def test_round_trip_and_replay(name, request):
    record = request.getfixturevalue(name)
    assert Record.from_json(record.to_json()) == record == replay(record)
    assert verify_record(record) is None
    *_, (last, events) = replay_states(record)
    assert isinstance(last, Finished)
    assert events[-1] == last.settled


def test_switches_are_kept():
    profile = get_profile("classic", {"throw_rule": "max_now"})
    record = record_of(finished_at_random(profile, Random(5)))
    assert json.loads(record.to_json())["switches"] == {"throw_rule": "max_now"}
    assert Record.from_json(record.to_json()) == record
    assert verify_record(record) is None
    assert verify_record(record, get_profile("classic")).path == "profile"


UNREADABLE = [
    ("{", "", "not JSON"),
    ("[" * 100_000, "", "^not JSON: lists or objects are nested too deeply$"),
    ('{"room": 1' + "0" * 5000 + "}", "", "^not JSON: a number has too many digits$"),
    ("NaN", "", "NaN is no number"),
    ('{"a": 1, "a": 2}', "a", "given twice"),
    ("[]", "", "expected an object"),
    ("{}", "format", "missing"),
]


@pytest.mark.parametrize(("text", "path", "detail"), UNREADABLE)
def test_unreadable(text, path, detail):
    with pytest.raises(RecordError, match=detail) as error:
        Record.from_json(text)
    assert error.value.path == path


SPOILT = [
    (("format",), "erqiwang.record/2", "format", "expected 'erqiwang.record/1'"),
    (("surprise",), 1, "surprise", "unknown key"),
    (("room",), 0, "room", "at least 1"),
    (("room",), True, "room", "expected a whole number"),
    (("opener",), "0", "opener", "expected a whole number"),
    (("pass_out",), "never", "pass_out", "expected one of zero, redeal"),
    (("hands",), "SA", "hands", "expected a list"),
    (("hands", 1), "SA XX", "hands[1]", "no such card: 'XX'"),
    (("hands", 1), 5, "hands[1]", "expected a text"),
    (("trump",), "T", "trump", "no such trump"),
    (("surrender",), 0, "surrender", "expected true or false"),
    (("switches",), [], "switches", "expected an object"),
    (("switches",), {"a": 1}, "switches.a", "expected a text"),
    (("declarer",), -1, "declarer", "at least 0"),
    (("tricks", 2, "plays", 1), "S?", "tricks[2].plays[1]", "no such card"),
    (("tricks", 2, "points"), 5, "tricks[2].points", "unknown key"),
    (("faults", 0, "cause"), "bored", "faults[0].cause", "expected one of"),
    (("decisions", 0), 5, "decisions[0]", "expected an object"),
    (("decisions", 0, "of"), 5, "decisions[0].of", "unknown key"),
    (("decisions", 0, "by"), "me", "decisions[0].by", "expected one of"),
    (("decisions", 0, "seat"), True, "decisions[0].seat", "expected a whole number"),
    (("decisions", 0, "seat"), 1 << 31, "decisions[0].seat", "expected a number of 32 bits"),
    (("auction", 0), 3, "auction[0]", "expected an object"),
    (("id",), "\ud800", "id", "half of a surrogate pair"),
    (("switches",), {"\ud800": "x"}, "switches.\ud800", "surrogate"),
    (("next_opener",), 2**40, "next_opener", "expected a number of 32 bits"),
    (("decisions", 0, "ms"), "1", "decisions[0].ms", "expected a number"),
    (("decisions", 0, "ms"), -1, "decisions[0].ms", "expected a time in milliseconds"),
    (("decisions", 0, "ms"), 1e12, "decisions[0].ms", "expected a time in milliseconds"),
]


@pytest.mark.parametrize(("place", "value", "path", "detail"), SPOILT)
def test_spoilt_fields(played, place, value, path, detail):
    top = json.loads(played.to_json())
    node = top
    for step in place[:-1]:
        node = node[step]
    node[place[-1]] = value
    with pytest.raises(RecordError) as error:
        Record.from_json(json.dumps(top))
    assert error.value.path == path
    assert detail in error.value.detail
    assert str(error.value) == f"{path}: {error.value.detail}"


def test_numbers_are_those_of_32_bits(played):
    fields = json.loads(played.to_json())
    for good, bad in ((2**31 - 1, 2**31), (-(2**31), -(2**31) - 1)):
        fields["scores"] = [good, 0, 0, 0]
        assert Record.from_json(json.dumps(fields)).scores == (good, 0, 0, 0)
        fields["scores"] = [0, bad, 0, 0]
        with pytest.raises(RecordError, match=r"^scores\[1\]: expected a number of 32 bits$"):
            Record.from_json(json.dumps(fields))


@pytest.mark.parametrize(
    ("good", "bad"), [(2147483.647, 2147483.648), (2147483, 2147484), (0, -1), (0.0, -0.001)]
)
def test_times_are_those_of_32_bits_of_microseconds(played, good, bad):
    """A decision as it is written here, and one with whole numbers, which is read part by part."""
    fields = json.loads(played.to_json())
    fields["decisions"] = [{"seat": 0, "ms": good, "by": "bot"}]
    assert Record.from_json(json.dumps(fields)).decisions == (DecisionTime(0, good, DecidedBy.BOT),)
    fields["decisions"] = [{"seat": 0, "ms": bad, "by": "bot"}]
    with pytest.raises(RecordError, match=r"^decisions\[0\].ms: expected a time in milliseconds$"):
        Record.from_json(json.dumps(fields))


def trick(record: Record, number: int, **changes: object) -> Record:
    tricks = list(record.tricks)
    tricks[number] = tricks[number]._replace(**changes)
    return replace(record, tricks=tuple(tricks))


def test_wrong_leader_winner_and_number_of_plays(played):
    first = played.tricks[0]
    other = (first.leader + 1) % 4
    assert verify_record(trick(played, 0, leader=other)).path == "tricks[0].leader"
    assert verify_record(trick(played, 0, leader=9)).path == "tricks[0].leader"
    wrong = verify_record(trick(played, 1, winner=(played.tricks[1].winner + 1) % 4))
    assert (wrong.path, wrong.ruling) == ("tricks[1].winner", "R-69")
    assert f"but seat {played.tricks[1].winner} won" in wrong.detail
    assert verify_record(trick(played, 0, plays=first.plays[:3])).path == "tricks[0].plays"


def test_a_card_played_twice(played):
    first, second = played.tricks[0], played.tricks[1]
    again = first.plays[(second.leader - first.leader) % 4]
    wrong = verify_record(trick(played, 1, plays=(again * 9, *second.plays[1:])))
    assert wrong.path == "tricks[1].plays[0]"
    assert f"seat {second.leader} plays" in wrong.detail
    assert "cards_not_held" in wrong.detail


def test_every_result_is_compared(played):
    cases = {
        "kitty_multiplier": played.kitty_multiplier + 1,
        "defender_points": played.defender_points + 5,
        "play_scores": (1, 2, 3, 4),
        "bonus_scores": (1, -1, 0, 0),
        "scores": (9, 9, 9, 9),
        "next_opener": (played.next_opener + 1) % 4,
        "charm": (0, 0, 0, 0),
    }
    for path, value in cases.items():
        wrong = verify_record(replace(played, **{path: value}))
        assert wrong.path == path
        assert wrong.ruling
        assert "recorded" in str(wrong)
    assert "do not sum to zero" in str(verify_record(replace(played, scores=(9, 9, 9, 9))))


def test_announcements_are_compared(played):
    kept = played.announcements
    missing = verify_record(replace(played, announcements=kept[:1] + kept[2:]))
    assert (missing.path, missing.ruling) == ("announcements[1]", "R-32")
    assert "is not announced" in missing.detail
    assert verify_record(replace(played, announcements=kept[:-1])).path == f"announcements[{len(kept) - 1}]"
    early = replace(kept[1], after_trick=kept[0].after_trick, after_play=kept[0].after_play)
    assert (
        "nothing changed" in verify_record(replace(played, announcements=(kept[0], early, *kept[1:]))).detail
    )
    more = verify_record(replace(played, announcements=(*kept, replace(kept[-1], after_trick=99))))
    assert "nothing changed" in more.detail
    false = replace(kept[0], void_seats=())
    assert "void nobody is announced" not in str(verify_record(played))
    assert "but it is void" in verify_record(replace(played, announcements=(false, *kept[1:]))).detail


def test_auction_and_declarer(played, passed_out, redealt):
    assert verify_record(replace(played, declarer=(played.declarer + 1) % 4)).path == "declarer"
    assert verify_record(replace(played, bid=played.bid + 5)).path == "bid"
    assert verify_record(replace(played, auction=played.auction[:-1])).path in ("auction", "declarer")
    more = replace(played, auction=(*played.auction, played.auction[0]))
    assert verify_record(more).path == f"auction[{len(played.auction)}]"
    assert verify_record(replace(passed_out, declarer=0)).path == "declarer"
    assert verify_record(replace(passed_out, pass_out=PassOut.REDEAL)).path == "auction"
    assert verify_record(replace(passed_out, tricks=played.tricks)).path.startswith("tricks")
    assert verify_record(replace(redealt, pass_out=PassOut.ZERO)).path == "redeals"
    assert verify_record(replace(redealt, redeals=redealt.redeals * 4)).path == "redeals"
    assert verify_record(replace(redealt, opener=redealt.redeals[0].opener)).path == "opener"
    redeal = replace(redealt.redeals[0], auction=redealt.redeals[0].auction[:3])
    assert verify_record(replace(redealt, redeals=(redeal,))).path == "redeals[0].auction"
    two = replace(redealt, redeals=redealt.redeals * 2)
    assert verify_record(two).path == "redeals[1].opener"


def test_deals(played, redealt):
    kitty = (played.hands[0][0], *played.kitty[1:])
    wrong = verify_record(replace(played, kitty=kitty))
    assert (wrong.path, wrong.ruling) == ("hands", "R-01")
    redeal = replace(redealt.redeals[0], hands=redealt.redeals[0].hands[:3])
    assert verify_record(replace(redealt, redeals=(redeal,))).path == "redeals[0]"
    assert verify_record(replace(played, opener=7)).path == "opener"
    assert verify_record(replace(played, room=2)).path == "room"


def test_declarations(played, surrendered):
    assert verify_record(replace(played, trump=None)).path in ("buried", "trump")
    assert verify_record(replace(played, trump=None, buried=None, tricks=())).path == "trump"
    assert verify_record(replace(played, buried=None)).path == "tricks[0].plays[0]"
    assert verify_record(replace(played, buried=None, tricks=())).path == "buried"
    assert verify_record(replace(played, buried=played.buried[1:])).path == "buried"
    assert verify_record(replace(played, tricks=played.tricks[:-1])).path == "tricks"
    assert "in trick" in verify_record(replace(played, tricks=played.tricks[:-1])).detail
    assert verify_record(replace(surrendered, surrender=False)).path in ("buried", "tricks")
    assert verify_record(replace(surrendered, tricks=played.tricks[:1])).path == "tricks[0]"
    late = verify_record(replace(played, surrender=True))
    assert late.path in ("surrender", "tricks[0]")


def test_an_unlawful_surrender_or_trump():
    record = seeded("qq", lambda table: bool(table.tricks))
    assert verify_record(replace(record, surrender=True)).ruling == "R-34"
    assert verify_record(replace(record, trump=type(record.trump).NONE)).ruling == "R-13"


def test_versions_and_profiles(played):
    assert verify_record(replace(played, rules_version="2.0.0")).path == "rules_version"
    assert verify_record(replace(played, profile="chess")).path == "profile"
    assert verify_record(replace(played, switches={"a": "b"})).path == "profile"


def test_replay_raises_where_verify_reports(played):
    wrong = replace(played, tricks=(Trick(played.declarer, (parse_cards("SA"),), 0),))
    with pytest.raises(RecordError) as error:
        replay(wrong)
    assert error.value.path == verify_record(wrong).path
    with pytest.raises(RecordError):
        list(replay_states(wrong))
