"""The vectors of the rule book that need a table: winners, announcements, auctions, openers, whole scores."""

from __future__ import annotations

import pytest

from erqiwang.rules import (
    Announced,
    Auction,
    Bid,
    BidMade,
    Bury,
    Deal,
    Dealt,
    Finished,
    KittyShown,
    NameTrump,
    PassedOut,
    PassOut,
    Phase,
    Play,
    Played,
    Reason,
    RuleViolation,
    Surrender,
    TrickWon,
    Trump,
    TrumpReport,
    TurnKind,
    apply,
    get_profile,
    open_table,
    open_view,
)
from erqiwang.rules.choice import BuryChoice
from erqiwang.rules.order import order_for

WINNERS = [
    ("W01", "HA; HK; S5; H7", 3),
    ("W02", "H7; D7; S3; C7", 0),
    ("W04", "H5x2 H6x2; S8x2 S9x2; SQx2 SKx2; H8x2 H9x2", 2),
    ("W05", "H5x2 H6x2; H8x2 H9x2; STx2 SKx2; D3 D4 D5 D6", 1),
    ("W07", "H9; D2; C2; H3", 1),
    ("W08", "S8x2 S9x2; H2x2 S2x2; SAx2 D2x2; H3 H4 H5 H6", 1),
    ("W10", "H5x2 H6x2; S8x2 SQx2; H7x2 D7x2; C2x2 S2x2", 3),
    ("W11", "H6x2 H8x2; H9x2 HTx2; S6x2 H7x2; D3 D4 D5 D6", 1),
    ("R-70", "HA; HA; HK; H5", 0),
    ("R-68", "H5x2; S5 S6; D3x2; H4x2", 0),
    ("R-69", "H5x2; H4x2; S3x2; D9x2", 2),
]


@pytest.mark.parametrize(("clause", "text", "winner"), WINNERS)
def test_winner(start, play, clause, text, winner):
    plays = text.split("; ")
    last, events = play(start([f"{hand} CA" for hand in plays]), *plays)
    won = next(event for event in events if isinstance(event, TrickWon))
    assert won.seat == winner == last.seat


def test_r69_a_play_of_two_suits_cannot_win(start, play):
    _, events = play(
        start(["H5x2 H6x2", "S8x2 D9x2", "C3 C4 C5 C6", "D3 D4 D5 D6"]),
        "H5x2 H6x2",
        "S8x2 D9x2",
        "C3 C4 C5 C6",
        "D3 D4 D5 D6",
    )
    assert TrickWon(0, 20) in events


def test_l04_the_thrower_wins_and_may_throw_only_then(start, play):
    hands = ["BJ H7x2 S5 HA", "HK H3 H4 H6 H8", "CK C3 C4 C6 C8", "DK D3 D4 D6 D8"]
    _, events = play(start(hands), "BJ H7x2 S5", "H3 H4 H6 H8", "C3 C4 C6 C8", "D3 D4 D6 D8")
    assert TrickWon(0, 5) in events
    with pytest.raises(RuleViolation) as refusal:
        play(start([hands[0], "HK S3 H4 H6 H8", *hands[2:]]), "BJ H7x2 S5")
    assert refusal.value.reason is Reason.THROW_NOT_ALLOWED


def test_l05_three_players(start, play):
    _, events = play(
        start(["BJ H7x2 S5 HA", "HK H5 H6 H8 H9", "CK C5 C6 C8 C9"], slug="mobile"),
        "BJ H7x2 S5",
        "H5 H6 H8 H9",
        "C5 C6 C8 C9",
    )
    assert TrickWon(0, 15) in events


def test_l07_l08_announcements(start, play):
    hands = ["SA SK SQ HA", "S5 S6 HK H9", "S8 H3 H4 H6", "SJx2 S4 H8"]
    state = start(hands)
    assert state.announcements == ()
    state, events = play(state, "SA", "S5", "S8", "S4")
    assert events[2:] == [Played(2, state.tricks[0].plays[2]), Announced((2,)), *events[4:]]
    state, events = play(state, "SK", "S6", "H3", "SJ")
    both = (1, 2)
    assert [event for event in events if isinstance(event, Announced)] == [
        Announced(both, (TrumpReport(0, 1, False), TrumpReport(3, 2, True))),
        Announced(both, (TrumpReport(0, 1, False), TrumpReport(3, 1, False))),
    ]
    assert [(entry.after_trick, entry.after_play) for entry in state.announcements] == [
        (0, 3),
        (1, 2),
        (1, 4),
    ]


def test_r32_void_seats_at_the_start_and_silence_in_the_last_trick(start, play):
    state = start(["SA", "SK", "H5", "S3"])
    assert [(entry.after_trick, entry.after_play, entry.void_seats) for entry in state.announcements] == [
        (0, 0, (2,))
    ]
    state, events = play(state, "SA", "SK", "H5", "S3")
    assert not [event for event in events if isinstance(event, Announced)]
    assert isinstance(state, Finished)


