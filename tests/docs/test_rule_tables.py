"""The tables of docs/rules.md that speak of plays, bonuses and offences hold when they are tried."""

import re
from pathlib import Path

import pytest

from erqiwang.rules import (
    Announced,
    Buried,
    KittyShown,
    Played,
    Reason,
    SeatView,
    Trump,
    TrumpNamed,
    get_profile,
    open_view,
    parse_cards,
)
from erqiwang.rules.bonus import bonus_value

BOOK = (Path(__file__).parents[2] / "docs" / "rules.md").read_text(encoding="utf-8")

# What completes three jokers to the pool of each row, with spades as trump.
LINKS = {"正7": "S7 S7", "负7": "H7 H7", "正2": "S2 S2", "负2": "D2 D2"}
FURTHER = {"two": "SA SA SK SK", "three": "SA SA SK SK SQ SQ HA HA HK HK HQ HQ"}


def rows(name: str) -> list[list[str]]:
    """The cells of the table that follows a marker, without its head."""
    _, marker, rest = BOOK.partition(f"<!-- table: {name} -->\n")
    assert marker
    lines = rest.partition("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def after_lead(led: str, hand: str) -> SeatView:
    """The view of seat 1 after seat 0 led; spades are trump."""
    view = open_view(get_profile("classic"), 1)
    for event in (
        KittyShown(0, 100, ()),
        TrumpNamed(Trump.SPADES),
        Buried(),
        Announced(()),
        Played(0, parse_cards(led)),
    ):
        view.observe(event)
    view.hold(parse_cards(hand))
    return view


@pytest.mark.parametrize("row", rows("following"), ids=lambda row: row[0])
def test_what_the_table_says_is_owed_is_owed(row: list[str]) -> None:
    led, hand = (cell.strip("`") for cell in row[:2])
    view = after_lead(led, hand)
    count = len(parse_cards(led))
    quoted = [parse_cards(cards) for cards in re.findall(r"`([^`]+)`", row[2])]
    legal = {tuple(sorted(play)) for play in view.legal_plays()}
    if quoted and len(quoted[0]) == count:
        assert legal == {tuple(sorted(cards)) for cards in quoted}
    hearts = min(count, sum(card.suit == "H" for card in view.hand))
    for play in legal:
        assert sum(card.suit == "H" for card in play) == hearts
        assert not quoted or any(set(cards) <= set(play) for cards in quoted)


def pool_of(text: str) -> str:
    if text.startswith("all of these"):
        return " ".join([*LINKS.values(), FURTHER["three"]])
    cards = [LINKS[link] for link in LINKS if link in text]
    return " ".join([*cards, FURTHER["two"]] if "two further" in text else cards)


@pytest.mark.parametrize("row", rows("bonus rows"), ids=lambda row: row[0])
@pytest.mark.parametrize(
    ("slug", "column"), [("classic", 1), ("tongchengle", 1), ("qq", 2), ("jiangxi", 3), ("mobile", 4)]
)
def test_the_bonus_of_every_row(row: list[str], slug: str, column: int) -> None:
    profile = get_profile(slug)
    pool = parse_cards(f"BJ BJ LJ {pool_of(row[0])}")
    value = bonus_value(profile, pool, Trump.SPADES, 75, surrendered=False)
    assert value == int(row[column].split()[0].strip(","))
    four = bonus_value(profile, (*pool, *parse_cards("LJ")), Trump.SPADES, 75, surrendered=False)
    further = slug == "mobile" and "further" in row[0]
    assert four == value + (1 if further else 2)


def test_every_reason_of_a_violation_is_listed() -> None:
    assert [row[0].strip("`") for row in rows("reasons")] == [reason.name.lower() for reason in Reason]
