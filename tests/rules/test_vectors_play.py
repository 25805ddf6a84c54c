"""The vectors of the rule book on tractors, following and leading; trump spades unless said."""

from __future__ import annotations

import pytest

from erqiwang.rules import PROFILES, Reason, Trump, get_profile
from erqiwang.rules.order import order_for
from erqiwang.rules.shape import ShapeKind, shape_of

TRACTORS = [
    ("T01", "H5x2 H6x2", True, Trump.SPADES),
    ("T01", "H6x2 H8x2", True, Trump.SPADES),
    ("T01", "HKx2 HAx2", True, Trump.SPADES),
    ("T02", "H6x2 H7x2", False, Trump.SPADES),
    ("T02", "S6x2 S7x2", False, Trump.SPADES),
    ("T02", "H2x2 H3x2", False, Trump.SPADES),
    ("T04", "SAx2 H2x2", True, Trump.SPADES),
    ("T05", "HAx2 H2x2", False, Trump.SPADES),
    ("T05", "SAx2 S2x2", False, Trump.SPADES),
    ("T07", "H7x2 LJ LJ", False, Trump.SPADES),
    ("T08", "H7x2 D7x2", False, Trump.SPADES),
    ("T08", "H2x2 D2x2", False, Trump.SPADES),
    ("T10", "SAx2 H2x2 D2x2", False, Trump.SPADES),
    ("T11", "H7x2 S7x2", False, Trump.NONE),
    ("T11", "C2x2 D2x2", False, Trump.NONE),
    ("T14", "HAx2 H3x2", False, Trump.SPADES),
    ("R-20", "H2x2 S2x2", True, Trump.SPADES),
    ("R-20", "S2x2 H7x2", True, Trump.SPADES),
    ("R-20", "H7x2 S7x2", True, Trump.SPADES),
    ("R-20", "S7x2 LJ LJ", True, Trump.SPADES),
    ("R-20", "LJ LJ BJ BJ", True, Trump.SPADES),
    ("R-20", "SAx2 D2x2 S2x2 C7x2 S7x2 LJ LJ BJ BJ", True, Trump.SPADES),
    ("R-24", "LJ LJ BJ BJ", True, Trump.NONE),
    ("R-24", "H7x2 LJ LJ", True, Trump.NONE),
    ("R-24", "C2x2 H7x2", True, Trump.NONE),
    ("R-24", "C2x2 H7x2 LJ LJ BJ BJ", True, Trump.NONE),
    ("R-24", "H2x2 LJ LJ", False, Trump.NONE),
]


@pytest.mark.parametrize(("clause", "text", "is_tractor", "trump"), TRACTORS)
def test_tractors(cards, clause, text, is_tractor, trump):
    order = order_for(get_profile("classic"), trump)
    shape = shape_of(order, *order.masks(cards(text)))
    assert (shape is not None and shape.kind is ShapeKind.TRACTOR) == is_tractor


def test_t13_sevens_of_two_suits_are_no_pair(cards):
    order = order_for(get_profile("classic"), Trump.SPADES)
    shape = shape_of(order, *order.masks(cards("H7 D7")))
    assert shape is not None
    assert shape.kind is ShapeKind.THROW


def test_r21_neighbours_in_a_deck_without_threes_and_fours(cards):
    order = order_for(get_profile("mobile"), Trump.SPADES)
    shape = shape_of(order, *order.masks(cards("H5x2 H6x2 H8x2")))
    assert shape is not None
    assert shape.kind is ShapeKind.TRACTOR