def deal(profile, opener=0):
    deck, size = profile.deck, profile.hand_size
    hands = tuple(deck[size * seat : size * seat + size] for seat in range(profile.seats))
    return Deal(hands, deck[size * profile.seats :], opener)


def called(slug, *bids, opener=0, pass_out=PassOut.ZERO, deals=1):
    profile = get_profile(slug)
    state, seen = open_table(profile, [deal(profile, opener)] * deals, pass_out=pass_out)
    events = list(seen)
    for bid in bids:
        state, more = apply(state, state.turn.seat, Bid(bid))
        events += more
    return state, events


def refused(state, action, seat=None):
    with pytest.raises(RuleViolation) as refusal:
        apply(state, state.turn.seat if seat is None else seat, action)
    return refusal.value.reason


def test_a01_range():
    state, _ = called("classic")
    assert refused(state, Bid(125)) is Reason.BID_OUT_OF_RANGE
    assert refused(state, Bid(83)) is Reason.BID_OUT_OF_RANGE
    assert refused(state, Bid(-5)) is Reason.BID_OUT_OF_RANGE
    assert called("classic", 120)[0].phase is Phase.AUCTION
    state, events = called("classic", 0)
    assert state.phase is Phase.TRUMP
    assert events[-1] == KittyShown(0, 0, state.contract.deal.kitty)


def test_a02_steps():
    state, _ = called("classic", 100, None)
    assert refused(state, Bid(97)) is Reason.BID_OUT_OF_RANGE
    assert refused(state, Bid(100)) is Reason.BID_TOO_HIGH
    assert called("classic", 100, None, 95)[0].bidding.standing == 95


@pytest.mark.parametrize("slug", ["classic", "jiangxi", "tongchengle", "qq", "jiangxi-3p"])
def test_a04_passed_out(slug):
    seats = get_profile(slug).seats
    state, events = called(slug, *[None] * seats, opener=1, pass_out=PassOut.REDEAL, deals=4)
    assert isinstance(state, Auction)
    assert state.turn.seat == 2
    assert events[-2:] == [PassedOut(), Dealt(2, 1)]
    state, events = called(slug, *[None] * seats, opener=1)
    assert isinstance(state, Finished)
    assert state.scores == (0,) * seats
    assert (state.declarer, state.bid, state.settled.next_opener) == (None, None, 2)


def test_a04_three_redeals_at_most():
    state, _ = called("classic", *[None] * 16, pass_out=PassOut.REDEAL, deals=4)
    assert isinstance(state, Finished)
    assert [redeal.opener for redeal in state.redeals] == [0, 1, 2]
    assert (state.opener, state.settled.next_opener) == (3, 0)


def test_a05_the_opener_of_mobile_cannot_pass():
    state, events = called("mobile", None, opener=1)
    assert events[-1] == BidMade(1, 100)
    assert state.choice.legal_bids()[0] == 95
    state, _ = called("mobile", None, 95, None, 90, opener=1)
    assert state.bidding.standing == 90
    assert state.turn.seat == 2


def test_a07_a_pass_is_final():
    state, _ = called("classic", 100, None, 95)
    assert refused(state, Bid(50), seat=1) is Reason.ALREADY_PASSED
    assert refused(state, Bid(50), seat=0) is Reason.OUT_OF_TURN
    assert refused(state, Bid(50), seat=-1) is Reason.OUT_OF_TURN
    assert refused(state, Play(())) is Reason.WRONG_PHASE
    assert refused(state, Surrender()) is Reason.SURRENDER_NOT_ALLOWED


def test_r08_the_last_seat_without_a_bid_may_choose():
    state, _ = called("classic", None, None, None)
    assert state.turn.seat == 3
    assert called("classic", None, None, None, 120)[0].phase is Phase.TRUMP


@pytest.mark.parametrize(
    ("slug", "allowed"),
    [("mobile", False), ("qq", False), ("classic", True), ("jiangxi", True), ("tongchengle", True)],
)
def test_a08_no_trump(slug, allowed):
    state, _ = called(slug, 80, *[None] * (get_profile(slug).seats - 1))
    if allowed:
        assert apply(state, 0, NameTrump(Trump.NONE))[0].phase is Phase.BURY
    else:
        assert refused(state, NameTrump(Trump.NONE)) is Reason.NO_TRUMP_NOT_ALLOWED


