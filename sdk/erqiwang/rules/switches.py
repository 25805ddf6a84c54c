"""Switches: the readings of doubtful rulings that a host may choose instead of the default (rule book 8).

>>> from erqiwang.rules.profiles.qq import QQ
>>> switched(QQ, {"surrender_004": "85"}).may_surrender(85)
True
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TypeAlias

from erqiwang.rules.profile import Band, NoTrumpTractors, Profile, ThrowRule
from erqiwang.rules.profiles.mobile import BONUS_ROWS_BY_KIND

Change: TypeAlias = Callable[[Profile], Profile]


def switched(profile: Profile, chosen: Mapping[str, str]) -> Profile:
    """Return a profile with some switches set; raise `ValueError` naming what does not exist."""
    set_to: list[tuple[str, str]] = []
    for name, answer in sorted(chosen.items()):
        if name not in profile.questions:
            known = ", ".join(profile.questions)
            raise ValueError(f"profile {profile.slug} has no switch {name!r}; it has {known}")
        answers = SWITCHES[name]
        if answer not in answers:
            known = ", ".join(answers)
            raise ValueError(f"switch {name} of profile {profile.slug} is one of {known}, not {answer!r}")
        change = answers[answer]
        if change is not None:
            profile = change(profile)
            set_to.append((name, answer))
    return replace(profile, switches=tuple(set_to))


def _tier(index: int, steps: int) -> Change:
    """Return the change of the steps of one tier."""

    def change(profile: Profile) -> Profile:
        tiers = list(profile.made_tiers)
        tiers[index] = replace(tiers[index], steps=steps)
        return replace(profile, made_tiers=tuple(tiers))

    return change


_KITTY_TRUMP: Mapping[str, Change | None] = {
    "true": None,
    "false": lambda profile: replace(profile, kitty_needs_trump=False),
}

SWITCHES: Mapping[str, Mapping[str, Change | None]] = MappingProxyType(
    {
        "throw_rule": {
            "others_void": None,
            "max_now": lambda profile: replace(profile, throw_rule=ThrowRule.MAX_NOW),
        },
        "win_tier_000": {
            "max": None,
            "formula": lambda profile: replace(profile, made_tiers=()),
        },
        "special_001": {"3": None, "2": _tier(1, 2), "1": _tier(1, 1)},
        "cell_70_40_001": {"small": None, "normal": _tier(4, 1)},
        "kitty_trump_001": _KITTY_TRUMP,
        "kitty_trump_004": _KITTY_TRUMP,
        "surrender_004": {
            "false": None,
            "85": lambda profile: replace(profile, surrender_bands=(Band(85, 1),)),
        },
        "bonus_pool": {
            "with_kitty": None,
            "dealt": lambda profile: replace(profile, bonus_with_kitty=False),
        },
        "nt_tractors": {
            "ladder": None,
            "jokers": lambda profile: replace(profile, no_trump_tractors=NoTrumpTractors.JOKERS),
            "none": lambda profile: replace(profile, no_trump_tractors=NoTrumpTractors.NONE),
        },
        "short_tractor_follow": {
            "must": None,
            "pairs": lambda profile: replace(profile, tractor_owed=False),
        },
        "bonus_001_extra": {
            "literal": None,
            "kinds": lambda profile: replace(profile, bonus_rows=BONUS_ROWS_BY_KIND),
        },
        "room_mult_on_bonus_004": {
            "false": None,
            "true": lambda profile: replace(profile, room_on_bonus=True),
        },
    }
)
"""For each switch its answers, the default first, and what they change."""
