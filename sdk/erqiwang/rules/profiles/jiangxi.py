"""Document 002 and its options: with threes and fours, without them for four players and for three."""

from __future__ import annotations

from dataclasses import replace

from erqiwang.rules.fault import FaultCause
from erqiwang.rules.profile import (
    ALL_RANKS,
    RANKS_WITHOUT_43,
    Band,
    BonusRow,
    MadeTier,
    Profile,
    RankExtra,
)

# each pair of the chain counts one: 正7, every 负7, then 正2 and every 负2.
_CHAIN = (
    (False, 0, False, 0),
    *((True, off7, False, 0) for off7 in range(4)),
    *((True, off7, True, off2) for off7 in range(1, 4) for off2 in range(4)),
)
BONUS_ROWS = tuple(
    BonusRow(
        jokers=jokers,
        value=base + main7 + off7 + main2 + off2,
        main7=main7,
        off7=off7,
        main2=main2,
        off2=off2,
    )
    for jokers, base in ((3, 1), (4, 3))
    for main7, off7, main2, off2 in _CHAIN
)

# 摸到6张不是3对的2或7加冲1关，6张3对的2或7加冲2关，7张2或7加冲3关，8张2或7加冲4关.
BONUS_EXTRAS = (RankExtra(6, 0, 1), RankExtra(6, 3, 2), RankExtra(7, 0, 3), RankExtra(8, 0, 4))

JIANGXI = Profile(
    slug="jiangxi",
    ranks=ALL_RANKS,
    copies=2,
    seats=4,
    hand_size=25,
    kitty_size=8,
    random_opener=False,
    bid_high=120,
    bid_low=5,
    no_trump=True,
    void_reports=2,
    kitty_multipliers=(2, 4, 8),
    bid_bands=(Band(85, 1), Band(45, 2), Band(5, 4)),  # 002 no. 14
    step_points=40,
    made_by_steps=False,
    made_tiers=(MadeTier(steps=3, points_to=0), MadeTier(steps=2, points_to=30)),
    down_steps_max=3,
    surrender_bands=(Band(85, 1), Band(45, 2), Band(5, 3)),  # R-35, C-18
    bonus_rows=BONUS_ROWS,
    bonus_extras=BONUS_EXTRAS,
    bonus_bids=((3, 80), (4, 75)),
    charm=((FaultCause.LEFT, -5),),
    forfeit_points=24,
    questions=("throw_rule", "bonus_pool", "nt_tractors", "short_tractor_follow"),
)

JIANGXI_92 = replace(
    JIANGXI,
    slug="jiangxi-92",
    ranks=RANKS_WITHOUT_43,
    hand_size=21,
    surrender_bands=(Band(75, 1), Band(45, 2), Band(5, 3)),  # R-35, C-18
)

JIANGXI_3P = replace(
    JIANGXI,
    slug="jiangxi-3p",
    ranks=RANKS_WITHOUT_43,
    seats=3,
    hand_size=28,
    void_reports=1,
    surrender_bands=(Band(70, 1), Band(45, 2), Band(5, 3)),  # R-35, C-18
    forfeit_points=16,
)
