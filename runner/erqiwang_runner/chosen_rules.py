"""The rules that somebody asked for by the name of a profile and its switches."""

from collections.abc import Mapping

from erqiwang.rules import Profile, get_profile
from erqiwang_runner.errors import UsageError


def chosen_rules(profile: str, switches: Mapping[str, str]) -> Profile:
    """Give a profile of the catalogue with its switches; raises UsageError."""
    try:
        return get_profile(profile, dict(switches))
    except (LookupError, ValueError) as error:
        raise UsageError(str(error.args[0])) from None
