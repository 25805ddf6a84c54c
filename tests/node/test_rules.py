"""What the example bot believes to be legal is what the rule book says."""

from __future__ import annotations

import json
import random
import subprocess
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

from erqiwang.rules import Card, Trump, get_profile
from erqiwang.rules.order import Order, order_for
from erqiwang.rules.position import Position
from erqiwang.rules.shape import ShapeKind, shape_of

HERE = Path(__file__).parent
RULES = HERE.parents[1] / "sdk" / "examples" / "node" / "rules.js"
CLASSIC = get_profile("classic")
POSITIONS = 400
EXPANDED = 2000
"""Duties with more plays than this are left out: to write them all down takes too long."""

Cards = tuple[int, ...]


def position(chance: random.Random) -> dict[str, object]:
    """A hand and a lead from a narrow part of the deck, so that pairs and tractors are common."""
    types = chance.sample(list(Card), chance.randint(8, 20))
    deck = [card.value for card in types for _ in range(2)]
    chance.shuffle(deck)
    trump = chance.choice(list(Trump))
    order = order_for(CLASSIC, trump)
    hand, others = deck[: len(deck) * 2 // 3], [Card(number) for number in deck[len(deck) * 2 // 3 :]]
    if chance.random() < 0.5:  # a lead of pairs from a fresh deck: tractors are rare else
        others = [card for card in Card if card not in types for _ in range(2)]
    leads = list(at(order, others, None).legal_plays())
    longest = max(len(cards) for cards in leads)
    lead = chance.choice([cards for cards in leads if len(cards) >= chance.randint(1, longest)])
    return {"trump": f"TRUMP_{trump.name}", "hand": sorted(hand), "lead": [card.value for card in lead]}


def at(order: Order, hand: list[Card], lead: Cards | None) -> Position:
    once, twice = order.masks(hand)
    shape = None if lead is None else shape_of(order, *order.masks([Card(number) for number in lead]))
    return Position(order, once, twice, shape, may_throw=False, tractor_owed=True)


def plays(cards: Iterator[tuple[Card, ...]]) -> set[Cards]:
    return {tuple(sorted(card.value for card in play)) for play in cards}


def expanded(duty: dict[str, list]) -> set[Cards]:
    found: set[Cards] = set()
    for option in duty["options"]:
        for rest in combinations(duty["rest"], duty["count"]):
            found.add(tuple(sorted([*option, *rest])))
    return found


def winners(order: Order, hand: list[Card], lead: Cards) -> set[Cards]:
    best = shape_of(order, *order.masks([Card(number) for number in lead]))
    assert best is not None
    found = set()
    for cards in at(order, hand, None).legal_plays():
        shape = shape_of(order, *order.masks(cards))
        if shape is None or (shape.kind, shape.size) != (best.kind, best.size):
            continue
        if shape.suit in (best.suit, order.suits[-1]) and shape.strength > best.strength:
            found.add(tuple(sorted(card.value for card in cards)))
    return found


def test_it_agrees_with_the_rule_book(node: str) -> None:
    chance = random.Random(7)
    positions = [position(chance) for _ in range(POSITIONS)]
    written = subprocess.run(
        [node, str(HERE / "follow.js"), str(RULES)],
        input="\n".join(map(json.dumps, positions)),
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    ).stdout
    met: Counter[str] = Counter()
    for given, line in zip(positions, written.splitlines(), strict=True):
        answer = json.loads(line)
        order = order_for(CLASSIC, Trump[str(given["trump"]).removeprefix("TRUMP_")])
        hand = [Card(number) for number in given["hand"]]
        lead = tuple(given["lead"])
        assert answer["suits"] == [order.trump.effective_suit(card) for card in Card], given
        assert {tuple(sorted(cards)) for cards in answer["leads"]} == plays(
            at(order, hand, None).legal_plays()
        ), given
        assert {tuple(sorted(cards)) for cards in answer["winners"]} == winners(order, hand, lead), given
        here = at(order, hand, lead)
        if here.count_legal_plays() <= EXPANDED:
            assert expanded(answer["duty"]) == plays(here.legal_plays()), given
            assert here.lead is not None
            met[here.lead.kind.name] += 1
    assert all(met[kind.name] >= 20 for kind in (ShapeKind.SINGLE, ShapeKind.PAIR, ShapeKind.TRACTOR)), met
