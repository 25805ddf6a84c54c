"""What is done for a seat that does not decide: the least valuable cards, the duty at its lowest levels."""

from naive.auction import Auction
from naive.cards import GAMES, RANKS, SUITS, is_joker, points
from naive.follow import legal_follows, of_suit
from naive.order import eff, level


def number(card: str) -> int:
    """Place of the card in the numbering of the deck."""
    if is_joker(card):
        return 53 if card == "BJ" else 54
    return 13 * SUITS.index(card[0]) + RANKS.index(card[1]) + 1


def value(card: str, trump: str) -> tuple[bool, bool, int, int]:
    """Trump last, points last, then by level and card number."""
    return (eff(card, trump) == "T", points([card]) > 0, level(card, trump), number(card))


def named(hand: list[str]) -> str:
    """The suit with most trumps, the first of S H C D among equals."""
    return max(SUITS, key=lambda suit: (len(of_suit(hand, "T", suit)), -SUITS.index(suit)))


def buried(hand: list[str], trump: str, profile: str) -> list[str]:
    return sorted(hand, key=lambda card: value(card, trump))[: GAMES[profile].kitty]


def led(hand: list[str], trump: str) -> list[str]:
    return [min(hand, key=lambda card: value(card, trump))]


def followed(hand: list[str], lead: list[str], trump: str) -> list[str]:
    """Of the legal follows the one lowest in the suit, by its highest cards first; the rest by value."""
    suit = eff(lead[0], trump)
    mine = of_suit(hand, suit, trump)
    if len(mine) <= len(lead):
        rest = [card for card in hand if eff(card, trump) != suit]
        return mine + sorted(rest, key=lambda card: value(card, trump))[: len(lead) - len(mine)]

    def doubled_then_all(play: list[str]) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
        ordered = sorted(((level(card, trump), number(card)) for card in play), reverse=True)
        twice = [place for place in ordered if ordered.count(place) == 2]
        return twice, ordered

    plays = legal_follows(mine, lead, trump)
    most = max(len(doubled_then_all(play)[0]) for play in plays)
    if len(lead) > 1 and most:
        plays = [play for play in plays if len(doubled_then_all(play)[0]) == min(most, len(lead))]
    return min(plays, key=doubled_then_all)


def called(auction: Auction) -> None:
    """Always a pass."""
    del auction
