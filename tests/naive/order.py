"""Effective suits, ladders and the shape of a set of cards."""

from collections import Counter

from naive.cards import PLAIN, SUITS, is_joker, pairs, rank, suit

Shape = tuple[str, int, str, int | None]
"""(kind, size, effective suit, top level); the size is in cards for a throw, else in pairs."""


def eff(card: str, trump: str) -> str:
    """Effective suit (R-16): T for trump, else the printed suit."""
    if is_joker(card) or rank(card) in ("2", "7") or suit(card) == trump:
        return "T"
    return card[0]


def ladder(suit_: str, trump: str) -> list[list[str]]:
    """The rungs of one effective suit from the bottom up (R-17, R-24); equal cards share a rung.

    `N` is no-trump; under the switch `nt_tractors` the contract is written `N jokers` or `N none`, and an
    empty rung keeps apart what is no tractor then.
    """
    if suit_ != "T":
        return [[suit_ + r] for r in PLAIN]
    if trump.startswith("N"):
        twos, sevens = [s + "2" for s in SUITS], [s + "7" for s in SUITS]
        return {
            "N": [twos, sevens, ["LJ"], ["BJ"]],
            "N jokers": [twos, [], sevens, [], ["LJ"], ["BJ"]],
            "N none": [twos, [], sevens, [], ["LJ"], [], ["BJ"]],
        }[trump]
    others = [s for s in SUITS if s != trump]
    plain = [[trump + r] for r in PLAIN]
    two_rungs = [[s + "2" for s in others], [trump + "2"]]
    seven_rungs = [[s + "7" for s in others], [trump + "7"]]
    return [*plain, *two_rungs, *seven_rungs, ["LJ"], ["BJ"]]


def level(card: str, trump: str) -> int:
    """The number of the card's rung in the ladder of its effective suit."""
    rungs = ladder(eff(card, trump), trump)
    return next(number for number, rung in enumerate(rungs) if card in rung)


def shape(cards: list[str], trump: str) -> Shape | None:
    """What the cards are together; None if they are of several effective suits."""
    suits = {eff(card, trump) for card in cards}
    if len(suits) != 1:
        return None
    where = suits.pop()
    if len(cards) == 1:
        return ("single", 1, where, level(cards[0], trump))
    if all(number == 2 for number in Counter(cards).values()):
        levels = sorted(level(card, trump) for card in set(cards))
        if len(levels) == 1:
            return ("pair", 1, where, levels[0])
        if levels == list(range(levels[0], levels[0] + len(levels))):
            return ("tractor", len(levels), where, levels[-1])
    return ("throw", len(cards), where, None)


def pairs_of(shape_: Shape) -> int:
    """How many pairs a unit has: a single has none."""
    return 0 if shape_[0] == "single" else shape_[1]


def tractors(cards: list[str], trump: str) -> list[list[str]]:
    """Every tractor that could be taken out of cards of one effective suit, as a list of its pairs."""
    rungs: dict[int, list[str]] = {}
    for card in pairs(cards):
        rungs.setdefault(level(card, trump), []).append(card)
    found: list[list[str]] = []
    for start in rungs:
        chains = [[card] for card in rungs[start]]
        while chains:
            found += [chain for chain in chains if len(chain) >= 2]
            top = level(chains[0][-1], trump)
            chains = [[*chain, card] for chain in chains for card in rungs.get(top + 1, [])]
    return found


def decompose(cards: list[str], trump: str) -> list[list[str]]:
    """The canonical decomposition of a throw: longest tractor first, then pairs, then singles."""
    rest, units = list(cards), []
    while True:
        choices = tractors(rest, trump)
        if not choices:
            break
        # The longest; then the highest top; then the suit order S, H, C, D from the top pair down.
        best = min(choices, key=lambda chain: _rank_of_tractor(chain, trump))
        unit = [card for card in best for _ in range(2)]
        units.append(unit)
        for card in unit:
            rest.remove(card)
    for card in sorted(pairs(rest), key=lambda c: (-level(c, trump), _suit_rank(c))):
        units.append([card, card])
        rest.remove(card)
        rest.remove(card)
    units += [[card] for card in sorted(rest, key=lambda c: (-level(c, trump), _suit_rank(c)))]
    return units


def _suit_rank(card: str) -> int:
    return -1 if is_joker(card) else SUITS.index(card[0])


def _rank_of_tractor(chain: list[str], trump: str) -> tuple[int, int, list[int]]:
    return (-len(chain), -level(chain[-1], trump), [_suit_rank(card) for card in reversed(chain)])
