"""What the check of a record says, word for word, at a table of `classic` and one that was passed out."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from erqiwang.rules import (
    Announcement,
    Bid,
    BidMade,
    DecidedBy,
    DecisionTime,
    Fault,
    FaultCause,
    FaultPoint,
    PassOut,
    Phase,
    Record,
    Surrender,
    Trump,
    TrumpReport,
    apply,
    fallback,
    format_cards,
    get_profile,
    open_table,
    record_of,
    verify_record,
)
from strategies import deal_at_random


def played_with(*bids: int | None, surrender: bool = False) -> Record:
    """Return a table that seat 1 opens, played by the fallback after these calls."""
    profile = get_profile("classic")
    deal = replace(deal_at_random(profile, Random(3)), opener=1)
    state, _ = open_table(profile, [deal] * 4, pass_out=PassOut.REDEAL)
    for bid in bids:
        state, _ = apply(state, state.turn.seat, Bid(bid))
    while state.turn is not None:
        give_up = surrender and state.turn.may_surrender
        state, _ = apply(state, state.turn.seat, Surrender() if give_up else fallback(state))
    return record_of(state)


@pytest.fixture(scope="module")
def record() -> Record:
    return played_with(100, None, None, None)


@pytest.fixture(scope="module")
def surrendered() -> Record:
    return played_with(100, None, None, None, surrender=True)


@pytest.fixture(scope="module")
def passed_out() -> Record:
    return played_with()


def said(record: Record, **changes: object) -> str:
    return str(verify_record(replace(record, **changes)))


def test_the_tables_are_right(record, surrendered, passed_out):
    assert {verify_record(each) for each in (record, surrendered, passed_out)} == {None}
    assert (record.declarer, surrendered.surrender, len(passed_out.redeals)) == (1, True, 3)


def test_a_record_that_ends_too_early(record):
    late = {"tricks": (), "announcements": ()}
    assert said(record, tricks=record.tricks[:5]).startswith("tricks: the record ends although seat ")
    assert said(record, tricks=record.tricks[:5]).endswith(" is to play in trick 6")
    assert said(record, **late) == "tricks: the record ends although seat 1 is to play in trick 1"
    assert said(record, **late, buried=None) == "buried: the record ends although seat 1 is to bury"
    early = {**late, "buried": None, "trump": None}
    assert said(record, **early) == "trump: the record ends although seat 1 is to name trump"
    call = {**early, "auction": record.auction[:2], "declarer": None, "bid": None}
    assert said(record, **call) == "auction: the record ends although seat 3 is to call"


def test_actions_that_the_rules_refuse(record, surrendered):
    pass_, call = BidMade(3, None), BidMade(2, 100)
    calls = record.auction
    assert said(record, auction=(calls[0], call, *calls[2:])) == (
        "auction[1]: seat 2 bids 100: bid_too_high, 100 is not at least 5 below the standing bid 100 (R-06)"
    )
    assert said(record, auction=(calls[0], pass_, *calls[2:])) == (
        "auction[1]: seat 3 passes: out_of_turn, seat 2 is to call (R-07)"
    )
    buried = record.buried[:7]
    assert said(record, buried=buried) == (
        f"buried: seat 1 buries {format_cards(buried)}: wrong_count, 8 cards are buried, not 7 (R-14)"
    )
    assert said(surrendered, auction=(BidMade(1, 80), *calls[1:]), bid=80) == (
        "surrender: seat 1 surrenders: surrender_not_allowed, "
        "classic does not allow surrender at a bid of 80 (R-34)"
    )
    first = record.tricks[0]
    two = first._replace(plays=(first.plays[0] * 2, *first.plays[1:]))
    text = said(record, tricks=(two, *record.tricks[1:]))
    assert text.startswith(f"tricks[0].plays[0]: seat 1 plays {format_cards(first.plays[0] * 2)}: ")


def test_a_contract_that_the_auction_did_not_make(record):
    assert said(record, declarer=2) == "declarer: recorded 2, but seat 1 bid lowest (R-08)"
    assert said(record, bid=95) == "bid: recorded 95, but the lowest bid is 100 (R-08)"


def test_a_table_that_everybody_passed_has_nothing_else(passed_out):
    words = "declarer: a passed-out table has no declarer, bid or trump (R-09)"
    assert said(passed_out, declarer=0) == words
    assert said(passed_out, bid=100) == words
    assert said(passed_out, trump=Trump.SPADES) == words


def test_redeals(passed_out, record):
    assert said(passed_out, pass_out=PassOut.ZERO) == ("redeals: 3 redeals where at most 0 are made (R-09)")
    assert said(passed_out, redeals=(*passed_out.redeals, passed_out.redeals[0])) == (
        "redeals: 4 redeals where at most 3 are made (R-09)"
    )
    first, second, third = passed_out.redeals
    short = replace(second, kitty=second.kitty[1:])
    assert said(passed_out, redeals=(first, short, third)) == (
        "redeals[1]: the kitty has 7 cards instead of 8 (R-01)"
    )
    assert said(passed_out, kitty=passed_out.kitty[1:]) == "hands: the kitty has 7 cards instead of 8 (R-01)"
    moved = replace(second, opener=0)
    assert said(passed_out, redeals=(first, moved, third)) == (
        "redeals[1].opener: recorded 0, but seat 2 opens (R-09)"
    )
    assert said(passed_out, opener=2) == "opener: recorded 2, but seat 0 opens (R-09)"
    last = {"opener": third.opener, "hands": third.hands, "kitty": third.kitty, "auction": third.auction}
    assert said(passed_out, redeals=(first, second), **last) == (
        "auction: the record ends although seat 0 is to call"
    )
    words = "redeals[0].auction: dealt again without being passed out (R-09)"
    won = replace(first, auction=record.auction)
    assert said(passed_out, redeals=(won, second, third)) == words
    unfinished = replace(first, auction=first.auction[:3])
    assert said(passed_out, redeals=(unfinished, second, third)) == (
        "redeals[0].auction: dealt again without being passed out (R-09)"
    )


def test_r09_an_auction_does_not_go_on_after_everybody_passed(passed_out):
    """The calls of several deals written as one auction: cards that were never dealt would be played."""
    calls = tuple(BidMade((1 + deal + call) % 4, None) for deal in range(4) for call in range(4))
    merged = replace(passed_out, redeals=(), opener=1, hands=passed_out.redeals[0].hands)
    merged = replace(merged, kitty=passed_out.redeals[0].kitty)
    assert said(merged, auction=calls[:8]) == "auction: the record ends although seat 3 is to call"
    assert said(merged, auction=calls[:12]) == "auction: the record ends although seat 0 is to call"
    words = "auction: calls go on after everybody passed, without a redeal (R-09)"
    assert said(merged, auction=calls) == words
    second = played_with(None, None, None, None, 100, None, None, None)
    assert verify_record(second) is None
    joined = replace(second, redeals=(), opener=1, auction=second.redeals[0].auction + second.auction)
    assert said(joined) == words


def test_r10_r13_a_forced_bid_and_a_trump_of_mobile():
    profile = get_profile("mobile")
    state, _ = open_table(profile, [deal_at_random(profile, Random(3))])
    while state.turn is not None:
        state, _ = apply(state, state.turn.seat, fallback(state))
    record = record_of(state)
    opener = state.opener
    assert record.auction[0] == BidMade(opener, 100)
    assert said(record, auction=(BidMade(opener, None), *record.auction[1:])) == (
        "auction[0]: a pass that counts as a bid is written as the bid (R-10)"
    )
    seat = record.declarer
    assert said(record, trump=Trump.NONE) == (
        f"trump: seat {seat} names N: no_trump_not_allowed, mobile has no no-trump (R-13)"
    )


def test_results(record, surrendered):
    right = " ".join(map(str, record.scores))
    assert said(record, scores=(9, 9, 9, 9)) == (
        f"scores: recorded 9 9 9 9, but it is {right}; the recorded ones do not sum to zero (R-42)"
    )
    turned = (3000, -1000, -1000, -1000)
    assert said(record, scores=turned) == (
        f"scores: recorded 3000 -1000 -1000 -1000, but it is {right} (R-42)"
    )
    opener = record.next_opener
    assert said(record, next_opener=(opener + 1) % 4) == (
        f"next_opener: recorded {(opener + 1) % 4}, but it is {opener} (R-05)"
    )
    points = record.defender_points
    assert said(record, defender_points=points + 5) == (
        f"defender_points: recorded {points + 5}, but it is {points} (R-40)"
    )
    assert said(record, play_scores=()).startswith("play_scores: recorded none, but it is ")
    assert said(surrendered, tricks=record.tricks[:1]) == "tricks[0]: the table is over"


def test_tricks(record):
    first, *others = record.tricks
    other = (first.winner + 1) % 4
    assert said(record, tricks=(first._replace(winner=other), *others)) == (
        f"tricks[0].winner: recorded {other}, but seat {first.winner} won with the highest cards (R-69)"
    )
    assert said(record, tricks=(first._replace(leader=2), *others)) == (
        "tricks[0].leader: recorded 2, but seat 1 leads (R-12)"
    )
    assert said(record, tricks=(first._replace(plays=first.plays[:3]), *others)) == (
        "tricks[0].plays: 3 plays of 4 seats"
    )


def test_an_empty_trick_before_cards_are_buried(record):
    """Nothing was played, so no seat can have won; the check must answer, not fail."""
    empty = record.tricks[0]._replace(plays=())
    for changes in ({"buried": None}, {"buried": None, "trump": None}):
        wrong = verify_record(replace(record, **changes, tricks=(empty,), announcements=()))
        assert (wrong.path, wrong.ruling) == ("tricks[0].winner", "R-69")


def test_seats_that_do_not_exist(record):
    point = FaultPoint(Phase.PLAY, 0, 0)
    faults = (Fault(3, FaultCause.LEFT, None, point), Fault(4, FaultCause.LEFT, None, point))
    assert said(record, faults=faults) == "faults[1].seat: 4 is no seat"
    times = (DecisionTime(0, 1.0, DecidedBy.BOT), DecisionTime(4, 1.0, DecidedBy.BOT))
    assert said(record, decisions=times) == "decisions[1].seat: 4 is no seat"


def test_announcements_in_words(record):
    false = (Announcement(0, 1, (2, 3), (TrumpReport(0, 5, True), TrumpReport(1, 1, False))),)
    assert said(record, announcements=false) == (
        "announcements[0]: void 2 3, 0 with 5 and a pair, 1 with 1 after play 1 of trick 1 is announced, "
        "though nothing changed then (R-32)"
    )
