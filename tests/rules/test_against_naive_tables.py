"""Every decision at tables of the rule book: what is legal, and the fallback, against the naive rules."""

from random import Random

import pytest

from erqiwang.rules import (
    Action,
    Bid,
    Bury,
    Card,
    Deal,
    NameTrump,
    PassOut,
    Play,
    SeatView,
    State,
    Surrender,
    TurnKind,
    apply,
    fallback,
    get_profile,
    open_table,
    parse_cards,
    random_legal_action,
)
from naive import fallback as naive_fallback
from naive.auction import Auction
from naive.cards import GAMES, PROFILES, trumps_of
from naive.follow import legal_follows, legal_leads
from naive.player import random_deal


def texts(cards: tuple[Card, ...]) -> list[str]:
    return sorted(str(card) for card in cards)


def deal_of(profile: str, rng: Random) -> Deal:
    deal = random_deal(profile, rng, rng.choice([0.0, 0.5, 0.9]))
    hands = tuple(parse_cards(" ".join(hand)) for hand in deal.hands)
    return Deal(hands, parse_cards(" ".join(deal.kitty)), deal.opener)


def check_choice(profile: str, state: State, view: SeatView, action: Action) -> None:
    """The legal decisions of the seat in turn, and the fallback `action`."""
    hand = texts(view.hand)
    if view.kind is TurnKind.BID:
        auction = Auction(profile, view.opener)
        for call in view.auction:
            auction.call(call.bid)
        assert view.legal_bids() == (*reversed(auction.bids()), None)
        assert action == Bid(None)
        return
    if view.kind is TurnKind.NAME_TRUMP:
        assert [trump.letter for trump in view.legal_trumps()] == trumps_of(profile)
        assert isinstance(action, NameTrump)
        assert action.trump.letter == naive_fallback.named(hand)
        return
    assert view.trump is not None
    trump = view.trump.letter
    if view.kind is TurnKind.BURY:
        assert isinstance(action, Bury)
        assert texts(action.cards) == sorted(naive_fallback.buried(hand, trump, profile))
        return
    assert isinstance(action, Play)
    if not view.current_plays:
        assert texts(action.cards) == naive_fallback.led(hand, trump)
        if len(hand) <= 7:
            others = [texts(state.hand(seat)) for seat in range(GAMES[profile].seats) if seat != view.seat]
            assert sorted(map(texts, view.legal_plays())) == sorted(legal_leads(hand, trump, others))
        return
    lead = texts(view.current_plays[0])
    if len(lead) <= 2 or len(hand) <= 9:
        legal = legal_follows(hand, lead, trump)
        assert view.count_legal_plays() == len(legal)
        assert sorted(map(texts, view.legal_plays())) == sorted(legal)
        assert texts(action.cards) == sorted(naive_fallback.followed(hand, lead, trump)), (lead, hand)


def check_table(profile: str, rng: Random) -> None:
    deals = [deal_of(profile, rng) for _ in range(4)]
    state, _ = open_table(get_profile(profile), deals, pass_out=rng.choice(list(PassOut)))
    while state.turn is not None:
        seat = state.turn.seat
        view, action = state.view(seat), fallback(state)
        assert action == fallback(view)
        check_choice(profile, state, view, action)
        if rng.random() < 0.8:
            action = random_legal_action(state, rng.randrange)
        if isinstance(action, Surrender):
            assert view.may_surrender
        state, _ = apply(state, seat, action)


@pytest.mark.parametrize("profile", PROFILES)
def test_decisions(profile: str) -> None:
    rng = Random(f"decisions {profile}")
    for _ in range(4):
        check_table(profile, rng)


@pytest.mark.nightly
@pytest.mark.parametrize("profile", PROFILES)
def test_decisions_at_large(profile: str) -> None:
    rng = Random(f"more decisions {profile}")
    for _ in range(100):
        check_table(profile, rng)
