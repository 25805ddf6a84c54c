"""Documents 000 and 003: four players, two decks; and the house numbers for one deck."""

from __future__ import annotations

from dataclasses import replace

from erqiwang.rules.profile import ALL_RANKS, Band, BonusRow, MadeTier, Profile

# 3王 1, +正7 2, +负7 3, +正2 4, +负2 5; four jokers two more. R-56: a missing link stops the count.
CHAIN_ROWS = tuple(
    BonusRow(
        jokers=jokers,
        value=base + links,
        main7=links >= 1,
        off7=int(links >= 2),
        main2=links >= 3,
        off2=int(links >= 4),
    )
    for jokers, base in ((3, 1), (4, 3))
    for links in range(5)
)

# 抓底牌不加倍，对子抓底，番2倍，以此类推. No hand holds more pairs than this.
DOUBLING = tuple(2**pairs for pairs in range(15))

CLASSIC = Profile(
    slug="classic",
    ranks=ALL_RANKS,
    copies=2,
    seats=4,
    hand_size=25,
    kitty_size=8,
    random_opener=False,
    bid_high=120,
    bid_low=0,
    no_trump=True,
    void_reports=2,
    kitty_multipliers=DOUBLING,
    bid_bands=(Band(85, 1), Band(45, 2), Band(5, 4), Band(0, 8)),  # 000 no. 26
    step_points=40,
    made_by_steps=True,
    made_tiers=(MadeTier(steps=3, points_to=0), MadeTier(steps=2, points_to=30)),
    surrender_bands=(Band(85, 1),),
    bonus_rows=CHAIN_ROWS,
    forfeit_points=24,
    questions=("throw_rule", "win_tier_000", "bonus_pool", "nt_tractors", "short_tractor_follow"),
)

# a house ruling; every number of the score is halved.
CLASSIC_1DECK = replace(
    CLASSIC,
    slug="classic-1deck",
    copies=1,
    hand_size=12,
    kitty_size=6,
    bid_high=60,
    kitty_multipliers=(1,),
    bid_bands=(Band(45, 1), Band(25, 2), Band(5, 4), Band(0, 8)),
    step_points=20,
    made_tiers=(MadeTier(steps=3, points_to=0), MadeTier(steps=2, points_to=15)),
    surrender_bands=(Band(45, 1),),
    bonus_rows=(),
    questions=("throw_rule", "win_tier_000"),
)

# Document 003 is document 000 without the section on decks: the same rules.
TONGCHENGLE = replace(CLASSIC, slug="tongchengle")
