"""Scores, surrenders, kitty and bonus of the rule book against the naive rules, exhaustively."""

from collections.abc import Iterator
from itertools import combinations_with_replacement, product
from random import Random

import pytest

from erqiwang.rules import Card, Trump, get_profile, parse_cards
from erqiwang.rules.bonus import bonus_value
from erqiwang.rules.order import order_for
from erqiwang.rules.settlement import (
    kitty_multiplier,
    level_of,
    next_opener,
    play_scores,
    surrender_scores,
)
from naive import settle
from naive.cards import GAMES, PROFILES, SUITS, deck, trumps_of
from naive.follow import of_suit
from naive.hands import suits_of


def bids_of(profile: str) -> range:
    return range(GAMES[profile].lowest, GAMES[profile].highest + 1, 5)


def cards_of(texts: list[str]) -> tuple[Card, ...]:
    return parse_cards(" ".join(texts))


@pytest.mark.parametrize("profile", PROFILES)
def test_every_bid_with_every_result(profile: str) -> None:
    rules = get_profile(profile)
    assert sorted(rules.bids) == list(bids_of(profile))
    for bid, points in product(bids_of(profile), range(0, 1005, 5)):
        room = 1 + points % 3 if profile == "qq" else 1
        declarer = (bid // 5 + points) % GAMES[profile].seats
        expected = settle.play_scores(profile, declarer, bid, points, room)
        found = play_scores(rules, declarer=declarer, bid=bid, points=points, room=room)
        assert list(found) == expected, (bid, points)
        made = settle.made(bid, points)
        assert next_opener(rules, declarer, made) == settle.next_opener(profile, declarer, made)


SWITCHES = [
    ("classic", {"win_tier_000": "formula"}),
    ("classic-1deck", {"win_tier_000": "formula"}),
    ("mobile", {"special_001": "2"}),
    ("mobile", {"special_001": "1"}),
    ("mobile", {"cell_70_40_001": "normal"}),
    ("mobile", {"cell_70_40_001": "normal", "special_001": "2"}),
    ("qq", {"surrender_004": "85"}),
]


@pytest.mark.parametrize(("profile", "switches"), SWITCHES)
def test_scores_under_switches(profile: str, switches: dict[str, str]) -> None:
    rules = get_profile(profile, switches)
    for bid, points in product(bids_of(profile), range(0, 505, 5)):
        expected = settle.play_scores(profile, 1, bid, points, 1, switches)
        assert list(play_scores(rules, declarer=1, bid=bid, points=points)) == expected, (bid, points)
    for bid in bids_of(profile):
        assert rules.may_surrender(bid) == (settle.surrender_cost(profile, bid, switches) is not None)


@pytest.mark.parametrize("profile", PROFILES)
def test_every_surrender(profile: str) -> None:
    rules = get_profile(profile)
    for bid in bids_of(profile):
        cost = settle.surrender_cost(profile, bid, {})
        assert rules.may_surrender(bid) == (cost is not None), bid
        if cost is not None:
            found = surrender_scores(rules, declarer=1, bid=bid)
            assert list(found) == settle.spread(profile, 1, -cost), bid


def pools(trump: str) -> Iterator[list[str]]:
    """Every pattern of jokers, 7s and 2s: how many copies of each, up to the names of the off suits."""
    off = [suit for suit in SUITS if suit != trump]
    jokers = [["BJ"] * big + ["LJ"] * little for big, little in product(range(3), repeat=2)]
    rank_patterns = [
        (main, others) for main in range(3) for others in combinations_with_replacement((0, 1, 2), len(off))
    ]
    for joker, (main7, off7), (main2, off2) in product(jokers, rank_patterns, rank_patterns):
        pool = list(joker) + [trump + "7"] * main7 + [trump + "2"] * main2
        for suit, seven, two in zip(off, off7, off2, strict=True):
            pool += [suit + "7"] * seven + [suit + "2"] * two
        yield pool


def fillers(profile: str, trump: str) -> list[list[str]]:
    """No other pairs; so many further trump pairs and side pairs; singles that must not count."""
    plain = [card for card in deck(profile) if card[0] == trump and card[1] in "AKQJT"]
    side = [card for card in of_suit(deck(profile), suits_of(trump)[1], trump) if card[1] in "AKQJ"]
    one_each = sorted(set(plain)) + sorted(set(side))
    trump_pairs, side_pairs = sorted(plain), sorted(side)
    return [
        *[[], one_each],
        *[trump_pairs[: 2 * number] for number in (1, 2, 3)],
        *[trump_pairs[: 2 * number] + side_pairs[:6] for number in (0, 1, 2, 3)],
        trump_pairs[:6] + side_pairs[:4],
    ]


def check_pool(
    profile: str,
    pool: list[str],
    trump: str,
    bids: list[int],
    surrendered: bool,
    switches: dict[str, str] | None = None,
) -> None:
    expected = settle.bonus(profile, pool, bids, trump, surrendered, switches)
    lowest = min(bids) if bids else None
    rules = get_profile(profile, switches or {})
    found = bonus_value(rules, cards_of(pool), Trump.parse(trump), lowest, surrendered)
    assert found == expected, f"{profile} {trump} {bids} {surrendered}: {' '.join(pool)}"


TWO_DECKS = [name for name in PROFILES if GAMES[name].copies == 2]


@pytest.mark.parametrize("profile", TWO_DECKS)
def test_bonus_of_every_pattern(profile: str) -> None:
    """Every pattern with three or four jokers, some of the others, all of which are worth nothing."""
    extra = fillers(profile, "S")
    for number, pool in enumerate(pools("S")):
        if (pool.count("BJ") < 2 or "LJ" not in pool) and number % 20:
            continue
        for step in range(3 if profile == "mobile" else 1):
            check_pool(profile, pool + extra[(number + 3 * step) % len(extra)], "S", [80], False)
        if number % 3 == 0:
            check_pool(profile, pool, "S", [75], number % 2 == 0)


def test_bonus_of_mobile_by_kinds() -> None:
    for number, pool in enumerate(pools("S")):
        if pool.count("BJ") == 2 and "LJ" in pool and number % 2:
            check_pool("mobile", pool, "S", [80], False, {"bonus_001_extra": "kinds"})


@pytest.mark.nightly
@pytest.mark.parametrize("profile", TWO_DECKS)
def test_bonus_of_every_pattern_with_every_company(profile: str) -> None:
    for pool in pools("S"):
        for filler in fillers(profile, "S"):
            for bids, surrendered in [([80], False), ([75, 100], False), ([75], True), ([], False)]:
                check_pool(profile, pool + filler, "S", bids, surrendered)


@pytest.mark.parametrize("profile", PROFILES)
def test_bonus_of_random_pools(profile: str) -> None:
    rng = Random(f"bonus {profile}")
    game = GAMES[profile]
    for _ in range(800):
        trump = rng.choice(trumps_of(profile))
        cards = deck(profile)
        rng.shuffle(cards)
        cards.sort(key=lambda card: card in ("BJ", "LJ") and rng.random() < 0.8, reverse=True)
        cards[4:] = sorted(cards[4:], key=lambda card: card[1] in "27" and rng.random() < 0.7, reverse=True)
        pool = cards[: rng.choice([game.hand, game.hand + game.kitty])]
        bids = rng.sample(list(bids_of(profile)), rng.randint(0, 2))
        check_pool(profile, pool, trump, bids, rng.random() < 0.2)


@pytest.mark.parametrize("profile", PROFILES)
def test_kitty_multipliers(profile: str) -> None:
    rng, rules = Random(f"kitty {profile}"), get_profile(profile)
    for _ in range(400):
        trump = rng.choice(trumps_of(profile))
        suit = rng.choice(["T", "T", *suits_of(trump)])
        cards = of_suit(deck(profile), suit, trump)
        if rng.random() < 0.5:
            cards = [card for card in cards if card in rng.sample(cards, min(6, len(cards)))]
        play = rng.sample(cards, rng.randint(1, min(len(cards), 14)))
        if suit != "T":
            play = play[:1]
        by_defender = rng.random() < 0.8
        expected = settle.kitty_multiplier(profile, by_defender, play, trump, {})
        order = order_for(rules, Trump.parse(trump))
        assert kitty_multiplier(rules, order, cards_of(play), by_defender) == expected, (trump, play)


def test_levels() -> None:
    rules = get_profile("qq")
    assert [(level.threshold, level.name) for level in rules.levels] == settle.LEVELS
    for threshold, _ in settle.LEVELS:
        for score in (threshold - 1, threshold, threshold + 1, -threshold):
            assert level_of(rules, score) == settle.level_of(score)[0]
    assert not any(get_profile(profile).levels for profile in PROFILES if profile != "qq")
