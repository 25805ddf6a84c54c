"""`Knowledge` beside the hands as they are, and beside a slow count from the events alone."""

from collections import Counter

import pytest

from erqiwang.bots.random import RandomBot
from erqiwang.chance import TableRandom
from erqiwang.deals import board_seed, deals_of_board, master_key
from erqiwang.deciding import decide
from erqiwang.knowledge import Knowledge
from erqiwang.rules import (
    PROFILES,
    Announced,
    Bury,
    Dealt,
    KittyShown,
    PassOut,
    Phase,
    Played,
    TrumpNamed,
    apply,
    get_profile,
    open_table,
    open_view,
    points_of,
)

SUITS = "SHCDT"


class Naive:
    """One seat's knowledge from the list of all events, worked out anew at every question."""

    def __init__(self, profile, seat, hand):
        self.profile, self.seat, self.hand, self.buried = profile, seat, hand, ()
        self.events = []

    def of(self, kind):
        return [event for event in self.events if isinstance(event, kind)]

    def trump(self):
        return self.of(TrumpNamed)[0].trump

    def suit(self, card):
        return self.trump().effective_suit(card)

    def tricks(self):
        plays, seats = self.of(Played), self.profile.seats
        return [plays[start : start + seats] for start in range(0, len(plays), seats)]

    def unseen(self):
        known = Counter(self.hand) + Counter(self.buried)
        for event in self.of(Played):
            known += Counter(event.cards)
        return Counter(self.profile.deck) - known

    def cards_left(self, seat):
        taken = sum(len(event.cards) for event in self.of(Played) if event.seat == seat)
        return self.profile.hand_size - taken

    def voids(self):
        """Return the (seat, suit) that were shown or announced."""
        told = self.of(Announced)
        found = {(seat, "T") for seat in (told[-1].void_seats if told else ())}
        for trick in self.tricks():
            led = self.suit(trick[0].cards[0])
            for play in trick[1:]:
                if any(self.suit(card) != led for card in play.cards):
                    found.add((play.seat, led))
        return found

    def holders(self):
        """Return by card the other seats that may hold it."""
        (shown,) = self.of(KittyShown)
        unseen, voids, from_kitty = self.unseen(), self.voids(), Counter(shown.kitty)
        left = [self.cards_left(seat) for seat in range(self.profile.seats)]
        for event in self.of(Played):
            if event.seat == shown.declarer:
                from_kitty.subtract(event.cards)
        is_declarer = self.seat == shown.declarer
        return {
            card: tuple(
                seat
                for seat in range(self.profile.seats)
                if unseen[card]
                and seat != self.seat
                and left[seat]
                and (seat, self.suit(card)) not in voids
                and (is_declarer or seat == shown.declarer or unseen[card] > from_kitty[card])
            )
            for card in self.profile.types
        }


def play(profile, seed):
    """Play a board at random; yield the state with every seat's view and slow count before each play."""
    deals = deals_of_board(profile, board_seed(master_key(seed), 0), PassOut.ZERO)
    state, events = open_table(profile, deals)
    views = [open_view(profile, seat) for seat in range(profile.seats)]
    slow = [Naive(profile, seat, state.hand(seat)) for seat in range(profile.seats)]
    bot = RandomBot()
    bot.random = TableRandom(seed.encode().ljust(32)[:32])
    for view in views:
        view.hold(state.hand(view.seat))
    while True:
        for event in events:
            for view, each in zip(views, slow, strict=True):
                view.observe(event)
                each.events.append(event)
        for view, each in zip(views, slow, strict=True):
            each.hand = state.hand(view.seat) if state.turn else ()
        yield state, views, slow
        if state.turn is None:
            return
        seat = state.turn.seat
        action = decide(bot, views[seat])
        state, events = apply(state, seat, action)
        if isinstance(action, Bury):
            views[seat].bury(action.cards)
            slow[seat].buried = action.cards


@pytest.mark.parametrize("slug", sorted(PROFILES))
def test_it_is_what_a_slow_count_finds_and_never_denies_the_truth(slug):
    profile = get_profile(slug)
    compared = 0
    for seed in range(3):  # some deals are passed out
        known = None
        for number, (state, views, slow) in enumerate(play(profile, f"{slug} {seed}")):
            known = known or [Knowledge(view) for view in views]
            if state.phase is Phase.PLAY and not number % 7:
                compared += 1
                seat = compared % profile.seats
                compare(known[seat], slow[seat], profile)
                check_truth(known[seat], views[seat], state)
    assert compared > profile.hand_size / 4


