"""Tricks worked out by hand: lowest cards, answered throws, what is told, what is left; trump spades."""

from __future__ import annotations

import pytest

from erqiwang.rules import (
    Announced,
    Bid,
    Play,
    Played,
    Reason,
    RuleViolation,
    Surrender,
    TrickWon,
    Trump,
    TrumpReport,
    apply,
    get_profile,
)
from erqiwang.rules.choice import BuryChoice
from erqiwang.rules.order import order_for
from erqiwang.rules.shape import ShapeKind, shape_of

LOWEST = [
    ("R-68", "H3x2", "H4 H5", 0),
    ("R-68", "H3x2", "S4 S5", 0),
    ("R-69", "H3x2", "H4x2", 1),
    ("R-69", "H3", "H4", 1),
    ("R-67", "H3", "D4", 0),
    ("R-70", "H3", "H3", 0),
    ("R-69", "H3", "S3", 1),
    ("R-70", "S3", "S3", 0),
    ("R-69", "S3", "H2", 1),
    ("R-68", "H3x2 H4x2", "H5x2 H8x2", 0),
    ("R-69", "H3x2 H4x2", "S3x2 S4x2", 1),
]


@pytest.mark.parametrize(("clause", "lead", "follow", "winner"), LOWEST)
def test_who_wins_when_the_lowest_are_led(start, play, clause, lead, follow, winner):
    count = len(lead.replace("x2", " x").split())
    clubs, diamonds = (
        " ".join(f"C{rank}" for rank in "3456"[:count]),
        " ".join(["D3", "D4", "D5", "D6"][:count]),
    )
    state = start([f"{lead} CA", f"{follow} CK", f"{clubs} CQ", f"{diamonds} CJ"])
    last, events = play(state, lead, follow, clubs, diamonds)
    assert [event.seat for event in events if isinstance(event, TrickWon)] == [winner]
    assert last.seat == winner


def test_r69_a_pair_does_not_beat_a_throw(start, play):
    """Under `max_now` a throw may be answered with trumps; the pair is of another shape."""
    hands = ["BJ S9 HA", "S8x2 HK", "C3 C4 C5", "D3 D4 D5"]
    last, events = play(start(hands, throw_rule="max_now"), "BJ S9", "S8x2", "C3 C4", "D3 D4")
    assert TrickWon(0, 0) in events
    assert last.seat == 0


def test_r70_an_equal_tractor_does_not_beat_that_of_a_throw(start, cards):
    """In no-trump all twos are equal, and all sevens."""
    hands = ["H2x2 H7x2 BJ HA", "D2x2 D7x2 D3 D4", "C3 C4 C5 C6 C8 C9", "S3 S4 S5 S6 S8 S9"]
    state = start(hands, trump=Trump.NONE, throw_rule="max_now")
    _, events = apply(state, 0, Play(cards("H2x2 H7x2 BJ")))
    assert events[0] == Played(0, cards("H2x2 H7x2 BJ"))
    beaten = start(
        [hands[0].replace("BJ", "LJ"), hands[1].replace("D3", "BJ"), *hands[2:]],
        trump=Trump.NONE,
        throw_rule="max_now",
    )
    _, events = apply(beaten, 0, Play(cards("H2x2 H7x2 LJ")))
    assert events[0] == Played(0, cards("LJ"), cards("H2x2 H7x2 LJ"))


def test_r69_a_shorter_tractor_does_not_beat_that_of_a_throw(start, cards):
    hands = ["S3x2 S4x2 S5x2 BJ", "S8x2 S9x2 HK HQ HJ", "C3 C4 C5 C6 C8 C9 CT", "D3 D4 D5 D6 D8 D9 DT"]
    throw = cards("S3x2 S4x2 S5x2 BJ")
    _, events = apply(start(hands, throw_rule="max_now"), 0, Play(throw))
    assert events[0] == Played(0, throw)
    hands[1] = "S8x2 S9x2 STx2 HK"
    _, events = apply(start(hands, throw_rule="max_now"), 0, Play(throw))
    assert events[0] == Played(0, cards("S3x2 S4x2 S5x2"), throw)


def test_a_beaten_throw_is_told_with_the_new_counts(start, cards):
    state = start(["BJ S9 HA", "LJ ST HK", "C3 C4 C5", "D3 D4 D5"], throw_rule="max_now")
    assert state.void_seats == (2, 3)
    _, events = apply(state, 0, Play(cards("BJ S9")))
    assert events == (
        Played(0, cards("S9"), cards("BJ S9")),
        Announced((2, 3), (TrumpReport(0, 1, False), TrumpReport(1, 2, False))),
    )


def test_r32_the_last_report_counts(start, play):
    """Seat 3 becomes void in the first trick, seat 2 in the second."""
    state = start(["S3 S4 S5 HA", "S6 S8 S9 HK", "ST SJ C5 C6", "SQ D4 D5 D6"])
    assert state.void_seats == ()
    state, _ = play(state, "S3", "S6", "ST", "SQ")
    assert (state.seat, state.void_seats) == (3, (3,))
    assert state.view(0).void_seats == (3,)
    state, _ = play(state, "D4", "S4", "S8", "SJ")
    assert (state.seat, state.void_seats) == (2, (2, 3))
    view = state.view(1)
    assert view.void_seats == (2, 3)
    assert view.trump_reports == (TrumpReport(0, 1, False), TrumpReport(1, 1, False))


