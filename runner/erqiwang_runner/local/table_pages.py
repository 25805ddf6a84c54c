"""A played table as pages: the deal and the auction, then a page for each trick, then the result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain

from erqiwang.rules import Card, Profile, Record, format_cards
from erqiwang_runner.card_text import hand_line
from erqiwang_runner.transcript import transcript


def table_pages(record: Record, names: Sequence[str] = (), profile: Profile | None = None) -> Iterator[str]:
    """Give the pages; each trick shows the hands as they are before it."""
    lines = transcript(record, names, profile=profile).splitlines()
    first = next((at for at, line in enumerate(lines) if line.startswith("   1. ")), None)
    if first is None:
        yield "\n".join(lines)
        return
    yield "\n".join(lines[:first])
    hands = _hands_at_first_lead(record)
    for number, trick in enumerate(record.tricks):
        start = _line_of(lines, number)
        end = _line_of(lines, number + 1) if number + 1 < len(record.tricks) else start + 1
        shown = [*_hands(record, hands, names), *lines[start:end]]
        yield "\n".join(shown)
        for place, cards in enumerate(trick.plays):
            hands[(trick.leader + place) % len(hands)].subtract(cards)
    yield "\n".join(lines[_line_of(lines, len(record.tricks) - 1) + 1 :])


def _hands_at_first_lead(record: Record) -> list[Counter[Card]]:
    hands = [Counter(hand) for hand in record.hands]
    if record.declarer is not None:
        hands[record.declarer].update(record.kitty)
        hands[record.declarer].subtract(record.buried or ())
    return hands


def _hands(record: Record, hands: Sequence[Counter[Card]], names: Sequence[str]) -> Iterator[str]:
    for seat, hand in enumerate(hands):
        name = f" {names[seat]}" if names else ""
        mark = " *" if seat == record.declarer else ""
        yield f"  seat {seat}{name}{mark}: {hand_line(hand.elements(), record.trump)}"
    yield f"  buried: {format_cards(tuple(chain(record.buried or ())))}"


def _line_of(lines: Sequence[str], trick: int) -> int:
    return next(at for at, line in enumerate(lines) if line.startswith(f"  {trick + 1:2}. "))
