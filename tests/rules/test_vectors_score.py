"""The vectors of the rule book on scores: settlement, surrender, bonus, levels."""

from __future__ import annotations

import pytest

from erqiwang.rules import PROFILES, BidMade, Settled, Trump, get_profile, level_of, open_session
from erqiwang.rules.bonus import bonus_scores, bonus_value
from erqiwang.rules.order import order_for
from erqiwang.rules.settlement import (
    captured_points,
    is_made,
    kitty_multiplier,
    next_opener,
    play_scores,
    surrender_scores,
)

SETTLEMENTS = [
    ("S01", "classic tongchengle qq", 80, {80: (-6, 2)}),
    ("S02", "classic tongchengle qq", 80, {120: (-12, 4)}),
    ("S03", "classic tongchengle qq", 80, {180: (-18, 6)}),
    ("S04", "classic tongchengle qq", 80, {200: (-24, 8)}),
    ("S05", "classic tongchengle qq", 80, {75: (6, -2)}),
    ("S06", "classic tongchengle qq", 80, {35: (12, -4)}),
    ("S07", "classic tongchengle qq", 80, {0: (18, -6)}),
    ("S08", "classic tongchengle", 40, {40: (-12, 4), 80: (-24, 8), 140: (-36, 12), 160: (-48, 16)}),
    ("ST", "qq", 40, {40: (-9, 3), 80: (-18, 6), 140: (-27, 9), 160: (-36, 12)}),
    ("S11", "qq", 40, {35: (9, -3), 5: (9, -3), 0: (18, -6)}),
    ("S14", "classic", 80, {160: (-18, 6)}),
    ("S15", "classic", 120, {115: (3, -1)}),
    ("S17", "classic", 0, {0: (72, -24), 5: (-24, 8), 40: (-48, 16)}),
    ("S18", "qq", 0, {0: (12, -4), 5: (-12, 4), 40: (-24, 8)}),
    ("S20", "mobile", 70, {70: (-4, 2), 110: (-8, 4), 150: (-12, 6), 190: (-16, 8)}),
    ("S21", "mobile", 70, {65: (4, -2)}),
    ("S22", "mobile", 70, {40: (8, -4)}),
    ("S23", "mobile", 70, {0: (12, -6)}),
    ("S24", "mobile", 70, {45: (4, -2), 35: (8, -4)}),
    ("S26", "mobile", 65, {35: (4, -2), 30: (8, -4)}),
    ("S27", "mobile", 40, {25: (6, -3), 20: (18, -9), 0: (18, -9)}),
    ("S29", "jiangxi", 80, {75: (6, -2), 30: (12, -4), 0: (18, -6)}),
    ("S30", "jiangxi", 80, {35: (6, -2)}),
    ("S32", "jiangxi", 40, {0: (36, -12), 200: (-36, 12)}),
    ("S33", "jiangxi-3p", 70, {65: (4, -2), 70: (-4, 2), 110: (-8, 4)}),
    ("S35", "classic-1deck", 40, {40: (-6, 2), 60: (-12, 4), 35: (6, -2), 15: (12, -4), 0: (18, -6)}),
    ("C-3", "classic", 80, {150: (-12, 4)}),
    ("C-5", "classic", 40, {0: (36, -12)}),
    ("R-45", "mobile", 0, {0: (24, -12), 5: (-8, 4)}),
    ("R-46", "mobile", 75, {40: (2, -1), 35: (4, -2)}),
    ("6.2", "classic", 120, {0: (12, -4), 30: (9, -3), 35: (9, -3), 40: (9, -3), 80: (6, -2), 85: (3, -1)}),
    ("6.2", "classic", 30, {25: (24, -8)}),
]


@pytest.mark.parametrize(("clause", "slugs", "bid", "results"), SETTLEMENTS)
def test_settlement(clause, slugs, bid, results):
    for slug in slugs.split():
        profile = get_profile(slug)
        for points, (declarer, defender) in results.items():
            wanted = (defender, declarer, *[defender] * (profile.seats - 2))
            assert play_scores(profile, declarer=1, bid=bid, points=points) == wanted


