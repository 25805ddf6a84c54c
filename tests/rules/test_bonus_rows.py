"""The rows of the bonus tables, one by one, in the shorthand of the rule book (R-53 to R-56).

A is the pair of trump sevens, B a pair of other sevens, C the pair of trump twos, D a pair of other twos; E2
are two further pairs of trumps, F3 three pairs of side suits. A row is what it asks for, and its value for
three jokers and for four; a dash asks for nothing.
"""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from erqiwang.rules import Trump, get_profile, parse_cards
from erqiwang.rules.bonus import bonus_value
from erqiwang.rules.profile import BonusRow, RankExtra

CHAIN = "- 1 3, A 2 4, AB 3 5, ABC 4 6, ABCD 5 7"

LITERAL = "- 1 3, A 2 4, AB 3 5, ABC 4 6, ABE2 4 5, ABCD 5 7, ABCE2 5 6, ABCDE3F3 9 10"
BY_KIND = "- 1 3, A 2 4, AB 3 5, ABC 4 6, AB2 4 5, ABCD 5 7, AB2C 5 6, AB3CD3 9 10"

EVERY_PAIR = """
- 1 3, A 2 4, AB 3 5, AB2 4 6, AB3 5 7,
ABC 4 6, ABCD 5 7, ABCD2 6 8, ABCD3 7 9,
AB2C 5 7, AB2CD 6 8, AB2CD2 7 9, AB2CD3 8 10,
AB3C 6 8, AB3CD 7 9, AB3CD2 8 10, AB3CD3 9 11
"""


def rows(text: str) -> list[BonusRow]:
    found: list[BonusRow] = []
    for row in text.split(","):
        asked, *values = row.split()
        number = {letter: int(count or 1) for letter, count in re.findall(r"([A-F])(\d?)", asked)}
        found += [
            BonusRow(
                jokers=jokers,
                value=int(value),
                main7="A" in number,
                off7=number.get("B", 0),
                main2="C" in number,
                off2=number.get("D", 0),
                further_trumps=number.get("E", 0),
                side_pairs=number.get("F", 0),
            )
            for jokers, value in zip((3, 4), values, strict=True)
        ]
    return found


@pytest.mark.parametrize(
    ("slugs", "switches", "text"),
    [
        ("classic tongchengle qq", {}, CHAIN),
        ("mobile", {}, LITERAL),
        ("mobile", {"bonus_001_extra": "kinds"}, BY_KIND),
        ("jiangxi jiangxi-92 jiangxi-3p", {}, EVERY_PAIR),
    ],
)
def test_every_row(slugs, switches, text):
    for slug in slugs.split():
        assert sorted(get_profile(slug, switches).bonus_rows, key=repr) == sorted(rows(text), key=repr)


def test_a_single_pack_has_no_bonus():
    profile = get_profile("classic-1deck")
    assert (profile.bonus_rows, profile.bonus_extras, profile.bonus_bids) == ((), (), ())


@pytest.mark.parametrize("slug", ["jiangxi", "jiangxi-92", "jiangxi-3p"])
def test_every_extra(slug):
    """R-55, R-58."""
    profile = get_profile(slug)
    assert profile.bonus_extras == (
        RankExtra(6, 0, 1),
        RankExtra(6, 3, 2),
        RankExtra(7, 0, 3),
        RankExtra(8, 0, 4),
    )
    assert profile.bonus_bids == ((3, 80), (4, 75))


@pytest.mark.parametrize("slug", ["classic", "tongchengle", "qq"])
def test_the_kitty_doubles_as_far_as_any_hand_has_pairs(slug):
    """R-39: a hand of 28 cards, the largest of the book, has at most 14 pairs."""
    factors = get_profile(slug).kitty_multipliers
    assert factors == (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384)


def test_jokers_alone_are_nothing_where_no_row_has_them_alone():
    rows = (BonusRow(jokers=3, value=2, main7=True),)
    house = replace(get_profile("classic"), bonus_rows=rows)
    pools = [parse_cards(text) for text in ("BJ BJ LJ", "BJ BJ LJ S7 S7")]
    values = [bonus_value(house, pool, Trump.SPADES, 80, surrendered=False) for pool in pools]
    assert values == [0, 2]
    assert bonus_value(house, pools[1], Trump.SPADES, 85, surrendered=True) == 0
