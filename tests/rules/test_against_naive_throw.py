"""The throw rule `max_now` of the rule book against the naive one."""

from random import Random

import pytest

from erqiwang.rules import (
    Bid,
    Bury,
    Card,
    Deal,
    NameTrump,
    Play,
    Played,
    Trump,
    apply,
    get_profile,
    open_table,
    parse_cards,
)
from erqiwang.rules.order import order_for
from erqiwang.rules.throwing import units_of
from naive.cards import GAMES, deck, without
from naive.follow import of_suit
from naive.order import decompose, level, shape
from naive.table import Deal as NaiveDeal
from naive.throw import played_instead

CONTRACTS = [
    *[("classic", "S"), ("classic", "N"), ("jiangxi-92", "D"), ("mobile", "H")],
    *[("jiangxi-3p", "N"), ("classic-1deck", "C"), ("qq", "D")],
]


def cards_of(texts: list[str]) -> tuple[Card, ...]:
    return parse_cards(" ".join(texts))


def strong_deal(profile: str, trump: str, rng: Random) -> NaiveDeal:
    """The declarer, seat 0, has most of the trumps."""
    game, cards = GAMES[profile], deck(profile)
    rng.shuffle(cards)
    share = rng.choice([0.5, 0.8, 0.95])
    cards.sort(key=lambda card: card in of_suit([card], "T", trump) and rng.random() < share, reverse=True)
    sizes = [game.hand] * game.seats
    hands = [cards[sum(sizes[:seat]) : sum(sizes[: seat + 1])] for seat in range(game.seats)]
    return NaiveDeal(hands, cards[sum(sizes) :], 0)


def check(profile: str, trump: str, rng: Random) -> bool:
    """Throw some trumps as the first lead; returns whether the throw stood."""
    deal = strong_deal(profile, trump, rng)
    rules = get_profile(profile, {"throw_rule": "max_now"})
    hands = tuple(cards_of(hand) for hand in deal.hands)
    state, _ = open_table(rules, [Deal(hands, cards_of(deal.kitty), 0)])
    state, _ = apply(state, 0, Bid(GAMES[profile].lowest))
    state, _ = apply(state, 0, NameTrump(Trump.parse(trump)))
    whole = deal.hands[0] + deal.kitty
    buried = sorted(whole, key=lambda card: card in of_suit([card], "T", trump))[: GAMES[profile].kitty]
    state, _ = apply(state, 0, Bury(cards_of(buried)))
    mine = of_suit(without(whole, buried), "T", trump)
    number = rng.randint(2, min(len(mine), rng.choice([3, 6, 12])))
    throw = sorted(rng.sample(mine, number))
    if rng.random() < 0.6:
        throw = sorted(mine, key=lambda card: level(card, trump), reverse=True)[:number]
    what = shape(throw, trump)
    if what is None or what[0] != "throw":
        return False
    expected = played_instead(throw, deal.hands[1:], trump)
    state, events = apply(state, 0, Play(cards_of(throw)))
    played = events[0]
    assert isinstance(played, Played)
    where = f"{profile} {trump}: {throw} against {deal.hands[1:]}"
    assert sorted(str(card) for card in played.cards) == sorted(expected), where
    assert bool(played.thrown) == (expected != throw), where
    assert len(state.hand(0)) == GAMES[profile].hand - len(expected)
    return expected == throw


@pytest.mark.parametrize(("profile", "trump"), CONTRACTS)
def test_throws(profile: str, trump: str) -> None:
    rng = Random(f"throws {profile} {trump}")
    assert len({check(profile, trump, rng) for _ in range(60)}) == 2


@pytest.mark.parametrize(("profile", "trump"), CONTRACTS)
def test_decompositions(profile: str, trump: str) -> None:
    rng = Random(f"units {profile} {trump}")
    order = order_for(get_profile(profile), Trump.parse(trump))
    for _ in range(60):
        cards = of_suit(deck(profile), "T", trump)
        if rng.random() < 0.5:
            cards = [card for card in cards if card[1] in "27J" or rng.random() < 0.5]
        throw = rng.sample(cards, rng.randint(1, min(len(cards), 16)))
        units = [order.cards_of(*unit) for unit in units_of(order.suits[-1], *order.masks(cards_of(throw)))]
        found = [sorted(str(card) for card in unit) for unit in units]
        assert found == [sorted(unit) for unit in decompose(throw, trump)], (trump, throw)
