"""What a seat may ask of its view, and when."""

from __future__ import annotations

from random import Random

import pytest

from erqiwang.rules import (
    Bid,
    Buried,
    Bury,
    Card,
    Dealt,
    NameTrump,
    Phase,
    Reason,
    Surrender,
    Trump,
    TurnKind,
    apply,
    card_points,
    fallback,
    get_profile,
    open_table,
    open_view,
    random_legal_action,
)
from erqiwang.rules.order import order_for
from strategies import deal_at_random


@pytest.fixture
def table():
    """Open a table of `classic` whose seat 1 opens."""
    profile = get_profile("classic")
    deal = deal_at_random(profile, Random(3))
    state, events = open_table(profile, [deal.__class__(deal.hands, deal.kitty, 1)])
    return state, list(events)


def passed_by_all_but_the_opener(state, events, bid=100):
    for call in (bid, None, None, None):
        state, more = apply(state, state.turn.seat, Bid(call))
        events += more
    return state, events


def test_the_auction_from_a_seat(table):
    state, _ = table
    mine, other = state.view(1), state.view(0)
    assert (mine.kind, other.kind, mine.turn) == (TurnKind.BID, None, 1)
    assert mine.legal_bids()[:2] == (120, 115)
    assert mine.legal_bids()[-1] is None
    assert other.legal_bids() == ()
    assert mine.legal_trumps() == ()
    assert mine.fallback() == Bid(None)
    assert not mine.is_legal(mine.hand[:1])
    assert mine.violation(mine.hand[:1]).reason is Reason.WRONG_PHASE
    assert other.violation(other.hand[:1]).reason is Reason.OUT_OF_TURN
    assert list(mine.legal_plays()) == []
    with pytest.raises(ValueError, match="trump is not named yet"):
        _ = mine.order
    with pytest.raises(ValueError, match="no play is wanted"):
        mine.random_legal_play(lambda n: 0)
    with pytest.raises(ValueError, match="no decision is wanted"):
        other.fallback()


def test_the_declarers_view(table):
    state, _ = passed_by_all_but_the_opener(*table)
    view = state.view(1)
    assert view.legal_trumps() == tuple(Trump)
    assert view.kitty == state.contract.deal.kitty
    assert len(view.hand) == 33
    assert not view.may_surrender
    state, more = apply(state, 1, NameTrump(Trump.HEARTS))
    view.observe(more[0])
    assert view.may_surrender
    assert view.is_legal(view.hand[:8])
    assert view.violation(view.hand[:7]).reason is Reason.WRONG_COUNT
    buried, left = view.hand[:8], view.hand[8:]
    state, more = apply(state, 1, Bury(buried))
    for event in more:
        view.observe(event)
    assert view.buried is None
    view.hold(left)
    assert sorted(view.buried) == sorted(buried)
    assert view.kind is TurnKind.PLAY
    assert view.may_surrender
    assert view.random_legal_play(lambda n: 0) in list(view.legal_plays())
    assert view.cards_seen == ()
    assert view.standing_bid == 100


def test_a_view_before_anything_happened():
    view = open_view(get_profile("qq"), 2, room=4)
    assert (view.seat, view.room, view.hand, view.phase) == (2, 4, (), Phase.AUCTION)
    view.observe(Dealt(2, 0))
    assert view.kind is TurnKind.BID
    view.hold((Card.SA,))
    view.bury((Card.SA, Card.SK))
    assert view.hand == ()


def test_buried_means_nothing_to_the_others(table):
    state, _ = passed_by_all_but_the_opener(*table)
    state, _ = apply(state, 1, NameTrump(Trump.CLUBS))
    view = state.view(0)
    view.observe(Buried())
    view.hold(view.hand)
    assert view.buried is None


def test_no_decision_where_none_is_wanted(table):
    state, _ = table
    for _ in range(4):
        state, _ = apply(state, state.turn.seat, Bid(None))
    with pytest.raises(ValueError, match="no decision is wanted"):
        fallback(state)
    with pytest.raises(ValueError, match="no decision is wanted"):
        random_legal_action(state, lambda n: 0)
    with pytest.raises(ValueError, match="no decision is wanted"):
        random_legal_action(state.view(0), lambda n: 0)
    assert state.at.phase is Phase.FINISHED


