"""Winners of ugly first tricks, and what is announced after each play, against the naive rules."""

from random import Random

import pytest

from erqiwang.rules import (
    Announced,
    Bid,
    Bury,
    Card,
    Deal,
    Event,
    NameTrump,
    Play,
    State,
    TrickWon,
    Trump,
    apply,
    get_profile,
    open_table,
    parse_cards,
)
from naive.cards import GAMES, points, trumps_of, without
from naive.crafted import FirstTrick, first_trick
from naive.order import shape
from naive.table import Deal as NaiveDeal
from naive.trick import report, winner

CONTRACTS = [(profile, trump) for profile in GAMES for trump in trumps_of(profile)]


def cards_of(texts: list[str]) -> tuple[Card, ...]:
    return parse_cards(" ".join(texts))


def deal_of(deal: NaiveDeal) -> Deal:
    return Deal(tuple(cards_of(hand) for hand in deal.hands), cards_of(deal.kitty), deal.opener)


def start(profile: str, trump: str, made: FirstTrick) -> tuple[State, list[tuple[Event, ...]]]:
    """The table after the trick, and the events of every step from burying on."""
    state, _ = open_table(get_profile(profile), [deal_of(made.deal)])
    state, _ = apply(state, 0, Bid(GAMES[profile].lowest))
    state, _ = apply(state, 0, NameTrump(Trump.parse(trump)))
    steps = []
    state, events = apply(state, 0, Bury(cards_of(made.buried)))
    steps.append(events)
    for seat, play in enumerate(made.plays):
        state, events = apply(state, seat, Play(cards_of(play)))
        steps.append(events)
    return state, steps


def check(profile: str, trump: str, made: FirstTrick) -> None:
    where = f"{profile} {trump}: {' / '.join(' '.join(play) for play in made.plays)}"
    state, steps = start(profile, trump, made)
    won = [event for event in steps[-1] if isinstance(event, TrickWon)]
    expected = winner(made.plays, trump)
    together = [card for play in made.plays for card in play]
    assert won == [TrickWon(expected, points(together))], where
    turn = state.turn
    assert turn is not None
    assert turn.seat == expected, where
    hands = [list(hand) for hand in made.deal.hands]
    hands[0] = without(hands[0] + made.deal.kitty, made.buried)
    told = {"void": [], "trumps": []}
    for number, events in enumerate(steps):
        if number:
            hands[number - 1] = without(hands[number - 1], made.plays[number - 1])
        now = report(hands, trump)
        announced = [event for event in events if isinstance(event, Announced)]
        assert len(announced) == (now != told), f"{where}: step {number}"
        if announced:
            trumps = [{"seat": r.seat, "count": r.count, "pair": r.pair} for r in announced[0].trumps]
            assert {"void": list(announced[0].void_seats), "trumps": trumps} == now, where
        told = now


def run(profile: str, trump: str, rng: Random, number: int) -> None:
    shapes = set()
    for _ in range(number):
        made = first_trick(profile, trump, rng)
        if made is not None:
            check(profile, trump, made)
            shapes.add(shape(made.plays[0], trump))
    assert shapes


@pytest.mark.parametrize(("profile", "trump"), CONTRACTS)
def test_first_tricks(profile: str, trump: str) -> None:
    run(profile, trump, Random(f"tricks {profile} {trump}"), 25)


@pytest.mark.nightly
@pytest.mark.parametrize(("profile", "trump"), CONTRACTS)
def test_first_tricks_at_large(profile: str, trump: str) -> None:
    run(profile, trump, Random(f"many tricks {profile} {trump}"), 600)
