"""Hands and leads from the ugly places: many pairs on few levels, ladders across every border."""

from random import Random

from naive.cards import GAMES, deck, pairs
from naive.follow import of_suit
from naive.order import eff, ladder, tractors


def suits_of(trump: str) -> list[str]:
    """The effective suits of a contract."""
    return ["T", *[suit for suit in "SHCD" if suit != trump]]


def pool(profile: str, suit: str, trump: str, rng: Random) -> list[str]:
    """Cards of one effective suit: all of them, a stretch of its ladder, or mostly pairs."""
    cards = of_suit(deck(profile), suit, trump)
    rungs = ladder(suit, trump)
    style = rng.choice(["all", "stretch", "stretch", "pairs", "top", "middle"])
    if style == "stretch":
        start = rng.randrange(len(rungs))
        near = [card for rung in rungs[start : start + rng.randint(3, 6)] for card in rung]
        cards = [card for card in cards if card in near] or cards
    elif style == "top":
        high = [card for rung in rungs[-7:] for card in rung]
        cards = [card for card in cards if card in high]
    elif style == "middle":
        # 2s and 7s only: several pairs a level.
        cards = [card for card in cards if card[1] in "27"] or cards
    elif style == "pairs":
        single = {card for card in cards if rng.random() < 0.3}
        cards = [card for card in cards if card not in single]
    return cards


def led(profile: str, suit: str, trump: str, rng: Random, most: int = 6) -> list[str] | None:
    """A lead of several cards of the suit, long tractors preferred."""
    cards = pool(profile, suit, trump, rng)
    units = [[card] for card in pairs(cards)] + tractors(cards, trump)
    units = [unit for unit in units if len(unit) <= most]
    if not units:
        return None
    length = rng.choice(sorted({len(unit) for unit in units}))
    return sorted(rng.choice([unit for unit in units if len(unit) == length]) * 2)


def ugly_follow(profile: str, trump: str, rng: Random, spare: int = 3) -> tuple[list[str], list[str]]:
    """A hand and a lead to be followed: usually a few more cards of the suit than owed, sometimes fewer."""
    while True:
        suit = rng.choice(["T", "T", *suits_of(trump)])
        lead = led(profile, suit, trump, rng)
        if lead is None:
            continue
        cards = pool(profile, suit, trump, rng)
        for card in lead:
            if card in cards:
                cards.remove(card)
        wanted = len(lead) + rng.choice([-1, 0, 1, *range(1, spare + 1), *range(1, spare + 1)])
        rng.shuffle(cards)
        mine = _paired(cards, min(max(wanted, 0), len(cards)), rng)
        rest = [card for card in deck(profile) if eff(card, trump) != suit]
        hand = mine + rng.sample(
            rest, rng.randint(max(0, len(lead) - len(mine)), max(2, len(lead) - len(mine)))
        )
        if len(hand) <= GAMES[profile].hand + GAMES[profile].kitty:
            return sorted(hand), lead


def _paired(cards: list[str], number: int, rng: Random) -> list[str]:
    """`number` of the shuffled cards, pairs first with high probability."""
    twice = pairs(cards)
    rng.shuffle(twice)
    chosen: list[str] = []
    for card in twice:
        if len(chosen) + 2 <= number and rng.random() < 0.8:
            chosen += [card, card]
    left = list(cards)
    for card in chosen:
        left.remove(card)
    return chosen + left[: number - len(chosen)]