def test_s12_room_multiplies():
    assert play_scores(get_profile("qq"), declarer=0, bid=80, points=180, room=10) == (-180, 60, 60, 60)


SURRENDERS = [
    ("U01", "classic", {85: (-3, 1), 80: None}),
    ("U04", "mobile", {75: (-2, 1), 70: None}),
    ("U05", "jiangxi", {85: (-3, 1), 80: (-6, 2), 45: (-6, 2), 40: (-9, 3), 5: (-9, 3)}),
    ("U06", "jiangxi-92", {75: (-3, 1), 70: (-6, 2), 45: (-6, 2), 40: (-9, 3)}),
    ("U07", "jiangxi-3p", {70: (-2, 1), 65: (-4, 2), 40: (-6, 3)}),
    ("U08", "qq", {120: None}),
    ("R-02", "classic-1deck", {45: (-3, 1), 40: None}),
]


@pytest.mark.parametrize(("clause", "slug", "results"), SURRENDERS)
def test_surrender(clause, slug, results):
    profile = get_profile(slug)
    for bid, result in results.items():
        assert profile.may_surrender(bid) == (result is not None)
        if result is not None:
            declarer, defender = result
            wanted = (declarer, *[defender] * profile.defenders)
            assert surrender_scores(profile, declarer=0, bid=bid) == wanted


KITTIES = [
    ("K01", "classic", "S9", 80, 70, 90, -6),
    ("K02", "classic", "S9x2", 80, 70, 110, -6),
    ("K04", "classic", "S8x2 S9x2 STx2", 80, 70, 230, -24),
    ("K05", "classic", "HA", 80, 70, 70, 6),
    ("K07", "jiangxi", "S9", 80, 70, 110, -6),
    ("K07", "jiangxi", "S9x2", 80, 70, 150, -12),
    ("K07", "jiangxi", "S8x2 S9x2", 80, 70, 230, -18),
    ("K07", "jiangxi", "S8x2 S9x2 STx2", 80, 70, 230, -18),
    ("K08", "mobile", "S9x2", 70, 60, 80, -4),
    ("K10", "classic", "BJ H7x2 S5", 80, 70, 110, -6),
    ("R-39", "classic", "S8x2 S9x2", 80, 70, 150, -12),
]


@pytest.mark.parametrize(("clause", "slug", "play", "bid", "tricks", "total", "score"), KITTIES)
def test_kitty(cards, clause, slug, play, bid, tricks, total, score):
    profile = get_profile(slug)
    order = order_for(profile, Trump.SPADES)
    multiplier = kitty_multiplier(profile, order, cards(play), by_defender=True)
    points = tricks + captured_points(multiplier, cards("HT DK"))
    assert points == total
    assert play_scores(profile, declarer=0, bid=bid, points=points)[0] == score
    assert kitty_multiplier(profile, order, cards(play), by_defender=False) == 0


def test_k11_trumps_in_the_kitty_are_not_captured_in_a_side_suit(cards):
    profile = get_profile("classic")
    multiplier = kitty_multiplier(profile, order_for(profile, Trump.SPADES), cards("HA"), by_defender=True)
    assert multiplier == 0
    assert captured_points(multiplier, cards("SK HT")) == 0


