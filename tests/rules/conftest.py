"""Shorthands of the rule tests: cards in text, a hand and a lead under a trump, tricks of small hands."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from erqiwang.rules import (
    BidMade,
    Card,
    Deal,
    PassOut,
    Play,
    Playing,
    Profile,
    Reason,
    RuleViolation,
    Trump,
    apply,
    get_profile,
    parse_cards,
)
from erqiwang.rules.contract import Contract, Table
from erqiwang.rules.order import order_for
from erqiwang.rules.playing import start_of_play
from erqiwang.rules.position import Position
from erqiwang.rules.shape import shape_of

Cards = Callable[[str], tuple[Card, ...]]
Judge = Callable[..., Reason | None]
Start = Callable[..., Playing]


@pytest.fixture(scope="session")
def cards() -> Cards:
    """Read cards in the notation of the rule book's tables, where `H5x2` means both copies."""

    def read(text: str) -> tuple[Card, ...]:
        words = [word.removesuffix("x2") for word in text.split() for _ in range(1 + word.endswith("x2"))]
        return parse_cards(" ".join(words))

    return read


@pytest.fixture(scope="session")
def position(cards: Cards) -> Callable[..., Position]:
    """Make a position from texts."""

    def make(
        hand: str,
        lead: str | None,
        trump: Trump = Trump.SPADES,
        profile: Profile | None = None,
        may_throw: bool = False,
    ) -> Position:
        rules = profile or get_profile("classic")
        order = order_for(rules, trump)
        led = None if lead is None else shape_of(order, *order.masks(cards(lead)))
        return Position(order, *order.masks(cards(hand)), led, may_throw, rules.tractor_owed)

    return make


@pytest.fixture(scope="session")
def judge(cards: Cards, position: Callable[..., Position]) -> Judge:
    """Return why a play is refused, or `None`."""

    def verdict(hand: str, lead: str | None, play: str, **how: object) -> Reason | None:
        try:
            position(hand, lead, **how).verify(cards(play))
        except RuleViolation as violation:
            return violation.reason
        return None

    return verdict


@pytest.fixture
def start(cards) -> Start:
    """Begin the play with some hands, seat 0 being declarer with a bid of 80 and nothing of worth buried."""

    def make(hands, slug="classic", trump=Trump.SPADES, buried="H3", bid=80, **switches) -> Playing:
        profile = get_profile(slug, switches)
        dealt = tuple(cards(hand) for hand in hands)
        table = Table(profile, 1, PassOut.ZERO, (Deal(dealt, (), 0),))
        contract = Contract(table, (), 0, (BidMade(0, bid),), 0, bid)
        order = order_for(profile, trump)
        playing, _ = start_of_play(contract, order, cards(buried), tuple(map(order.masks, dealt)))
        return playing

    return make


@pytest.fixture
def play(cards):
    """Play some cards, given in order of play; return the last state and all events."""

    def go(state, *plays):
        seen = []
        for text in plays:
            state, events = apply(state, state.turn.seat, Play(cards(text)))
            seen += events
        return state, seen

    return go
