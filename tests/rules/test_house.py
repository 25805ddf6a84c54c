"""House profiles: what can be written, and the precise word for what cannot be."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random

import pytest

from erqiwang.rules import (
    DEFINITION,
    PROFILES,
    FaultCause,
    Reason,
    definition_of,
    get_profile,
    is_house,
    read_definition,
    read_profile,
    record_of,
    verify_record,
)
from erqiwang.rules.profile import (
    Band,
    BonusRow,
    Level,
    MadeTier,
    NoTrumpTractors,
    RankExtra,
    ThrowRule,
)
from erqiwang.rules.settlement import play_scores, steps_of, surrender_scores
from erqiwang.rules.soundness import MOST, ROOM_MAX, check_profile, check_room, most_points, most_score
from strategies import finished_at_random

EVERYTHING = """
slug = "friday-night"
base = "mobile"

[switches]
special_001 = "2"

[rules]
ranks = "AKQJT98765432"
copies = 2
seats = 4
hand_size = 25
kitty_size = 8
random_opener = false
bid_high = 100
bid_low = 10
bid_step = 10
forced_bid = false
no_trump = true
no_trump_tractors = "jokers"
tractor_owed = false
throw_rule = "max_now"
void_reports = 2
kitty_needs_trump = false
kitty_multipliers = [1, 2]
bid_bands = [{ floor = 50, value = 1 }, { floor = 0, value = 2 }]
step_points = 50
made_by_steps = true
made_tiers = [{ steps = 3, points_to = 0 }, { steps = 2, bid_from = 20, bid_to = 90, half_bid = true }]
down_steps_max = 4
surrender_bands = []
bonus_rows = [{ jokers = 3, value = 1 }, { jokers = 4, value = 9, main7 = true, off7 = 1 }]
bonus_extras = [{ cards = 8, pairs = 0, value = 4 }]
bonus_bids = [[3, 80]]
bonus_with_kitty = false
has_room = true
room_on_bonus = true
levels = [{ threshold = 0, name = "novice" }, { threshold = 100, name = "master" }]
charm = { left = -5, disconnected = -1 }
forfeit_points = 30
"""


def test_everything_can_be_changed():
    profile = read_profile(EVERYTHING)
    assert profile.slug == "friday-night"
    assert is_house(profile)
    assert not any(is_house(each) for each in PROFILES.values())
    assert [name for name, _ in profile.switches] == [DEFINITION]
    assert profile.forced_bid is None
    assert profile.no_trump_tractors is NoTrumpTractors.JOKERS
    assert profile.throw_rule is ThrowRule.MAX_NOW
    assert profile.bid_bands == (Band(50, 1), Band(0, 2))
    assert profile.made_tiers == (
        MadeTier(steps=3, points_to=0),
        MadeTier(steps=2, bid_from=20, bid_to=90, half_bid=True),
    )
    assert profile.bonus_rows[1] == BonusRow(jokers=4, value=9, main7=True, off7=1)
    assert profile.bonus_extras == (RankExtra(8, 0, 4),)
    assert profile.bonus_bids == ((3, 80),)
    assert profile.levels[1] == Level(100, "master")
    assert profile.charm == ((FaultCause.LEFT, -5), (FaultCause.DISCONNECTED, -1))


@pytest.mark.parametrize("seed", range(6))
def test_a_house_profile_is_played_and_verified(seed):
    profile = read_profile(EVERYTHING)
    record = record_of(finished_at_random(profile, Random(seed), room=3))
    assert verify_record(record, profile) is None
    assert str(verify_record(record)).startswith("profile: no such profile: 'friday-night'")


def test_the_largest_bid_is_1000():
    bands = (Band(85, 1), Band(0, 2))
    check_profile(replace(get_profile("classic"), bid_high=1000, bid_bands=bands))
    with pytest.raises(ValueError, match="bid_high is 1005, but no bid is above 1000"):
        check_profile(replace(get_profile("classic"), bid_high=1005, bid_bands=bands))


def test_a_tier_without_limits_holds_for_every_made_contract():
    tiers = (MadeTier(steps=7),)
    profile = replace(get_profile("jiangxi"), bid_high=1000, made_tiers=tiers)
    assert [steps_of(profile, bid, points) for bid, points in ((1000, 995), (1000, 0), (5, 0))] == [7, 7, 7]


def test_the_catalogue_is_sound():
    for profile in PROFILES.values():
        check_profile(profile)
        assert profile.deck_points == 100 * profile.copies
        assert len(profile.types) * profile.copies == len(profile.deck)


HEAD = 'slug = "x"\nbase = "classic"\n'
MALFORMED = [
    ("slug", "not TOML"),
    ("slug = " + "[" * 100_000, "^not TOML: lists or tables are nested too deeply$"),
    ("slug = 1" + "0" * 5000, "^not TOML: a number has too many digits$"),
    ("", "slug: expected a text"),
    ('slug = "x"', "base: expected a text"),
    ('slug = "x"\nbase = "chess"', "base: no such profile: 'chess'"),
    ('slug = "classic"\nbase = "classic"', "slug: 'classic' is not a new name"),
    ('slug = "a b"\nbase = "classic"', "slug: 'a b' is not a new name"),
    (HEAD + "extra = 1", "extra: unknown key; there are slug, base, switches, rules"),
    (HEAD + "switches = 1", "switches: expected a table"),
    (HEAD + "[switches]\nthrow_rule = 1", "switches.throw_rule: expected a text"),
    (HEAD + '[switches]\nthrow_rule = "no"', "switch throw_rule of profile classic is one of"),
    (HEAD + "[rules]\nseat = 3", "rules.seat: unknown key"),
    (HEAD + "[rules]\nseats = true", "rules.seats: expected a whole number"),
    (HEAD + '[rules]\nseats = "4"', "rules.seats: expected a whole number"),
    (HEAD + "[rules]\nno_trump = 1", "rules.no_trump: expected true or false"),
    (HEAD + '[rules]\nthrow_rule = "x"', "rules.throw_rule: expected one of others_void, max_now"),
    (HEAD + "[rules]\nbid_bands = 1", "rules.bid_bands: expected a list"),
    (HEAD + "[rules]\nbid_bands = [{ floor = 0 }]", r"rules.bid_bands\[0\].value: missing"),
    (HEAD + "[rules]\nbonus_bids = [[3]]", r"rules.bonus_bids\[0\]: expected two numbers"),
    (HEAD + "[rules]\ncharm = { lost = 1 }", "rules.charm.lost: unknown key"),
]


@pytest.mark.parametrize(("text", "message"), MALFORMED)
def test_malformed(text, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        read_profile(text)


IMPOSSIBLE = [
    ({"ranks": "AKQ"}, "lack the 7"),
    ({"ranks": "72"}, "nothing but trumps"),
    ({"ranks": "KAQJT98765432"}, "each once and in this order"),
    ({"copies": 3}, "copies is 3, but there are one or two"),
    ({"seats": 5}, "seats is 5, but three or four play"),
    ({"seats": 2}, "seats is 2, but three or four play"),
    ({"hand_size": 0}, "hand_size is 0"),
    ({"kitty_size": 1}, "4 hands of 25 and a kitty of 1 are 101 cards, but the deck has 108"),
    ({"seats": 3}, "3 hands of 25 and a kitty of 8 are 83 cards, but the deck has 108"),
    ({"bid_step": 0}, "bid_step is 0"),
    ({"bid_high": 10**6}, "bid_high is 1000000, but no bid is above"),
    ({"bid_low": 125}, "bids from 120 down to 125 are none"),
    ({"bid_high": 121}, "bid_high 121 is no multiple of bid_step 5"),
    ({"forced_bid": 97}, "forced_bid 97 is no bid from 120 down to 0 by 5"),
    ({"bid_bands": (Band(0, 1), Band(5, 2))}, "bid_bands are not given from the highest floor down: 0, 5"),
    ({"bid_bands": (Band(0, 0),)}, "bid_bands have a value below 1"),
    ({"bid_bands": (Band(5, 1),)}, "bid_bands leave the bid 0 without a multiplier"),
    ({"void_reports": 0}, "void_reports is 0"),
    (
        {"no_trump": False, "no_trump_tractors": NoTrumpTractors.NONE},
        "no_trump_tractors is none, but no_trump is not allowed",
    ),
    ({"kitty_multipliers": ()}, "kitty_multipliers are empty"),
    ({"kitty_multipliers": (-1,)}, "kitty_multipliers have a value below 0"),
    ({"step_points": 0}, "step_points is 0"),
    ({"made_tiers": (MadeTier(steps=0),)}, "made_tiers have a tier of less than one step"),
    ({"down_steps_max": 0}, "down_steps_max is 0"),
    ({"surrender_bands": (Band(5, 1), Band(85, 1))}, "surrender_bands are not given from the highest"),
    ({"forfeit_points": -1}, "forfeit_points is -1"),
    ({"room_on_bonus": True}, "room_on_bonus is true, but has_room is false"),
    ({"levels": (Level(5, "x"),)}, "levels do not rise from 0"),
    ({"levels": (Level(0, "x"), Level(9, "y"), Level(7, "z"))}, "levels do not rise from 0"),
    ({"made_tiers": (MadeTier(steps=2, bid_from=50, bid_to=40),)}, "made_tiers: no bid is from 50 to 40"),
    ({"bonus_rows": (BonusRow(jokers=5, value=1),)}, "bonus_rows ask for 5 jokers"),
    ({"bonus_rows": (BonusRow(jokers=2, value=1),)}, "bonus_rows ask for 2 jokers"),
    ({"bonus_rows": (BonusRow(jokers=3, value=1, off7=4),)}, "ask for 4 off-suit pairs, but there are 3"),
    ({"bonus_rows": (BonusRow(jokers=3, value=1, off2=5),)}, "ask for 5 off-suit pairs, but there are 3"),
    ({"bonus_extras": (RankExtra(9, 0, 1),)}, "no hand has 9 sevens"),
    ({"bonus_extras": (RankExtra(6, 4, 1),)}, "no hand has 6 sevens with 4 pairs"),
    ({"bonus_bids": ((5, 80),)}, "bonus_bids name 5 jokers"),
    ({"bonus_bids": ((2, 80),)}, "bonus_bids name 2 jokers"),
    ({"bonus_rows": (), "bonus_extras": (RankExtra(6, 0, 1),)}, "bonus_extras add to bonus_rows"),
    ({"bonus_rows": (), "bonus_bids": ((3, 80),)}, "bonus_bids restrict bonus_rows"),
]


@pytest.mark.parametrize(("changes", "message"), IMPOSSIBLE)
def test_impossible_combinations(changes, message):
    with pytest.raises(ValueError, match=message):
        check_profile(replace(get_profile("classic"), **changes))


@pytest.mark.parametrize(
    "changes",
    [
        {"bid_step": 1},
        {"kitty_multipliers": (0, 1)},
        {"step_points": 1},
        {"forfeit_points": 0},
        {"made_tiers": (MadeTier(steps=1),)},
        {"down_steps_max": 1},
        {"void_reports": 1},
        {"void_reports": 4},
        {"bid_low": 120},
    ],
)
def test_the_ends_of_what_is_possible(changes):
    check_profile(replace(get_profile("classic"), **changes))


def test_multipliers_for_more_pairs_than_a_hand_has_are_not_reached():
    check_profile(replace(get_profile("classic"), kitty_multipliers=(1,) * 13 + (10**9,)))
    check_profile(replace(get_profile("classic-1deck"), kitty_multipliers=(1, 10**9)))


def test_the_room_counts_for_the_bonus_only_where_it_multiplies_it():
    profile = replace(get_profile("qq"), bonus_rows=(BonusRow(jokers=3, value=10**6),))
    check_profile(profile)
    with pytest.raises(ValueError, match="a seat could score"):
        check_profile(replace(profile, room_on_bonus=True))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"no_trump_tractors": NoTrumpTractors.NONE}, "one deck has no pairs"),
        ({"tractor_owed": False}, "one deck has no tractors"),
        ({"bonus_rows": (BonusRow(jokers=3, value=1),)}, "the deck has 2"),
    ],
)
def test_impossible_with_one_deck(changes, message):
    with pytest.raises(ValueError, match=message):
        check_profile(replace(get_profile("classic-1deck"), **changes))


def test_a_definition_is_the_whole_game():
    profile = read_profile(EVERYTHING)
    text = json.dumps(definition_of(profile))
    assert read_definition(json.loads(text)) == profile
    for name in PROFILES:
        told = read_definition({**definition_of(PROFILES[name]), "slug": "copy"})
        rules = replace(told, slug=name, switches=(), questions=PROFILES[name].questions)
        assert rules == PROFILES[name]


def test_the_switch_of_a_house_profile_is_the_hash_of_its_rules():
    one, again = read_profile(HEAD), read_profile(HEAD.replace('"x"', '"y"'))
    other = read_profile(HEAD + "rules.forfeit_points = 7")
    by_switch = read_profile(HEAD, {"throw_rule": "max_now"})
    assert one.switches == again.switches
    assert len({each.switches for each in (one, other, by_switch)}) == 3
    assert len(one.switches[0][1]) == 32
    assert by_switch.switches == read_profile(HEAD + 'switches.throw_rule = "max_now"').switches


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda told: told.update(base="classic"), "base: unknown key; there are slug, rules"),
        (lambda told: told["rules"].pop("seats"), "rules.seats: missing"),
        (lambda told: told["rules"].update(luck=1), "rules.luck: unknown key"),
        (lambda told: told.update(slug="classic"), "slug: 'classic' is not a new name"),
        (lambda told: told.update(slug="x" * 65), "slug: .* at most 64"),
        (lambda told: told.update(rules=[]), "rules: expected a table"),
    ],
)
def test_a_definition_that_is_none(change, message):
    told = definition_of(read_profile(HEAD))
    change(told)
    with pytest.raises(ValueError, match=f"^{message}"):
        read_definition(told)


TOO_MUCH = [
    ({"bonus_bids": ((3, -1),)}, "bonus_bids: -1 is outside 0 to 2147483647"),
    ({"charm": ((FaultCause.LEFT, -(2**31)),)}, "charm: 2147483648 is outside"),
    ({"levels": (Level(0, "a"), Level(2**31, "b"))}, "levels: 2147483648 is outside"),
    ({"kitty_multipliers": (1, 10**9)}, "kitty_multipliers: the defenders could have 80000000200 points"),
    ({"bid_bands": (Band(0, 10**6),)}, r"a seat could score \d{11} at one table, more than 2147483647"),
    ({"surrender_bands": (Band(0, 10**9),)}, "a seat could score 3000"),
    ({"made_tiers": (MadeTier(steps=10**9),)}, "a seat could score"),
    ({"bonus_rows": (BonusRow(jokers=3, value=2**30),)}, "a seat could score"),
    ({"bonus_extras": (RankExtra(6, 0, 2**29),)}, "a seat could score"),
    ({"has_room": True, "step_points": 10}, "a seat could score .* at one table in a room of 10000"),
]


@pytest.mark.parametrize(("changes", "message"), TOO_MUCH)
def test_numbers_whose_scores_would_not_fit(changes, message):
    with pytest.raises(ValueError, match=message):
        check_profile(replace(get_profile("classic"), **changes))


def test_the_largest_number_is_one():
    check_profile(replace(get_profile("classic"), forfeit_points=MOST))
    with pytest.raises(ValueError, match="forfeit_points: 2147483648 is outside 0 to 2147483647"):
        check_profile(replace(get_profile("classic"), forfeit_points=MOST + 1))


@pytest.mark.parametrize(
    "profile", [*PROFILES.values(), read_profile(EVERYTHING)], ids=lambda each: each.slug
)
def test_no_score_leaves_32_bits(profile):
    """Every bid against the least and the most points, in the largest room, is within the bound."""
    room = ROOM_MAX if profile.has_room else 1
    bound, points = most_score(profile, room), most_points(profile)
    assert bound <= MOST
    bonus = profile.defenders * (max((row.value for row in profile.bonus_rows), default=0))
    bonus *= room if profile.room_on_bonus else 1
    reached = 0
    for bid in profile.bids:
        for against in (0, 5, bid, bid + 1, points):
            scores = play_scores(profile, declarer=0, bid=bid, points=against, room=room)
            reached = max(reached, *map(abs, scores))
        if profile.may_surrender(bid):
            reached = max(reached, *map(abs, surrender_scores(profile, declarer=0, bid=bid, room=room)))
    assert reached + bonus <= bound
    if profile.down_steps_max is None:
        assert 2 * reached >= bound - bonus


@pytest.mark.parametrize("room", [0, -1, ROOM_MAX + 1])
def test_a_room_that_there_is_not(room):
    with pytest.raises(ValueError, match="room multiplier"):
        check_room(get_profile("qq"), room)
    record = record_of(finished_at_random(get_profile("qq"), Random(1), room=ROOM_MAX))
    assert verify_record(record) is None
    assert str(verify_record(replace(record, room=room))).startswith("room: ")


def test_another_game_of_the_same_name_is_told_apart():
    record = record_of(finished_at_random(read_profile(HEAD), Random(2)))
    other = read_profile(HEAD + "rules.forfeit_points = 7")
    assert "but the given x has definition=" in str(verify_record(record, other))
    assert str(verify_record(record, read_profile(HEAD.replace('"x"', '"y"')))) == (
        "profile: recorded x, but judged by y"
    )


def test_reasons_have_the_numbers_of_the_wire():
    assert [reason.value for reason in Reason] == list(range(1, 16))