J3, J4 = "BJ BJ LJ", "BJ BJ LJ LJ"
BONUSES = [
    ("B01", "qq jiangxi", f"{J3} S7x2", 80, 2),
    ("B02", "qq", f"{J3} S7x2", None, 0),
    ("B04", "qq", f"{J3} H7x2 S2x2", 80, 1),
    ("B07", "classic", f"{J3} S7x2 H7x2 S2x2 H2x2", 80, 5),
    ("B07", "classic", f"{J4} S7x2 H7x2 S2x2 H2x2", 80, 7),
    ("B08", "jiangxi", f"{J3} S7x2 H7x2 D7x2", 80, 6),
    ("B10", "jiangxi", J4, 80, 0),
    ("B10", "jiangxi", J4, 75, 3),
    ("B11", "jiangxi", f"{J3} S7x2 H7x2 D7 C7", 80, 4),
    ("B16", "mobile", f"{J4} S7x2 H7x2 SAx2 SKx2", 80, 5),
    ("B17", "mobile", f"{J3} S7x2 H7x2 SAx2 SKx2", 80, 4),
    ("R-54", "mobile", f"{J3} S7x2 H7x2 S2x2 H2x2 SAx2 SKx2 SQx2 H9x2 HTx2 HJx2", 80, 9),
    ("R-54", "mobile", f"{J4} S7x2 H7x2 S2x2 H2x2 SAx2 SKx2 SQx2 H9x2 HTx2 HJx2", 80, 10),
    ("R-54", "mobile", f"{J3} S7x2 H7x2 S2x2 H2x2 SAx2 SKx2 H9x2 HTx2 HJx2", 80, 5),
    ("R-55", "jiangxi", f"{J3} S7x2 H7x2 D7x2 C7", 80, 7),
    ("R-55", "jiangxi", f"{J3} S7x2 H7x2 D7x2 C7x2 S2x2 H2x2 D2x2 C2x2", 80, 1 + 4 + 4 + 4 + 4),
    ("R-55", "jiangxi", f"{J3} S2x2 H2x2 D2 C2", 80, 2),
    ("R-55", "jiangxi", "BJ LJ S7x2 H7x2 D7x2", 80, 0),
    ("R-55", "jiangxi", "BJ LJ S2x2 H2x2 D2x2 C2x2", 80, 0),
    ("R-54", "mobile", f"{J3} S7x2 H7x2 HAx2 HKx2", 80, 3),
    ("R-54", "mobile", f"{J4} S7x2 H7x2 S2x2 SAx2 SKx2", 80, 6),
    ("R-58", "jiangxi", J3, 85, 0),
]


@pytest.mark.parametrize(("clause", "slugs", "pool", "bid", "value"), BONUSES)
def test_bonus(cards, clause, slugs, pool, bid, value):
    for slug in slugs.split():
        found = bonus_value(get_profile(slug), cards(pool), Trump.SPADES, bid, surrendered=False)
        assert found == value


def test_b01_everybody_pays(cards):
    pools = ((), cards("BJ BJ LJ S7 S7"), (), ())
    scores = bonus_scores(get_profile("qq"), pools, Trump.SPADES, [BidMade(1, 80)], None, room=5)
    assert scores == (-2, 6, -2, -2)
    profile = get_profile("qq", {"room_mult_on_bonus_004": "true"})
    assert bonus_scores(profile, pools, Trump.SPADES, [BidMade(1, 80)], None, room=5) == (-10, 30, -10, -10)


def test_b13_no_bonus_in_no_trump(cards):
    assert bonus_value(get_profile("jiangxi"), cards(f"{J3} S7x2"), Trump.NONE, 80, surrendered=False) == 0


@pytest.mark.parametrize(("bid", "value"), [(80, 0), (75, 3)])
def test_b14_bonus_after_surrender(cards, bid, value):
    assert (
        bonus_value(get_profile("jiangxi"), cards(f"{J4} S7x2"), Trump.SPADES, bid, surrendered=True) == value
    )


def test_b19_a_defenders_bonus_stands(cards):
    profile = get_profile("mobile")
    pools = (cards("H5"), cards(f"{J3} S7x2"), ())
    auction = [BidMade(0, 100), BidMade(1, 95), BidMade(2, None), BidMade(0, 75), BidMade(1, None)]
    bonus = bonus_scores(profile, pools, Trump.SPADES, auction, 0, room=1)
    play = surrender_scores(profile, declarer=0, bid=75)
    assert tuple(map(sum, zip(play, bonus, strict=True))) == (-4, 5, -1)


