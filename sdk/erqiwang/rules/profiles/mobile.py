"""Document 001: three players, two decks without threes and fours."""

from __future__ import annotations

from dataclasses import replace

from erqiwang.rules.profile import RANKS_WITHOUT_43, Band, BonusRow, MadeTier, Profile

MADE_TIERS = (
    MadeTier(steps=3, points_to=0),  # 大光
    MadeTier(steps=3, bid_to=40, half_bid=True),
    MadeTier(steps=2, bid_from=45, bid_to=70, half_bid=True),  # R-46, C-11
    MadeTier(steps=2, bid_from=75, points_to=35),  # R-46, C-10
    MadeTier(steps=2, bid_from=70, bid_to=70, points_to=40),  # R-46, C-9
)

# 正7+负7+正2+负2+主牌3对+负牌3对
_ALL_NAMED = BonusRow(
    jokers=3, value=9, main7=True, off7=1, main2=True, off2=1, further_trumps=3, side_pairs=3
)

# literally the table. 主牌2对 are two further pairs of trumps, whatever they are.
BONUS_ROWS = (
    BonusRow(jokers=3, value=1),
    BonusRow(jokers=3, value=2, main7=True),
    BonusRow(jokers=3, value=3, main7=True, off7=1),
    BonusRow(jokers=3, value=4, main7=True, off7=1, main2=True),
    BonusRow(jokers=3, value=4, main7=True, off7=1, further_trumps=2),
    BonusRow(jokers=3, value=5, main7=True, off7=1, main2=True, off2=1),
    BonusRow(jokers=3, value=5, main7=True, off7=1, main2=True, further_trumps=2),
    _ALL_NAMED,
    BonusRow(jokers=4, value=3),
    BonusRow(jokers=4, value=4, main7=True),
    BonusRow(jokers=4, value=5, main7=True, off7=1),
    BonusRow(jokers=4, value=6, main7=True, off7=1, main2=True),
    BonusRow(jokers=4, value=5, main7=True, off7=1, further_trumps=2),
    BonusRow(jokers=4, value=7, main7=True, off7=1, main2=True, off2=1),
    BonusRow(jokers=4, value=6, main7=True, off7=1, main2=True, further_trumps=2),
    replace(_ALL_NAMED, jokers=4, value=10),
)

# The other reading: 主牌2对 is a second pair of off-suit sevens, and the last row asks for all eight kinds.
BONUS_ROWS_BY_KIND = (
    BonusRow(jokers=3, value=1),
    BonusRow(jokers=3, value=2, main7=True),
    BonusRow(jokers=3, value=3, main7=True, off7=1),
    BonusRow(jokers=3, value=4, main7=True, off7=1, main2=True),
    BonusRow(jokers=3, value=4, main7=True, off7=2),
    BonusRow(jokers=3, value=5, main7=True, off7=1, main2=True, off2=1),
    BonusRow(jokers=3, value=5, main7=True, off7=2, main2=True),
    BonusRow(jokers=3, value=9, main7=True, off7=3, main2=True, off2=3),
    BonusRow(jokers=4, value=3),
    BonusRow(jokers=4, value=4, main7=True),
    BonusRow(jokers=4, value=5, main7=True, off7=1),
    BonusRow(jokers=4, value=6, main7=True, off7=1, main2=True),
    BonusRow(jokers=4, value=5, main7=True, off7=2),
    BonusRow(jokers=4, value=7, main7=True, off7=1, main2=True, off2=1),
    BonusRow(jokers=4, value=6, main7=True, off7=2, main2=True),
    BonusRow(jokers=4, value=10, main7=True, off7=3, main2=True, off2=3),
)

MOBILE = Profile(
    slug="mobile",
    ranks=RANKS_WITHOUT_43,
    copies=2,
    seats=3,
    hand_size=28,
    kitty_size=8,
    random_opener=True,
    bid_high=100,
    bid_low=0,
    forced_bid=100,
    no_trump=False,
    void_reports=1,
    kitty_needs_trump=True,
    kitty_multipliers=(1,),
    bid_bands=(Band(75, 1), Band(45, 2), Band(5, 3), Band(0, 4)),  # 001 no. 19
    step_points=40,
    made_by_steps=False,
    made_tiers=MADE_TIERS,
    surrender_bands=(Band(75, 1),),
    bonus_rows=BONUS_ROWS,
    forfeit_points=16,
    questions=(
        "throw_rule",
        "special_001",
        "cell_70_40_001",
        "kitty_trump_001",
        "bonus_pool",
        "short_tractor_follow",
        "bonus_001_extra",
    ),
)
