"""Which ruling a refusal cites, what it says, and which cards it names as owed; trump spades."""

from __future__ import annotations

import pytest

from erqiwang.rules import (
    Auction,
    Bid,
    Bury,
    Deal,
    NameTrump,
    Play,
    Reason,
    RuleViolation,
    State,
    Surrender,
    Trump,
    apply,
    get_profile,
    open_table,
    parse_cards,
)

T2, T3, T5 = "H5x2 H6x2", "H9x2 HTx2 HJx2", "C3x2 C4x2 C5x2 C6x2 C8x2"
SHORT = "H3x2 H4x2 H6x2 HQx2"
SEVERAL = "C9x2 CTx2 CJx2 CKx2 CAx2 CQ"
FOLLOWS = [
    ("HK", "H5 H9 D3", "H5 H9", "R-60", "1 cards were led, 2 played", ""),
    ("HK", "H5 H9 D3", "D3", "R-60", "hearts was led and 1 of it must be played, not 0", "H5"),
    ("HKx2", "H5 D3x2", "D3x2", "R-60", "hearts was led and 1 of it must be played, not 0", "H5"),
    (
        T2,
        "H8x2 H9 D3 C4",
        "H8x2 D3 C4",
        "R-60",
        "hearts was led and 3 of it must be played, not 2",
        "H8x2 H9",
    ),
    ("HKx2", "H5 D3x2", "H5x2", "R-60", "not in the hand: H5", ""),
    ("HKx2", "H5 D3x2", "H5 C9", "R-60", "not in the hand: C9", ""),
    ("HKx2", "H5x2 H6x2 HA", "H5 HA", "R-61", "a pair of hearts is owed", "H5x2"),
    (T2, "H8x2 H9 HQ HK", "H8 H9 HQ HK", "R-64", "a pair of hearts is owed", "H8x2 H9 HQ"),
    (T2, "H8x2 HQx2 HK", "H8x2 HQ HK", "R-64", "2 pairs of hearts are owed", "H8x2 HQx2"),
    (T2, "H8x2 H9x2 HQx2", "H8x2 HQx2", "R-62", "a tractor of 2 pairs of hearts is owed", "H8x2 H9x2"),
    (T3, SHORT, "H3x2 H6x2 HQx2", "R-63", "a tractor of 2 pairs of hearts is owed", "H3x2 H4x2 H6x2"),
    (T3, f"{SHORT} HK", "H3x2 H4x2 HQ HK", "R-64", "3 pairs of hearts are owed", "H3x2 H4x2 H6x2"),
    (
        T5,
        SEVERAL,
        "C9x2 CTx2 CJx2 CKx2 CQ CA",
        "R-65",
        "a tractor of 2 pairs of clubs is owed",
        "C9x2 CTx2 CJx2 CKx2 CAx2",
    ),
]


@pytest.mark.parametrize(("lead", "hand", "play", "ruling", "detail", "owed"), FOLLOWS)
def test_a_refused_follow(position, cards, lead, hand, play, ruling, detail, owed):
    violation = position(hand, lead).violation(cards(play))
    assert (violation.ruling, violation.detail) == (ruling, detail)
    assert sorted(violation.owed) == sorted(cards(owed))


LEADS = [
    ("", "R-28", "a lead has at least one card"),
    ("BJ H9", "R-28", "a lead is of one suit, not hearts and trump"),
    ("H9 HT", "R-29", "a lead of hearts is a single, a pair or one tractor"),
    ("BJ S5", "R-30", "trumps may be thrown only when no other player holds trump"),
    ("BJx2", "R-60", "not in the hand: BJ"),
    ("DA", "R-60", "not in the hand: DA"),
]


@pytest.mark.parametrize(("play", "ruling", "detail"), LEADS)
def test_a_refused_lead(position, cards, play, ruling, detail):
    violation = position("BJ S5 H9 HT", None).violation(cards(play))
    assert (violation.ruling, violation.detail) == (ruling, detail)


@pytest.fixture(scope="module")
def auction() -> Auction:
    """The auction of an unshuffled deck, seat 0 to call."""
    profile = get_profile("classic")
    deck = profile.deck
    hands = tuple(deck[25 * seat : 25 * seat + 25] for seat in range(4))
    state, _ = open_table(profile, [Deal(hands, deck[100:], 0)])
    return state


def after(state: State, *actions: Bid | NameTrump | Bury | Play) -> State:
    for action in actions:
        assert state.turn is not None
        state, _ = apply(state, state.turn.seat, action)
    return state