def test_declaring_refuses_what_does_not_belong():
    state, _ = called("classic", 85, None, None, None)
    assert refused(state, Surrender()) is Reason.SURRENDER_NOT_ALLOWED
    assert refused(state, Bid(80)) is Reason.WRONG_PHASE
    assert refused(state, NameTrump(Trump.SPADES), seat=1) is Reason.OUT_OF_TURN
    state, _ = apply(state, 0, NameTrump(Trump.SPADES))
    hand = state.hand(0)
    assert len(hand) == 33
    assert refused(state, Bid(80)) is Reason.WRONG_PHASE
    assert refused(state, Bury(hand[:8]), seat=1) is Reason.OUT_OF_TURN
    assert refused(state, Bury(hand[:7])) is Reason.WRONG_COUNT
    assert refused(state, Bury(hand[:1] * 8)) is Reason.CARDS_NOT_HELD
    state, _ = apply(state, 0, Bury(hand[:8]))
    assert refused(state, Bury(hand[:8])) is Reason.WRONG_PHASE
    assert refused(state, Play(hand[8:9]), seat=2) is Reason.OUT_OF_TURN
    assert refused(state, Surrender(), seat=1) is Reason.SURRENDER_NOT_ALLOWED


def test_u01_surrender_after_naming_trump():
    state, _ = called("classic", 85, None, None, None)
    state, _ = apply(state, 0, NameTrump(Trump.SPADES))
    assert state.turn == (0, TurnKind.BURY, True)
    before, _ = apply(state, 0, Surrender())
    assert before.settled.play_scores == (-3, 1, 1, 1)
    assert (before.settled.next_opener, before.buried, before.surrendered) == (1, None, True)
    state, _ = apply(state, 0, Bury(state.hand(0)[:8]))
    assert state.turn == (0, TurnKind.PLAY, True)
    later, _ = apply(state, 0, Surrender())
    assert later.settled.play_scores == (-3, 1, 1, 1)
    assert len(later.buried) == 8
    led, _ = apply(state, 0, Play(state.hand(0)[:1]))
    assert refused(led, Surrender(), seat=0) is Reason.SURRENDER_NOT_ALLOWED


@pytest.mark.parametrize(("slug", "bid"), [("classic", 80), ("mobile", 70), ("qq", 120)])
def test_u02_u04_u08_surrender_refused(slug, bid):
    state, _ = called(slug, bid, *[None] * (get_profile(slug).seats - 1))
    state, _ = apply(state, 0, NameTrump(Trump.SPADES))
    assert not state.turn.may_surrender
    assert refused(state, Surrender()) is Reason.SURRENDER_NOT_ALLOWED


def test_nothing_is_done_at_a_finished_table():
    state, _ = called("classic", *[None] * 4)
    assert refused(state, Bid(80), seat=0) is Reason.WRONG_PHASE
    assert (state.turn, state.choice, state.may_surrender, state.hand(0)) == (None, None, False, ())


def test_b05_the_bonus_is_booked_apart(start, play, cards):
    hands = ["BJx2 LJ S7x2", "H5x2 H6x2 H8", "C5x2 C6x2 C8", "D5x2 D6x2 D8"]
    _, events = play(
        start(hands, slug="qq", buried="H3"),
        "BJx2",
        "H5x2",
        "C5x2",
        "D5x2",
        "LJ",
        "H8",
        "C8",
        "D8",
        "S7x2",
        "H6x2",
        "C6x2",
        "D6x2",
    )
    settled = events[-1]
    assert settled.bonus_scores == (6, -2, -2, -2)
    assert settled.play_scores == (18, -6, -6, -6)
    assert settled.scores == (24, -8, -8, -8)


def test_b20_the_kitty_counts_for_the_declarer(cards):
    profile = get_profile("classic")
    jokers = list(cards("BJx2 LJx2"))
    deck = [card for card in profile.deck if card not in jokers]
    hands = [jokers[:2] + deck[:23], deck[23:48], deck[48:73], jokers[3:] + deck[73:97]]
    kitty = jokers[2:3] + deck[97:]
    state, _ = open_table(profile, [Deal(tuple(map(tuple, hands)), tuple(kitty), 0)])
    for bid in (85, None, None, None):
        state, _ = apply(state, state.turn.seat, Bid(bid))
    state, _ = apply(state, 0, NameTrump(Trump.SPADES))
    state, _ = apply(state, 0, Surrender())
    assert state.settled.bonus_scores == (3, -1, -1, -1)
    dealt = get_profile("classic", {"bonus_pool": "dealt"})
    state, _ = open_table(dealt, [Deal(tuple(map(tuple, hands)), tuple(kitty), 0)])
    for bid in (85, None, None, None):
        state, _ = apply(state, state.turn.seat, Bid(bid))
    state, _ = apply(state, 0, NameTrump(Trump.SPADES))
    state, _ = apply(state, 0, Surrender())
    assert state.settled.bonus_scores == (0, 0, 0, 0)


