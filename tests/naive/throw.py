"""The other throw rule (`throw_rule=max_now`): a throw stands if no other hand beats one of its units."""

from naive.cards import SUITS, holds, is_joker, pairs
from naive.follow import of_suit
from naive.order import decompose, level, pairs_of, shape, tractors


def beaten(unit: list[str], hand: list[str], trump: str) -> bool:
    """Whether the hand holds a higher unit of the same kind and size."""
    what = shape(unit, trump)
    assert what is not None
    assert what[3] is not None
    mine, size = of_suit(hand, "T", trump), pairs_of(what)
    if size == 0:
        rivals = [[card] for card in mine]
    elif size == 1:
        rivals = [[card] for card in pairs(mine)]
    else:
        rivals = [chain for chain in tractors(mine, trump) if len(chain) == size]
    return any(max(level(card, trump) for card in rival) > what[3] for rival in rivals)


def played_instead(throw: list[str], others: list[list[str]], trump: str) -> list[str]:
    """What a throw of trumps comes to: itself, or the beaten unit of fewest cards, then of lowest top."""
    units = decompose(throw, trump)
    losing = [unit for unit in units if any(beaten(unit, hand, trump) for hand in others)]
    if not losing:
        return throw
    return min(losing, key=lambda unit: (len(unit), max(level(card, trump) for card in unit), _suits(unit)))


def is_throw(cards: list[str], trump: str) -> bool:
    """Whether these are several units of trump."""
    what = shape(cards, trump)
    return what is not None and what[0] == "throw" and what[2] == "T"


def stands(hand: list[str], cards: list[str], trump: str, others: list[list[str]]) -> bool:
    """Whether this throw can be led as it is."""
    is_whole = bool(cards) and holds(hand, cards) and is_throw(cards, trump)
    return is_whole and played_instead(cards, others, trump) == cards


def _suits(unit: list[str]) -> list[int]:
    """Between equal units nothing is said; the order S, H, C, D of decompositions is taken."""
    return sorted((-1 if is_joker(card) else SUITS.index(card[0]) for card in unit), reverse=True)
