"""Random tables of every profile, in one harness: what must hold at every step and at the end."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from random import Random

import pytest

from erqiwang.rules import (
    PROFILES,
    Bury,
    Dealt,
    Finished,
    PassOut,
    Phase,
    Play,
    Playing,
    Record,
    RuleViolation,
    apply,
    fallback,
    get_profile,
    open_view,
    points_of,
    record_of,
    replay,
    verify_record,
)
from strategies import finished_at_random, steps_at_random

SWITCHES = [
    *((slug, {}) for slug in PROFILES),
    ("classic", {"throw_rule": "max_now", "nt_tractors": "jokers", "bonus_pool": "dealt"}),
    ("jiangxi-3p", {"short_tractor_follow": "pairs", "nt_tractors": "none"}),
    ("qq", {"surrender_004": "85", "kitty_trump_004": "false"}),
]
FIELDS = (
    *("phase", "turn", "hand", "auction", "bidding", "standing_bid", "kind", "may_surrender"),
    *("declarer", "bid", "kitty", "trump", "buried", "tricks", "current_plays", "leader"),
    *("lead", "void_seats", "trump_reports", "defender_points", "cards_seen", "opener", "redeal", "settled"),
)


@pytest.mark.parametrize(("slug", "switches"), SWITCHES)
@pytest.mark.parametrize("seed", range(4))
def test_a_table_step_by_step(slug, switches, seed):
    profile = get_profile(slug, switches)
    pass_out = PassOut.REDEAL if seed % 2 else PassOut.ZERO
    views = [open_view(profile, seat) for seat in range(profile.seats)]
    for number, step in enumerate(steps_at_random(profile, Random(seed), pass_out)):
        if number == 0:
            for seat, view in enumerate(views):
                view.observe(Dealt(step.before.opener, 0))
                view.hold(step.before.hand(seat))
        check_decision(step, views[step.seat])
        if isinstance(step.action, Bury):
            views[step.seat].bury(step.action.cards)
        for event in step.events:
            for seat, view in enumerate(views):
                view.observe(event)
                if isinstance(event, Dealt):
                    view.hold(step.after.hand(seat))
        if number % 7 == 0 or isinstance(step.after, Finished):
            check_views(step.after, views)
        if isinstance(step.after, Playing):
            check_cards(step.after)
    check_end(step.after)


def check_decision(step, view):
    """Check fallback, legal plays, and that refusals have legal alternatives."""
    state, seat = step.before, step.seat
    assert (view.kind, view.may_surrender) == (state.turn.kind, state.turn.may_surrender)
    default = fallback(state)
    assert default == view.fallback()
    apply(state, seat, default)
    if state.phase is not Phase.PLAY:
        assert view.count_legal_plays() == 0
        return
    count = view.count_legal_plays()
    assert count >= 1
    some = list(islice(view.legal_plays(), 60))
    assert len({tuple(sorted(cards)) for cards in some}) == len(some) == min(count, 60)
    assert all(view.is_legal(cards) for cards in some)
    assert not isinstance(step.action, Play) or view.is_legal(step.action.cards)
    wrong = view.hand[: len(some[0])]
    violation = view.violation(wrong)
    if violation is not None:
        with pytest.raises(RuleViolation) as refusal:
            apply(state, seat, Play(wrong))
        assert str(refusal.value) == str(violation)
        assert not Counter(violation.owed) - Counter(view.hand)
        assert tuple(sorted(wrong)) not in {tuple(sorted(cards)) for cards in some}


def check_views(state, views):
    """Compare folded views with built ones; none may hold a card of another hand."""
    for view in views:
        built = state.view(view.seat)
        assert {name: getattr(built, name) for name in FIELDS} == {
            name: getattr(view, name) for name in FIELDS
        }
        assert state.phase is Phase.FINISHED or view.hand == state.hand(view.seat)


def check_cards(state):
    """Check that cards and points are conserved."""
    played = [card for trick in state.tricks for cards in trick.plays for card in cards]
    played += [card for cards in state.plays for card in cards]
    held = [card for seat in range(state.game.seats) for card in state.hand(seat)]
    assert Counter(played) + Counter(held) + Counter(state.game.buried) == Counter(state.profile.deck)
    won = sum(trick.points for trick in state.tricks if trick.winner != state.game.declarer)
    assert state.defender_points == won
    assert state.points == sum(map(points_of, state.plays))


def check_end(state):
    """Check the score and the record of a finished table."""
    settled = state.settled
    assert sum(settled.play_scores) == sum(settled.bonus_scores) == sum(settled.scores) == 0
    record = record_of(state, id="t/0/0/0/0/0")
    assert Record.from_json(record.to_json()) == record == replay(record, state.profile)
    assert verify_record(record, state.profile) is None
    if record.tricks:
        total = sum(trick.points for trick in record.tricks) + points_of(record.buried)
        assert total == points_of(state.profile.deck)


@pytest.mark.parametrize("slug", PROFILES)
def test_many_tables(slug):
    play_many(slug, range(1000, 1025))


@pytest.mark.nightly
@pytest.mark.parametrize("slug", PROFILES)
def test_ten_thousand_tables(slug):
    play_many(slug, range(10_000, 20_000))


def play_many(slug, seeds):
    profile = get_profile(slug)
    for seed in seeds:
        check_end(finished_at_random(profile, Random(seed), PassOut.REDEAL if seed % 2 else PassOut.ZERO))