MAX_NOW = [
    ("BJ S9", "S8 S6", "BJ S9"),
    ("BJ S9", "LJ ST", "S9"),
    ("BJ S9x2 S6", "S8 STx2 S5", "S6"),
    ("BJ S9x2", "STx2 S5", "S9x2"),
    ("S5x2 S6x2 BJ", "S8x2 S9x2 S3", "S5x2 S6x2"),
    ("SAx2 S9", "S8x2 S6", "SAx2 S9"),
]


@pytest.mark.parametrize(("throw", "other", "led"), MAX_NOW)
def test_throw_rule_max_now(start, cards, throw, other, led):
    hands = [f"{throw} HA", f"{other} HK", "C3 C4 C5 C6 C8 C9", "D3 D4 D5 D6 D8 D9"]
    state = start(hands, throw_rule="max_now")
    state, events = apply(state, 0, Play(cards(throw)))
    assert sorted(events[0].cards) == sorted(cards(led))
    assert events[0].thrown == (() if throw == led else cards(throw))
    assert sorted(state.plays[0]) == sorted(cards(led))


def test_open_table_wants_deals_of_the_deck():
    profile = get_profile("classic")
    good = deal(profile)
    spoilt = [
        (Deal(good.hands[:3], good.kitty, 0), "3 hands for 4 seats"),
        (Deal(good.hands, good.kitty, 4), "opener 4 is no seat"),
        (Deal((good.hands[0][1:], *good.hands[1:]), good.kitty, 0), "seat 0 has 24 cards instead of 25"),
        (Deal(good.hands, good.kitty[1:], 0), "the kitty has 7 cards instead of 8"),
        (Deal(good.hands, (*good.kitty[1:], good.hands[0][0]), 0), "SA occurs 3 times instead of 2"),
    ]
    for bad, message in spoilt:
        with pytest.raises(ValueError, match=message):
            open_table(profile, [bad])
    with pytest.raises(ValueError, match="1 deals instead of 4"):
        open_table(profile, [good], pass_out=PassOut.REDEAL)
    with pytest.raises(ValueError, match="classic has no room multiplier 2"):
        open_table(profile, [good], room=2)


def test_r09_where_the_opener_bids_by_passing_one_deal_is_enough():
    state, _ = open_table(get_profile("mobile"), [deal(get_profile("mobile"))], pass_out=PassOut.REDEAL)
    assert len(state.table.deals) == 1
    assert [state.view(seat).room for seat in range(3)] == [1, 1, 1]
    assert open_view(get_profile("mobile"), 0).room == 1


@pytest.mark.parametrize(
    ("buried", "reason"),
    [("H3 H4", None), ("H3x2", None), ("H4x2", Reason.CARDS_NOT_HELD), ("H3 D3", Reason.CARDS_NOT_HELD)],
)
def test_r14_only_held_cards_are_buried(cards, buried, reason):
    order = order_for(get_profile("classic"), Trump.SPADES)
    choice = BuryChoice(order, *order.masks(cards("H3x2 H4 S5")), 2)
    if reason is None:
        left, _ = choice.verify(cards(buried))
        assert left & order.masks(cards("S5"))[0]
        return
    with pytest.raises(RuleViolation) as refused:
        choice.verify(cards(buried))
    assert refused.value.reason is reason


NEIGHBOURS = {
    "ladder": {"H2x2 H7x2": True, "H7x2 LJx2": True, "LJx2 BJx2": True, "H2x2 LJx2": False},
    "jokers": {"H2x2 H7x2": False, "H7x2 LJx2": False, "LJx2 BJx2": True, "H7x2 BJx2": False},
    "none": {"H2x2 H7x2": False, "H7x2 LJx2": False, "LJx2 BJx2": False},
}


@pytest.mark.parametrize("answer", NEIGHBOURS)
def test_r24_neighbours_in_no_trump(judge, answer):
    profile = get_profile("classic", {"nt_tractors": answer})
    for text, allowed in NEIGHBOURS[answer].items():
        found = judge(text, None, text, trump=Trump.NONE, profile=profile)
        assert found is (None if allowed else Reason.THROW_NOT_ALLOWED), text


def test_short_tractor_follow_switch(judge):
    pairs = get_profile("classic", {"short_tractor_follow": "pairs"})
    hand, lead = "H3x2 H4x2 H6x2 HQx2", "H9x2 HTx2 HJx2"
    assert judge(hand, lead, "H3x2 H6x2 HQx2", profile=pairs) is None
    assert judge(hand, lead, "H3x2 H6x2 HQ H4", profile=pairs) is Reason.PAIR_OWED
    longer = "H3x2 H4x2 H5x2 HQx2"
    assert judge(longer, lead, "H3x2 H4x2 HQx2", profile=pairs) is Reason.TRACTOR_OWED