def refusal(state: State, seat: int, action: Bid | NameTrump | Bury | Play | Surrender) -> tuple[Reason, str]:
    with pytest.raises(RuleViolation) as error:
        apply(state, seat, action)
    return error.value.reason, error.value.ruling


def won(auction: Auction, bid: int) -> State:
    return after(auction, Bid(bid), Bid(None), Bid(None), Bid(None))


def test_refused_calls(auction):
    assert refusal(auction, 0, Bid(125)) == (Reason.BID_OUT_OF_RANGE, "R-06")
    assert refusal(auction, 0, Bid(-5)) == (Reason.BID_OUT_OF_RANGE, "R-06")
    assert refusal(auction, 0, Bid(83)) == (Reason.BID_OUT_OF_RANGE, "R-06")
    assert refusal(auction, 1, Bid(80)) == (Reason.OUT_OF_TURN, "R-07")
    assert refusal(auction, 0, Surrender()) == (Reason.SURRENDER_NOT_ALLOWED, "R-12")
    assert refusal(auction, 0, Play(parse_cards("SA"))) == (Reason.WRONG_PHASE, "R-12")
    bid = after(auction, Bid(80))
    assert refusal(bid, 1, Bid(80)) == (Reason.BID_TOO_HIGH, "R-06")
    assert after(bid, Bid(75)).turn.seat == 2
    passed = after(auction, Bid(None), Bid(80), Bid(75), Bid(70))
    assert refusal(passed, 0, Bid(65)) == (Reason.ALREADY_PASSED, "R-07")


def test_refused_declarations(auction):
    naming = won(auction, 85)
    assert refusal(naming, 0, Surrender()) == (Reason.SURRENDER_NOT_ALLOWED, "R-33")
    assert refusal(naming, 0, Bury(())) == (Reason.WRONG_PHASE, "R-12")
    assert refusal(naming, 1, NameTrump(Trump.SPADES)) == (Reason.OUT_OF_TURN, "R-12")
    burying = after(naming, NameTrump(Trump.SPADES))
    hand = burying.hand(0)
    assert refusal(burying, 0, NameTrump(Trump.HEARTS)) == (Reason.WRONG_PHASE, "R-12")
    assert refusal(burying, 1, Bury(hand[:8])) == (Reason.OUT_OF_TURN, "R-12")
    assert refusal(burying, 0, Bury(hand[:7])) == (Reason.WRONG_COUNT, "R-14")
    assert refusal(burying, 0, Bury(hand[:9])) == (Reason.WRONG_COUNT, "R-14")
    assert refusal(burying, 1, Surrender()) == (Reason.SURRENDER_NOT_ALLOWED, "R-33")
    ended, _ = apply(burying, 0, Surrender())
    assert (ended.buried, ended.settled.buried) == (None, ())
    assert [ended.view(seat).hand for seat in range(4)] == [burying.hand(seat) for seat in range(4)]


def test_r33_r34_surrender_ends_with_the_first_lead(auction):
    playing = after(won(auction, 85), NameTrump(Trump.SPADES))
    playing = after(playing, Bury(playing.hand(0)[:8]))
    assert playing.turn.may_surrender
    assert refusal(playing, 1, Surrender()) == (Reason.SURRENDER_NOT_ALLOWED, "R-33")
    ended, _ = apply(playing, 0, Surrender())
    assert ended.surrendered
    assert [ended.view(seat).hand for seat in range(4)] == [playing.hand(seat) for seat in range(4)]
    led = after(playing, Play(playing.hand(0)[:1]))
    assert (led.turn.may_surrender, led.may_surrender) == (False, False)
    assert refusal(led, 0, Surrender()) == (Reason.SURRENDER_NOT_ALLOWED, "R-33")
    assert refusal(led, 0, Play(led.hand(0)[:1]))[0] is Reason.OUT_OF_TURN
    assert refusal(led, 1, Bid(80))[0] is Reason.WRONG_PHASE
    low = after(won(auction, 80), NameTrump(Trump.SPADES))
    assert not low.turn.may_surrender
    assert refusal(low, 0, Surrender()) == (Reason.SURRENDER_NOT_ALLOWED, "R-34")


def test_r13_no_trump():
    profile = get_profile("qq")
    deck = profile.deck
    hands = tuple(deck[25 * seat : 25 * seat + 25] for seat in range(4))
    state, _ = open_table(profile, [Deal(hands, deck[100:], 0)])
    assert refusal(won(state, 80), 0, NameTrump(Trump.NONE)) == (Reason.NO_TRUMP_NOT_ALLOWED, "R-13")
