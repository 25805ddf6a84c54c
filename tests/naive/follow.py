"""What one may lead and how one must follow: the ladder of the rules, and once more by enumeration."""

from collections.abc import Iterator

from naive.cards import holds, pairs, selections
from naive.order import Shape, eff, level, pairs_of, shape, tractors


def of_suit(cards: list[str], suit: str, trump: str) -> list[str]:
    return [card for card in cards if eff(card, trump) == suit]


# ------------------------------------------------------------------------------------------------- leads


def legal_lead(hand: list[str], cards: list[str], trump: str, others: list[list[str]]) -> bool:
    """R-28 to R-31."""
    if not cards or not holds(hand, cards):
        return False
    what = shape(cards, trump)
    if what is None:
        return False
    if what[0] != "throw":
        return True
    return what[2] == "T" and all(not of_suit(other, "T", trump) for other in others)


def legal_leads(hand: list[str], trump: str, others: list[list[str]]) -> list[list[str]]:
    """Every different legal lead, by trying every subset: for small hands."""
    return [
        cards
        for size in range(1, len(hand) + 1)
        for cards in selections(hand, size)
        if legal_lead(hand, cards, trump, others)
    ]


# ----------------------------------------------------------------------------------------------- follows


def best(cards: list[str], limit: int, trump: str) -> list[int]:
    """The greatest list of run lengths with at most `limit` pairs, as the rules define it."""
    count: dict[int, int] = {}
    for card in pairs(cards):
        count[level(card, trump)] = count.get(level(card, trump), 0) + 1

    def longest_first(count: dict[int, int], rest: int, cap: int) -> list[int]:
        for length in range(min(rest, cap), 0, -1):
            found = []
            for start in count:
                run = range(start, start + length)
                if all(count.get(step, 0) > 0 for step in run):
                    left = {step: number - (step in run) for step, number in count.items()}
                    found.append([length, *longest_first(left, rest - length, length)])
            if found:
                return max(found)
        return []

    return longest_first(count, limit, limit)


def owed(cards: list[str], limit: int, trump: str, short: str = "must") -> list[int]:
    """What counts of the best list; under `short_tractor_follow=pairs` no tractor but the full one."""
    found = best(cards, limit, trump)
    if short == "pairs" and found != [limit]:
        return [1] * sum(found)
    return found


def legal_follow(hand: list[str], lead: list[str], play: list[str], trump: str, short: str = "must") -> bool:
    """R-60 to R-67."""
    if len(play) != len(lead) or not holds(hand, play):
        return False
    led = eff(lead[0], trump)
    mine, given = of_suit(hand, led, trump), of_suit(play, led, trump)
    if len(given) != min(len(lead), len(mine)):
        return False
    if len(mine) <= len(lead):
        return True
    what = shape(lead, trump)
    assert what is not None
    if what[0] in ("single", "throw"):
        return True
    limit = pairs_of(what)
    return owed(given, limit, trump, short) == owed(mine, limit, trump, short)


def legal_follows(hand: list[str], lead: list[str], trump: str, short: str = "must") -> list[list[str]]:
    """Every different legal follow, by trying every subset of the hand."""
    return [play for play in selections(hand, len(lead)) if legal_follow(hand, lead, play, trump, short)]


# ------------------------------------------------------------- the duty once more, without `best` and `pairs`


def arrangements(cards: list[str], units: list[list[str]], limit: int) -> Iterator[list[int]]:
    """The sizes of every way to take disjoint units (lists of pairs), `limit` pairs at most."""
    yield []
    for number, unit in enumerate(units):
        if len(unit) <= limit and all(cards.count(card) == 2 for card in unit):
            rest = [card for card in cards if card not in unit]
            for more in arrangements(rest, units[number + 1 :], limit - len(unit)):
                yield [len(unit), *more]


def worth(play: list[str], what: Shape, trump: str) -> list[int]:
    """The best a play can be said to hold against the lead: longest units first."""
    given = of_suit(play, what[2], trump)
    units = [[card] for card in pairs(given)] + tractors(given, trump)
    return max(sorted(sizes, reverse=True) for sizes in arrangements(given, units, pairs_of(what)))


def follows_by_worth(hand: list[str], lead: list[str], trump: str) -> list[list[str]]:
    """The follows that no other choice of cards betters: first in cards of the suit, then in worth."""
    what = shape(lead, trump)
    assert what is not None
    plays = selections(hand, len(lead))
    most = max(len(of_suit(play, what[2], trump)) for play in plays)
    plays = [play for play in plays if len(of_suit(play, what[2], trump)) == most]
    if what[0] in ("single", "throw"):
        return plays
    worths = [worth(play, what, trump) for play in plays]
    return [play for play, value in zip(plays, worths, strict=True) if value == max(worths)]