def test_bonus_by_kind_of_pairs(cards):
    profile = get_profile("mobile", {"bonus_001_extra": "kinds"})
    pool = f"{J3} S7x2 H7x2"
    assert bonus_value(profile, cards(f"{pool} SAx2 SKx2"), Trump.SPADES, 80, surrendered=False) == 3
    assert bonus_value(profile, cards(f"{pool} D7x2"), Trump.SPADES, 80, surrendered=False) == 4


@pytest.mark.parametrize(("score", "level"), [(149, 2), (150, 3), (-10, 1), (9999999, 25)])
def test_v01_levels(score, level):
    assert level_of(get_profile("qq"), score) == level


def test_levels_exist_in_qq_alone():
    assert {slug for slug in PROFILES if level_of(get_profile(slug), 0)} == {"qq"}


def test_n01_n02_next_opener():
    assert next_opener(get_profile("classic"), 2, made=True) == 2
    assert next_opener(get_profile("classic"), 2, made=False) == 3
    assert next_opener(get_profile("mobile"), 2, made=False) == 0


def test_a_session_adds_up():
    session = open_session(get_profile("qq"), opener=1)
    settled = Settled(0, 0, (), (150, -50, -50, -50), (0, 0, 0, 0), (150, -50, -50, -50), 2)
    session = session.after(settled).after(settled)
    assert (session.opener, session.tables, session.scores) == (2, 2, (300, -100, -100, -100))
    assert session.levels == (4, 1, 1, 1)


SWITCHED = [
    ("win_tier_000", "formula", "classic", 40, {0: (24, -8), 5: (12, -4)}),
    ("special_001", "2", "mobile", 40, {20: (12, -6), 0: (18, -9)}),
    ("special_001", "1", "mobile", 40, {20: (6, -3), 0: (18, -9)}),
    ("cell_70_40_001", "normal", "mobile", 70, {40: (4, -2), 35: (8, -4)}),
]


@pytest.mark.parametrize(("switch", "answer", "slug", "bid", "results"), SWITCHED)
def test_switched_scores(switch, answer, slug, bid, results):
    profile = get_profile(slug, {switch: answer})
    assert profile.switches == ((switch, answer),)
    for points, (declarer, defender) in results.items():
        scores = play_scores(profile, declarer=0, bid=bid, points=points)
        assert scores[:2] == (declarer, defender)


@pytest.mark.parametrize(("slug", "switch"), [("mobile", "kitty_trump_001"), ("qq", "kitty_trump_004")])
def test_a_kitty_captured_in_any_suit(cards, slug, switch):
    profile = get_profile(slug, {switch: "false"})
    assert kitty_multiplier(profile, order_for(profile, Trump.SPADES), cards("HA"), by_defender=True) == 1


def test_surrender_switch_of_qq():
    profile = get_profile("qq", {"surrender_004": "85"})
    assert profile.may_surrender(85)
    assert not profile.may_surrender(80)
    assert surrender_scores(profile, declarer=0, bid=85) == (-3, 1, 1, 1)
    assert surrender_scores(profile, declarer=1, bid=85, room=10) == (10, -30, 10, 10)


def test_default_answers_are_no_switches():
    assert get_profile("classic", {"throw_rule": "others_void"}) == get_profile("classic")


@pytest.mark.parametrize(
    ("slug", "switches", "message"),
    [
        ("nowhere", {}, "no such profile: 'nowhere'"),
        ("classic", {"special_001": "3"}, "profile classic has no switch 'special_001'"),
        ("classic", {"throw_rule": "never"}, "one of others_void, max_now, not 'never'"),
    ],
)
def test_unknown_profiles_and_switches(slug, switches, message):
    with pytest.raises(ValueError, match=message):
        get_profile(slug, switches)


def test_bid_zero_is_made_by_a_shut_out_alone():
    assert is_made(0, 0)
    assert not is_made(0, 5)