def compare(knowledge, slow, profile):
    unseen, voids, holders = slow.unseen(), slow.voids(), slow.holders()
    assert dict(knowledge.unseen) == unseen
    assert list(knowledge.unseen) == sorted(knowledge.unseen)
    assert knowledge.points_unseen == points_of(unseen.elements())
    assert {card: knowledge.may_hold(card) for card in profile.types} == holders
    for seat in range(profile.seats):
        assert knowledge.cards_left(seat) == slow.cards_left(seat)
        for suit in SUITS if seat != slow.seat else ():
            others = any(seat in seats for card, seats in holders.items() if slow.suit(card) == suit)
            assert knowledge.is_void(seat, suit) == ((seat, suit) in voids or not others)


def check_truth(knowledge, view, state):
    trump, seats = view.trump, view.profile.seats
    hands = [state.hand(seat) for seat in range(seats)]
    buried = state.game.buried
    for seat, hand in enumerate(hands):
        suits = {trump.effective_suit(card) for card in hand}
        assert knowledge.cards_left(seat) == len(hand)
        if seat == view.seat:
            assert {suit for suit in SUITS if not knowledge.is_void(seat, suit)} == suits
            continue
        assert all(seat in knowledge.may_hold(card) for card in hand)
        assert not any(knowledge.is_void(seat, suit) for suit in suits)
        pairs = {trump.effective_suit(card) for card in hand if hand.count(card) > 1}
        assert not any(knowledge.has_no_pair(seat, suit) for suit in pairs)
        trumps = sum(trump.effective_suit(card) == "T" for card in hand)
        assert knowledge.trump_count(seat) in (None, trumps)
    others = [card for seat, hand in enumerate(hands) if seat != view.seat for card in hand]
    hidden = () if view.seat == view.declarer else buried
    assert Counter(knowledge.unseen) == Counter(others) + Counter(hidden)
    assert knowledge.trumps_unseen == sum(trump.effective_suit(card) == "T" for card in (*others, *hidden))
    assert all(knowledge.may_be_buried(card) for card in hidden)
    on_table = [card for cards in view.current_plays for card in cards]
    assert knowledge.points_out == points_of([*(card for hand in hands for card in hand), *buried, *on_table])


def test_before_trump_is_named_it_counts_but_knows_no_suits():
    state, views, _ = next(play(get_profile("classic"), "auction"))
    knowledge = Knowledge(views[0])
    assert knowledge.points_out == 200
    assert knowledge.cards_left(2) == 25
    assert Counter(knowledge.unseen) == Counter(views[0].profile.deck) - Counter(state.hand(0))
    card = next(iter(knowledge.unseen))
    assert knowledge.may_hold(card) == (1, 2, 3)
    assert not knowledge.may_be_buried(card)
    with pytest.raises(ValueError, match="trump is not named"):
        knowledge.is_void(1, "S")


def test_the_declarers_hand_has_the_kitty_until_he_has_buried():
    for state, views, _ in play(get_profile("classic"), "kitty"):
        if state.phase in (Phase.TRUMP, Phase.BURY):
            knowledge = Knowledge(views[1])
            assert [knowledge.cards_left(seat) for seat in range(4)] == [
                25 + 8 * (seat == views[1].declarer) for seat in range(4)
            ]
            shown = views[1].kitty[0]
            if views[1].seat != views[1].declarer and knowledge.unseen.get(shown) == 1:
                assert knowledge.may_hold(shown) == (views[1].declarer,)


def test_when_the_table_is_over_nothing_is_out():
    *_, (_, views, _) = play(get_profile("classic"), "over")
    knowledge = Knowledge(views[2])
    assert dict(knowledge.unseen) == {}
    assert knowledge.cards_left(0) == 0


def test_it_begins_anew_when_cards_are_dealt_again():
    *_, (_, views, _) = play(get_profile("classic"), "again")
    view = views[0]
    knowledge = Knowledge(view)
    assert not knowledge.unseen
    view.observe(Dealt(opener=1, redeal=1))
    view.hold(view.profile.deck[:25])
    assert sum(knowledge.unseen.values()) == 83
    assert knowledge.points_out == 200