def test_r30_who_may_throw(start):
    """Only the seat that holds all the trumps, and only when it leads."""
    alone = start(["BJ S9 HA", "H3 H4 HK", "C3 C4 C5", "D3 D4 D5"])
    assert alone.may_throw
    assert alone.choice.may_throw
    assert alone.choice.count_legal_plays() == 4  # three singles and the throw
    assert not start(["BJ S9 HA", "S3 H4 HK", "C3 C4 C5", "D3 D4 D5"]).choice.may_throw
    void = start(["HA H3 H4", "BJ S9 HK", "C3 C4 C5", "D3 D4 D5"])
    assert not void.may_throw


SHORT = [
    ("CKx2", "C5 H3 H9", "C5 H3"),
    ("CKx2", "C5 H4 H9", "C5 H4"),
    ("CKx2 CAx2", "C3x2 C5 H3 H3 DK", "C3x2 C5 H3"),
    ("HKx2", "DT S3 C5", "C5 DT"),
    ("HKx2", "DT S3", "DT S3"),
    ("HKx2", "BJx2", "BJx2"),
    ("H9x2 HTx2", "H5x2 H3 H8 HQ", "H3 H5x2 H8"),
    ("H9x2 HTx2", "H3x2 H5 H8 HQ", "H3x2 H5 H8"),
]


@pytest.mark.parametrize(("lead", "hand", "play"), SHORT)
def test_the_fallback_adds_the_least_valuable_card(position, cards, lead, hand, play):
    assert sorted(position(hand, lead).fallback().cards) == sorted(cards(play))


def test_a_surrendered_table_leaves_each_hand_as_it_was(start):
    """The declarer gave up after burying: what was buried is not in the hand, and then everybody sees it."""
    state = start(["BJ S9 HA", "H3 H4 HK", "C3 C4 C5", "D3 D4 D5"], bid=85, buried="H4")
    finished, events = apply(state, 0, Surrender())
    assert finished.settled.play_scores == (-3, 1, 1, 1)
    assert events[-1] == finished.settled
    assert finished.settled.buried == finished.buried
    assert [finished.view(seat).buried for seat in range(4)] == [finished.buried] * 4
    assert finished.view(1).hand == tuple(sorted(state.hand(1)))
    with pytest.raises(RuleViolation) as refusal:
        apply(finished, 2, Bid(80))
    assert refusal.value.detail == "the table is over: seat 2 cannot bid"


@pytest.mark.parametrize(
    ("text", "kind", "pairs"),
    [
        ("H5", ShapeKind.SINGLE, 0),
        ("BJ", ShapeKind.SINGLE, 0),
        ("H5x2", ShapeKind.PAIR, 1),
        ("H7x2", ShapeKind.PAIR, 1),
        ("H5x2 H6x2", ShapeKind.TRACTOR, 2),
        ("SAx2 D2x2 S2x2", ShapeKind.TRACTOR, 3),
        ("H5 H6", ShapeKind.THROW, 0),
        ("H5x2 H6", ShapeKind.THROW, 0),
        ("H5x2 H8x2", ShapeKind.THROW, 0),
        ("H7x2 D7x2", ShapeKind.THROW, 0),
    ],
)
def test_shapes(cards, text, kind, pairs):
    order = order_for(get_profile("classic"), Trump.SPADES)
    shape = shape_of(order, *order.masks(cards(text)))
    assert shape is not None
    assert (shape.kind.name, shape.pairs, shape.size) == (kind.name, pairs, len(cards(text)))
    assert len(ShapeKind) == 4


def test_r03_one_trick_may_hold_all_the_points(start, play):
    hands = [f"{suit}Kx2 {suit}Tx2 {suit}5x2" for suit in "SHCD"]
    last, events = play(start([f"{hand} {hand[0]}A" for hand in hands]), *hands)
    assert TrickWon(0, 200) in events
    assert last.seat == 0


def test_a_single_is_followed_by_singles(position):
    """A pair in the hand is two equal cards to a single lead; a third copy does not exist."""
    answers = position("H5x2 H9 C3", "HK")
    assert sorted(map(str, (card for play in answers.legal_plays() for card in play))) == ["H5", "H9"]
    assert answers.count_legal_plays() == 2


def test_r15_what_is_buried_is_the_declarers_secret(start, play):
    state = start(["BJ S9 HA", "H3 H4 HK", "C3 C4 C5", "D3 D4 D5"], buried="H4 HT")
    later, _ = play(state, "HA", "H3", "C3", "D3", "S9")
    for now in (state, later):
        views = [now.view(seat) for seat in range(4)]
        assert [view.buried for view in views] == [state.game.buried, None, None, None]
        assert [view.hand for view in views] == [now.hand(seat) for seat in range(4)]
        assert [view.tricks for view in views] == [now.tricks] * 4


def test_a_third_copy_and_a_card_that_the_deck_lacks_are_not_held(judge, cards):
    """Also where the hand has the pair of the next level, or the lowest card of the deck."""
    hand = "H5x2 H6x2 H8"
    assert judge(hand, None, "H5 H5 H5") is Reason.CARDS_NOT_HELD
    assert judge(hand, "H9x2 HTx2", "H5 H5 H5 H8") is Reason.CARDS_NOT_HELD
    mobile = get_profile("mobile")
    assert judge("H5 H6", "HK", "H3", profile=mobile) is Reason.CARDS_NOT_HELD
    order = order_for(get_profile("classic"), Trump.SPADES)
    once, twice = order.masks(cards(hand))
    with pytest.raises(RuleViolation) as refusal:
        BuryChoice(order, once, twice, 3).verify(cards("H5 H5 H5"))
    assert refusal.value.reason is Reason.CARDS_NOT_HELD
