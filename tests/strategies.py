"""Hypothesis strategies and random tables, for every test that needs cards."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import NamedTuple

from hypothesis import strategies as st

from erqiwang.rules import (
    PROFILES,
    Action,
    Card,
    Deal,
    Event,
    Finished,
    PassOut,
    Profile,
    State,
    Trump,
    apply,
    get_profile,
    open_table,
    random_legal_action,
)

Below = Callable[[int], int]


def below_of(random: Random) -> Below:
    """Return numbers from 0 to n - 1 out of a generator, the same in every version of Python."""
    return lambda n: int(random.random() * n)


def deal_at_random(profile: Profile, random: Random) -> Deal:
    """Return a shuffled deal; no board of any tournament."""
    deck, below = list(profile.deck), below_of(random)
    for last in range(len(deck) - 1, 0, -1):
        other = below(last + 1)
        deck[last], deck[other] = deck[other], deck[last]
    size, seats = profile.hand_size, profile.seats
    hands = tuple(tuple(deck[size * seat : size * seat + size]) for seat in range(seats))
    return Deal(hands, tuple(deck[size * seats :]), below(seats))


class Step(NamedTuple):
    """One action of a table, between two states."""

    before: State
    seat: int
    action: Action
    after: State
    events: tuple[Event, ...]


def steps_at_random(
    profile: Profile, random: Random, pass_out: PassOut = PassOut.ZERO, room: int = 1
) -> Iterator[Step]:
    """Play one table at random, and yield what happens."""
    deals = tuple(deal_at_random(profile, random) for _ in range(4))
    below = below_of(random)
    state: State
    state, _ = open_table(profile, deals, pass_out=pass_out, room=room)
    while (turn := state.turn) is not None:
        action = random_legal_action(state, below)
        after, events = apply(state, turn.seat, action)
        yield Step(state, turn.seat, action, after, events)
        state = after


def finished_at_random(
    profile: Profile, random: Random, pass_out: PassOut = PassOut.ZERO, room: int = 1
) -> Finished:
    """Return a table played at random to its end."""
    *_, last = steps_at_random(profile, random, pass_out, room)
    assert isinstance(last.after, Finished)
    return last.after


profiles = st.sampled_from([get_profile(slug) for slug in PROFILES])
randoms = st.integers(min_value=0, max_value=2**32 - 1).map(Random)


def trumps_of(profile: Profile) -> st.SearchStrategy[Trump]:
    """Return the trumps that a profile allows."""
    return st.sampled_from(profile.trumps)


@st.composite
def hands(draw: st.DrawFn, profile: Profile, size: int | None = None) -> tuple[Card, ...]:
    """Return a hand from a profile's deck; small ones are drawn from few types, so that pairs abound."""
    count = size if size is not None else draw(st.integers(1, 10))
    types = draw(st.permutations(profile.types))[: max(count, 4)]
    deck = [card for card in types for _ in range(profile.copies)]
    return tuple(draw(st.permutations(deck))[:count])
