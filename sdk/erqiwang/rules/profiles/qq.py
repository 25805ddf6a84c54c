"""Document 004: four players, a room multiplier and levels."""

from __future__ import annotations

from erqiwang.rules.profile import ALL_RANKS, Band, Level, Profile
from erqiwang.rules.profiles.classic import CHAIN_ROWS, DOUBLING

# R-75 and rule book 6.6.
LEVELS = (
    Level(0, "庶民"),
    Level(75, "秀才"),
    Level(150, "九品芝官"),
    Level(225, "八品县丞"),
    Level(450, "七品知县"),
    Level(800, "六品通判"),
    Level(1325, "五品知州"),
    Level(2100, "四品知府"),
    Level(2875, "三品侍郎"),
    Level(4000, "二品巡抚"),
    Level(6575, "一品总督"),
    Level(10300, "宰相"),
    Level(16500, "郡王"),
    Level(23500, "亲王"),
    Level(35750, "皇帝"),
    Level(53500, "准提道人"),
    Level(85750, "接引道人"),
    Level(135000, "通天教主"),
    Level(217500, "元始天尊"),
    Level(335500, "太上老君"),
    Level(527550, "菩提祖师"),
    Level(858500, "斗战圣佛"),
    Level(1495000, "如来佛祖"),
    Level(4695000, "万佛至尊"),
    Level(9999999, "二七王神"),
)

QQ = Profile(
    slug="qq",
    ranks=ALL_RANKS,
    copies=2,
    seats=4,
    hand_size=25,
    kitty_size=8,
    random_opener=True,
    bid_high=120,
    bid_low=0,
    no_trump=False,
    void_reports=2,
    kitty_needs_trump=True,
    kitty_multipliers=DOUBLING,
    bid_bands=(Band(85, 1), Band(45, 2), Band(5, 3), Band(0, 4)),
    step_points=40,
    made_by_steps=True,
    made_tiers=(),
    surrender_bands=(),
    bonus_rows=CHAIN_ROWS,
    has_room=True,
    levels=LEVELS,
    forfeit_points=24,
    questions=(
        "throw_rule",
        "kitty_trump_004",
        "surrender_004",
        "bonus_pool",
        "short_tractor_follow",
        "room_mult_on_bonus_004",
    ),
)
