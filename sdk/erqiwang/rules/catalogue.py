"""The profiles by name, and the version of the rule book."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from erqiwang.rules.profile import Profile
from erqiwang.rules.profiles.classic import CLASSIC, CLASSIC_1DECK, TONGCHENGLE
from erqiwang.rules.profiles.jiangxi import JIANGXI, JIANGXI_3P, JIANGXI_92
from erqiwang.rules.profiles.mobile import MOBILE
from erqiwang.rules.profiles.qq import QQ
from erqiwang.rules.switches import switched

RULES_VERSION = "1.0.0"
"""Version of the rule book; its first number changes when a record could be judged differently."""

PROFILES: Mapping[str, Profile] = MappingProxyType(
    {
        profile.slug: profile
        for profile in (
            CLASSIC,
            CLASSIC_1DECK,
            MOBILE,
            JIANGXI,
            JIANGXI_92,
            JIANGXI_3P,
            TONGCHENGLE,
            QQ,
        )
    }
)
"""Every profile with its default switches, by slug."""

_NO_SWITCHES: Mapping[str, str] = MappingProxyType({})


def get_profile(slug: str, switches: Mapping[str, str] = _NO_SWITCHES) -> Profile:
    """Return a profile with some switches set; raise `ValueError` naming what does not exist."""
    profile = PROFILES.get(slug)
    if profile is None:
        raise ValueError(f"no such profile: {slug!r}; there are {', '.join(PROFILES)}")
    return switched(profile, switches) if switches else profile
