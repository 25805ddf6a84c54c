"""Properties of the rules of play, on hands of any kind."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from erqiwang.rules import Reason, RuleViolation, Trump, get_profile
from erqiwang.rules.follow import duty_of
from erqiwang.rules.order import order_for
from erqiwang.rules.position import Position
from erqiwang.rules.shape import ShapeKind, best_runs, shape_of
from erqiwang.rules.throwing import units_of
from strategies import hands, profiles, trumps_of

FEW = settings(max_examples=50, deadline=None)


@st.composite
def positions(draw, follow=True):
    profile = draw(profiles)
    order = order_for(profile, draw(trumps_of(profile)))
    once, twice = order.masks(draw(hands(profile)))
    lead = None
    if follow:
        other = Position(order, *order.masks(draw(hands(profile))), None, False, True)
        size = once.bit_count() + twice.bit_count()
        leads = [cards for cards in other.legal_plays() if len(cards) <= size]
        lead = shape_of(order, *order.masks(draw(st.sampled_from(leads))))
    return Position(order, once, twice, lead, draw(st.booleans()) and not follow, draw(st.booleans()))


def all_plays(position):
    """Return every choice of cards of the right number, legal or not."""
    cards = position.order.cards_of(position.once, position.twice)
    sizes = [position.lead.size] if position.lead else range(1, len(cards) + 1)
    return {chosen for size in sizes for chosen in combinations(cards, size)}


@FEW
@given(positions())
def test_follows_are_exactly_what_verifies(position):
    listed = list(position.legal_plays())
    assert len(listed) == len(set(listed)) == position.count_legal_plays() > 0
    assert set(listed) == {cards for cards in all_plays(position) if position.violation(cards) is None}


@FEW
@given(positions(follow=False))
def test_leads_are_exactly_what_verifies(position):
    listed = list(position.legal_plays())
    assert len(listed) == len(set(listed)) == position.count_legal_plays() > 0
    assert set(listed) == {cards for cards in all_plays(position) if position.violation(cards) is None}


@FEW
@given(positions())
def test_a_refusal_owes_cards_that_can_be_played(position):
    for cards in all_plays(position):
        violation = position.violation(cards)
        if violation is not None:
            assert violation.reason in (Reason.SUIT_NOT_EXHAUSTED, Reason.PAIR_OWED, Reason.TRACTOR_OWED)
            assert violation.ruling
            assert violation.owed
            legal = [Counter(play) for play in position.legal_plays()]
            assert any(not Counter(violation.owed) - play for play in legal)


@FEW
@given(positions(), st.lists(st.integers(0, 2**30), min_size=40, max_size=40))
def test_random_and_fallback_plays_are_legal(position, numbers):
    draw = iter(numbers)
    assert position.violation(position.random(lambda n: next(draw, 0) % n).cards) is None
    assert position.violation(position.fallback().cards) is None


@FEW
@given(positions())
def test_the_duty_shows_as_many_pairs_as_can_be(position):
    if not position.lead.pairs:
        return
    duty = duty_of(position.order, position.once, position.twice, position.lead, position.tractor_owed)
    mask = position.lead.suit.mask
    held, size = position.once & mask, position.lead.size
    if held.bit_count() + (position.twice & mask).bit_count() > size:
        wanted = min(position.lead.pairs, (position.twice & mask).bit_count())
        assert all(twice.bit_count() == wanted for _, twice in duty.options)


@FEW
@given(profiles.flatmap(lambda profile: st.tuples(st.just(profile), trumps_of(profile), hands(profile))))
def test_units_of_a_throw_join_to_the_throw(given_hand):
    profile, trump, hand = given_hand
    order = order_for(profile, trump)
    once, twice = order.masks(hand)
    for suit in order.suits:
        units = list(units_of(suit, once & suit.mask, twice & suit.mask))
        cards = [card for types, pairs in units for card in order.cards_of(types, pairs)]
        assert sorted(cards) == sorted(order.cards_of(once & suit.mask, twice & suit.mask))
        assert all(shape_of(order, *unit).kind is not ShapeKind.THROW for unit in units)
        runs = best_runs(suit, twice & suit.mask, (twice & suit.mask).bit_count())
        assert max((pairs.bit_count() for _, pairs in units), default=0) == (runs[0] if runs else 0)


SIDES = {"H": "C", "C": "D", "D": "H"}


@FEW
@given(hands(get_profile("classic")), st.data())
def test_renaming_side_suits_changes_no_verdict(hand, data):
    order = order_for(get_profile("classic"), Trump.SPADES)
    other = Position(order, *order.masks(hand), None, False, True)
    mine = data.draw(hands(get_profile("classic")))
    lead = data.draw(st.sampled_from([cards for cards in other.legal_plays() if len(cards) <= len(mine)]))

    def renamed(cards):
        names = [SIDES.get(card.name[0], card.name[0]) + card.name[1] for card in cards]
        return tuple(type(card)[name] for card, name in zip(cards, names, strict=True))

    def follower(cards, led):
        return Position(order, *order.masks(cards), shape_of(order, *order.masks(led)), False, True)

    before, after = follower(mine, lead), follower(renamed(mine), renamed(lead))
    assert before.count_legal_plays() == after.count_legal_plays()
    for chosen in all_plays(before):
        one, two = before.violation(chosen), after.violation(renamed(chosen))
        assert (one and one.reason) == (two and two.reason)


def test_violations_are_the_only_errors():
    assert issubclass(RuleViolation, Exception)
    assert not issubclass(RuleViolation, ValueError)