@pytest.mark.parametrize("drawn", [0, 1])
def test_some_random_declarers_surrender(table, drawn):
    state, _ = passed_by_all_but_the_opener(*table)
    state, _ = apply(state, 1, NameTrump(Trump.CLUBS))
    while state.phase is not Phase.FINISHED and state.may_surrender:
        action = random_legal_action(state, lambda n: drawn)
        assert action == random_legal_action(state.view(1), lambda n: drawn)
        assert isinstance(action, Surrender) == (drawn == 0)
        state, _ = apply(state, 1, action)


def test_where_a_table_is(table):
    state, events = table
    assert (state.at.phase, state.at.play, state.may_surrender) == (Phase.AUCTION, 0, False)
    state, _ = passed_by_all_but_the_opener(state, events)
    assert (state.at.phase, state.may_surrender) == (Phase.TRUMP, False)
    state, _ = apply(state, 1, NameTrump(Trump.CLUBS))
    assert state.at.phase is Phase.BURY
    assert state.trump is Trump.CLUBS
    state, _ = apply(state, 1, fallback(state))
    assert (state.at.phase, state.at.trick, state.at.play, state.leader) == (Phase.PLAY, 0, 0, 1)
    state, _ = apply(state, 1, fallback(state))
    assert (state.at.play, state.leader, state.void_seats) == (1, 1, ())


FALLBACKS = [
    (None, "H5 H6 C9 S3", "H6"),
    (None, "H5 HK DT S3 S5", "H5"),
    (None, "S5 S3 SK", "S3"),
    (None, "S5 SK BJ", "BJ"),
    (None, "D4 C4 H4 HT", "H4"),
    ("H9", "HT H8 HA", "H8"),
    ("H9", "H5 H6", "H5"),
    ("H9", "S3 D5 C6", "C6"),
    ("H9x2", "HTx2 H8x2 H3", "H8x2"),
    ("H9x2", "H8 H5 H3", "H3 H5"),
    ("H9x2", "H8 S3 D5 C6", "H8 C6"),
    ("H3x2 H4x2", "H5x2 H6x2 H8x2 HA", "H5x2 H6x2"),
    ("H3x2 H4x2", "C5x2 C6 D8x2 HA", "HA C6 D8x2"),
    ("H3x2 H4x2", "H5x2 H9x2 HTx2 HA", "H9x2 HTx2"),
    ("H3x2 H4x2", "H5x2 H9 HT HA D3", "H5x2 H9 HT"),
    ("SKx2 SAx2", "H7x2 D7x2 S7x2 S5", "H7x2 S7x2"),
    ("BJ S9", "S8 S5x2 SA", "S5x2"),
    ("BJ S9", "S8 S5 SA", "S5 S8"),
]


@pytest.mark.parametrize(("lead", "hand", "play"), FALLBACKS)
def test_fallback_plays_the_lowest(position, cards, lead, hand, play):
    assert sorted(position(hand, lead).fallback().cards) == sorted(cards(play))


def test_fallback_names_the_longest_suit_and_buries_the_least():
    profile = get_profile("classic")
    deal = deal_at_random(profile, Random(8))
    state, _ = open_table(profile, [deal])
    declarer = deal.opener
    for call in (100, None, None, None):
        state, _ = apply(state, state.turn.seat, Bid(call))
    hand = state.hand(declarer)
    named = fallback(state).trump
    trumps = {trump: sum(trump.effective_suit(card) == "T" for card in hand) for trump in Trump}
    assert trumps[named] == max(trumps.values())
    state, _ = apply(state, declarer, fallback(state))
    order = order_for(profile, named)
    buried = fallback(state).cards

    def worth(card):
        return (named.effective_suit(card) == "T", card_points(card) > 0, named.level(card), card)

    assert sorted(buried) == sorted(sorted(hand, key=worth)[:8])
    assert order.cards_of(*order.masks(buried))