T2, T3 = "H5x2 H6x2", "H9x2 HTx2 HJx2"
FOLLOWS = [
    ("F01", T2, "H8x2 H9x2 HK D3", "H8x2 H9x2", None),
    ("F02", T2, "H8x2 H9x2 HK D3", "H8x2 H9 HK", Reason.TRACTOR_OWED),
    ("F03", T2, "H8x2 HQx2 HK D3", "H8x2 HQx2", None),
    ("F04", T2, "H8x2 HQx2 HK D3", "H8x2 HQ HK", Reason.PAIR_OWED),
    ("F05", T3, "H5x2 H6x2 HQx2 HK", "H5x2 H6x2 HQx2", None),
    ("F06", T3, "H5x2 H6x2 HQx2 HK", "H5x2 H6x2 HQ HK", Reason.PAIR_OWED),
    ("F09", T3, "H5x2 H8x2 HQ HK HA", "H5x2 H8x2 HQ HK", None),
    ("F10", T3, "H5x2 H8x2 HQ HK HA", "H5x2 H8 HQ HK HA", Reason.PAIR_OWED),
    ("F11", "HKx2", "H5x2 H6x2 HA", "H5x2", None),
    ("F12", "HKx2", "H5x2 H6x2 HA", "H5 HA", Reason.PAIR_OWED),
    ("F13", "HKx2", "HA S5 D3", "HA D3", None),
    ("F14", "HKx2", "HA S5 D3", "S5 D3", Reason.SUIT_NOT_EXHAUSTED),
    ("F15", "HKx2", "S5x2 D3", "S5 D3", None),
    ("F16", T2, "H4 H8 HK HA D3", "H4 H8 HK HA", None),
    ("F16", T2, "H4 H8 HK HA D3", "H4 H8 HK D3", Reason.SUIT_NOT_EXHAUSTED),
    ("F17", T2, "H8x2 H9 D3 C4", "H8x2 H9 C4", None),
    ("F18", T2, "H8x2 H9 D3 C4", "H8x2 D3 C4", Reason.SUIT_NOT_EXHAUSTED),
    ("F19", "SKx2 SAx2", "H7x2 D7x2 S7x2 S5", "H7x2 S7x2", None),
    ("F19", "SKx2 SAx2", "H7x2 D7x2 S7x2 S5", "D7x2 S7x2", None),
    ("F20", "SKx2 SAx2", "H7x2 D7x2 S7x2 S5", "H7x2 D7x2", Reason.TRACTOR_OWED),
    ("F23", "H5", "H7 D3 C4", "C4", None),
    ("F24", "H5", "H7 H9 D3", "H7", Reason.SUIT_NOT_EXHAUSTED),
    ("F25", "S5", "H2 D3 C4", "D3", Reason.SUIT_NOT_EXHAUSTED),
    ("F29", T2, "H8x2 H9x2 HTx2 HK", "H9x2 HTx2", None),
    ("F30", T2, "H8x2 H9x2 HTx2 HK", "H8x2 HTx2", Reason.TRACTOR_OWED),
    ("R-63", T3, "H3x2 H4x2 H6x2 HQx2", "H3x2 H6x2 HQx2", Reason.TRACTOR_OWED),
    ("R-63", T3, "H3x2 H4x2 H6x2 HQx2", "H3x2 H4x2 HQx2", None),
    ("R-65", "C3x2 C4x2 C5x2 C6x2", "C8x2 C9x2 CJx2 CQx2 CA", "C8x2 C9x2 CJx2 CQ CA", Reason.TRACTOR_OWED),
    ("R-60", "H5", "H9 D3", "H9 D3", Reason.WRONG_COUNT),
    ("R-60", "H5", "H9 D3", "HT", Reason.CARDS_NOT_HELD),
    ("R-60", "HKx2", "H9 HT", "H9x2", Reason.CARDS_NOT_HELD),
]


@pytest.mark.parametrize(("clause", "lead", "hand", "play", "refused"), FOLLOWS)
def test_follows(judge, clause, lead, hand, play, refused):
    assert judge(hand, lead, play) is refused


def test_messages_say_what_to_play(position, cards):
    violation = position("H8x2 H9x2 HK D3", T2).violation(cards("H8x2 H9 HK"))
    assert str(violation) == "tractor_owed: a tractor of 2 pairs of hearts is owed: H8 H8 H9 H9 (R-62)"
    violation = position("H5 D3 D4", "HK").violation(cards("D3"))
    assert str(violation) == "suit_not_exhausted: hearts was led and 1 of it must be played, not 0: H5 (R-60)"
    violation = position("H8x2 HQx2 HK D3", T2).violation(cards("H8x2 HQ HK"))
    assert str(violation) == "pair_owed: 2 pairs of hearts are owed: H8 H8 HQ HQ (R-64)"
    violation = position("H5 D3", "HK").violation(cards("HK"))
    assert str(violation) == "cards_not_held: not in the hand: HK (R-60)"


@pytest.mark.parametrize("slug", PROFILES)
@pytest.mark.parametrize("may_throw", [False, True])
@pytest.mark.parametrize("lead", ["HA HK", "HAx2 HQx2", "HAx2 HK"])
def test_l01_l02_side_suits_are_never_thrown(judge, slug, may_throw, lead):
    profile = get_profile(slug)
    if profile.copies == 1:
        lead = lead.replace("x2", "")
    refused = judge(
        "HAx2 HKx2 HQx2" if profile.copies == 2 else "HA HK HQ",
        None,
        lead,
        profile=profile,
        may_throw=may_throw,
    )
    assert refused is (None if lead in ("HA", "HK") else Reason.SIDE_SUIT_THROW)


def test_l04_throw(judge):
    hand, throw = "BJ H7x2 S5 H9", "BJ H7x2 S5"
    assert judge(hand, None, throw, may_throw=True) is None
    assert judge(hand, None, throw) is Reason.THROW_NOT_ALLOWED
    assert judge(hand, None, "BJ H9", may_throw=True) is Reason.MIXED_SUIT_LEAD
    assert judge(hand, None, "") is Reason.WRONG_COUNT
    assert judge(hand, None, "SK") is Reason.CARDS_NOT_HELD
    assert judge(hand, None, "BJx2") is Reason.CARDS_NOT_HELD
    assert judge(hand, None, "H7 H7 H7") is Reason.CARDS_NOT_HELD


def test_a_card_that_the_deck_lacks_is_not_held(judge):
    mobile = get_profile("mobile")
    assert judge("H5 H6", None, "H3", profile=mobile) is Reason.CARDS_NOT_HELD
    assert judge("H5 H6", None, "H3 H4", profile=mobile) is Reason.CARDS_NOT_HELD
    assert judge("H5 H6", "C5x2", "H3 H4", profile=mobile) is Reason.CARDS_NOT_HELD


def test_every_lead_can_come_up_at_random(position):
    at = position("H5x2 H6x2 HA S7x2 LJx2 D3", None)
    drawn = [at.random(lambda n, chosen=number: chosen).cards for number in range(at.count_legal_plays())]
    assert sorted(drawn) == sorted(at.legal_plays())
    assert max(map(len, drawn)) == 4
