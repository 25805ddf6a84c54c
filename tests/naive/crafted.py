"""Deals made so that the first trick is of a chosen kind."""

from dataclasses import dataclass
from random import Random

from naive.cards import GAMES, deck, pairs
from naive.follow import of_suit
from naive.hands import suits_of
from naive.order import tractors
from naive.table import Deal


@dataclass
class FirstTrick:
    """A deal, what seat 0 buries as declarer, and the plays of the first trick in order of play."""

    deal: Deal
    buried: list[str]
    plays: list[list[str]]


def _unit(cards: list[str], trump: str, length: int, rng: Random) -> list[str] | None:
    """A single (length 0), pair or tractor out of the cards."""
    if length == 0:
        return [rng.choice(cards)] if cards else None
    found = [[card] for card in pairs(cards)] if length == 1 else tractors(cards, trump)
    found = [unit for unit in found if len(unit) == length]
    return sorted(rng.choice(found) * 2) if found else None


def _take(stock: list[str], cards: list[str]) -> None:
    for card in cards:
        stock.remove(card)


def first_trick(profile: str, trump: str, rng: Random) -> FirstTrick | None:
    """Seat 0 leads a unit of a side suit; each other seat is void, or follows suit with all it has of it.

    The void seats answer with a unit of trump, or with any cards. None if the dice make no such deal.
    """
    game, stock = GAMES[profile], deck(profile)
    side = rng.choice(suits_of(trump)[1:])
    length = rng.choice([0, 1, 2, 2, 3, 4]) if game.copies == 2 else 0
    lead = _unit(of_suit(stock, side, trump), trump, length, rng)
    if lead is None:
        return None
    _take(stock, lead)
    plays = [lead]
    for _ in range(1, game.seats):
        suited = of_suit(stock, rng.choice([side, "T", "T", "T"]), trump)
        play = _unit(suited, trump, length, rng)
        if play is None or rng.random() < 0.15:
            others = [card for card in stock if card not in of_suit(stock, side, trump)]
            play = rng.sample(others, len(lead))
        _take(stock, play)
        plays.append(play)
    # What is left of the led suit belongs to seat 0, so that nobody owes more of it.
    rest = of_suit(stock, side, trump)
    room = game.hand + game.kitty - len(lead)
    if len(rest) > room:
        return None
    _take(stock, rest)
    rng.shuffle(stock)
    declarer = lead + rest + stock[: room - len(rest)]
    stock = stock[room - len(rest) :]
    hands = [declarer]
    for play in plays[1:]:
        missing = game.hand - len(play)
        hands.append(play + stock[:missing])
        stock = stock[missing:]
    spare = declarer[len(lead) :]
    rng.shuffle(spare)
    buried = spare[: game.kitty]
    hands[0] = lead + spare[: game.hand - len(lead)]
    kitty = spare[game.hand - len(lead) :]
    return FirstTrick(Deal(hands, kitty, 0), buried, plays)
