"""Who wins a trick, and what the referee announces."""

from typing import Any

from naive.cards import pairs
from naive.follow import of_suit
from naive.order import shape


def winner(plays: list[list[str]], trump: str) -> int:
    """R-68 to R-72: the index of the winning play, in order of play."""
    lead = shape(plays[0], trump)
    if lead is None or lead[0] == "throw":  # None: not a lead at all, only seen when cheating
        return 0
    same = [(number, shape(play, trump)) for number, play in enumerate(plays)]
    fitting = [(n, s) for n, s in same if s is not None and s[:2] == lead[:2] and s[2] in (lead[2], "T")]
    trumps = [(n, s) for n, s in fitting if s[2] == "T"]
    rivals = trumps or fitting
    top = max(s[3] for _, s in rivals if s[3] is not None)
    return min(n for n, s in rivals if s[3] == top)


def report(hands: list[list[str]], trump: str) -> dict[str, Any]:
    """R-32: what is public about trumps with these hands."""
    held = [of_suit(hand, "T", trump) for hand in hands]
    void = [seat for seat, cards in enumerate(held) if not cards]
    enough = 1 if len(hands) == 3 else 2
    told = [
        {"seat": seat, "count": len(cards), "pair": bool(pairs(cards))}
        for seat, cards in enumerate(held)
        if cards and len(void) >= enough
    ]
    return {"void": void, "trumps": told}
