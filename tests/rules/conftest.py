"""Shorthands of the rule tests: cards in text, a hand and a lead under a trump."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from erqiwang.rules import Card, Profile, Reason, RuleViolation, Trump, get_profile, parse_cards
from erqiwang.rules.order import order_for
from erqiwang.rules.position import Position
from erqiwang.rules.shape import shape_of

Cards = Callable[[str], tuple[Card, ...]]
Judge = Callable[..., Reason | None]


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
