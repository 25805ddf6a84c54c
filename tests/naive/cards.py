"""Cards as text, decks, profiles: the plainest possible form of the rules' tables."""

from collections import Counter
from dataclasses import dataclass
from itertools import combinations

SUITS = ["S", "H", "C", "D"]
RANKS = ["A", "K", "Q", "J", "T", "9", "8", "7", "6", "5", "4", "3", "2"]
PLAIN = ["3", "4", "5", "6", "8", "9", "T", "J", "Q", "K", "A"]
JOKERS = ["LJ", "BJ"]


@dataclass
class Game:
    """One column of the profile table of the rules."""

    seats: int
    hand: int
    kitty: int
    copies: int
    left_out: list[str]
    highest: int
    lowest: int
    no_trump: bool


GAMES = {
    "classic": Game(4, 25, 8, 2, [], 120, 0, True),
    "classic-1deck": Game(4, 12, 6, 1, [], 60, 0, True),
    "mobile": Game(3, 28, 8, 2, ["3", "4"], 100, 0, False),
    "jiangxi": Game(4, 25, 8, 2, [], 120, 5, True),
    "jiangxi-92": Game(4, 21, 8, 2, ["3", "4"], 120, 5, True),
    "jiangxi-3p": Game(3, 28, 8, 2, ["3", "4"], 120, 5, True),
    "tongchengle": Game(4, 25, 8, 2, [], 120, 0, True),
    "qq": Game(4, 25, 8, 2, [], 120, 0, False),
}
PROFILES = list(GAMES)


def types(profile: str) -> list[str]:
    """Every different card of the profile's deck."""
    game = GAMES[profile]
    suited = [suit + rank for suit in SUITS for rank in RANKS if rank not in game.left_out]
    return [*suited, "BJ", "LJ"]


def deck(profile: str) -> list[str]:
    """Every card of the deck, copies included."""
    return types(profile) * GAMES[profile].copies


def trumps_of(profile: str) -> list[str]:
    """What the declarer may name (R-13)."""
    return [*SUITS, "N"] if GAMES[profile].no_trump else list(SUITS)


def is_joker(card: str) -> bool:
    return card in JOKERS


def suit(card: str) -> str | None:
    return None if is_joker(card) else card[0]


def rank(card: str) -> str | None:
    return None if is_joker(card) else card[1]


def points(cards: list[str]) -> int:
    """R-03."""
    worth = {"5": 5, "T": 10, "K": 10}
    return sum(worth.get(card[1], 0) for card in cards if not is_joker(card))


def parse(text: str) -> list[str]:
    """Cards from the text of a record, or of the rules' vectors with their `x2`."""
    cards: list[str] = []
    for word in text.split():
        cards += [word[:-2]] * 2 if word.endswith("x2") else [word]
    return cards


def show(cards: list[str]) -> str:
    return " ".join(cards)


def holds(hand: list[str], cards: list[str]) -> bool:
    """Whether the cards are a sub-multiset of the hand."""
    have, want = Counter(hand), Counter(cards)
    return all(have[card] >= number for card, number in want.items())


def without(hand: list[str], cards: list[str]) -> list[str]:
    """The hand after the cards have left it; cards that are not there are ignored."""
    rest = list(hand)
    for card in cards:
        if card in rest:
            rest.remove(card)
    return rest


def selections(cards: list[str], size: int) -> list[list[str]]:
    """Every different multiset of `size` of the cards, by going through all subsets."""
    seen: set[tuple[str, ...]] = set()
    for chosen in combinations(sorted(cards), size):
        seen.add(chosen)
    return [list(chosen) for chosen in sorted(seen)]


def pairs(cards: list[str]) -> list[str]:
    """Each card that is there twice (R-19)."""
    return sorted(card for card, number in Counter(cards).items() if number >= 2)
