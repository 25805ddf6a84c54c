"""Deals of an author's making: some cards where a test wants them, the rest by a seed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from erqiwang.chance import TableRandom
from erqiwang.deals import master_key
from erqiwang.rules import Card, Deal, Profile, format_cards, get_profile, parse_cards


def deal_around(
    hands: Mapping[int, str],
    kitty: str = "",
    *,
    opener: int = 0,
    profile: Profile | None = None,
    seed: str = "practice",
) -> Deal:
    """Make a deal in which seats hold at least the cards given as text, and the kitty too.

    Raises `ValueError` if a card does not exist, a hand overflows, or the deck has too few of a card.

    >>> deal = deal_around({0: "BJ BJ LJ LJ"}, "SA")
    >>> Card.BJ in deal.hands[0], Card.SA in deal.kitty, len(deal.hands[3])
    (True, True, 25)
    """
    rules = profile or get_profile("classic")
    wanted = [list(parse_cards(hands.get(seat, ""))) for seat in range(rules.seats)] + [
        list(parse_cards(kitty))
    ]
    sizes = [rules.hand_size] * rules.seats + [rules.kitty_size]
    rest = _rest(rules, [card for cards in wanted for card in cards], seed)
    for cards, size in zip(wanted, sizes, strict=True):
        if len(cards) > size:
            raise ValueError(f"{len(cards)} cards where {size} fit: {format_cards(cards)}")
        while len(cards) < size:
            cards.append(rest.pop())
    *dealt, put_down = (tuple(cards) for cards in wanted)
    return Deal(tuple(dealt), put_down, opener)


def _rest(profile: Profile, taken: list[Card], seed: str) -> list[Card]:
    left = Counter(profile.deck)
    left.subtract(taken)
    missing = sorted(card for card, count in left.items() if count < 0)
    if missing:
        raise ValueError(f"the deck has too few: {format_cards(missing)}")
    return TableRandom(master_key(seed)).shuffled(sorted(left.elements()))
