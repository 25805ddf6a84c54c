"""`--profile`: a profile of the catalogue by its slug, or a TOML file that sets switches of one."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from erqiwang.rules import Profile, get_profile, read_profile
from erqiwang_runner.errors import BadInputError, UsageError


@dataclass(frozen=True, slots=True)
class ProfileChoice:
    """A profile with switches: what the wire can tell a bot."""

    slug: str = "classic"
    switches: Mapping[str, str] = field(default_factory=dict[str, str])

    def rules(self) -> Profile:
        """Give the rules; raises UsageError."""
        try:
            return get_profile(self.slug, dict(self.switches))
        except (LookupError, ValueError) as error:
            raise UsageError(str(error.args[0])) from None


def choose_profile(text: str, switches: Mapping[str, str]) -> ProfileChoice:
    """Read `--profile` and `--switch`; raises UsageError or BadInputError."""
    if not text.endswith(".toml"):
        return ProfileChoice(text, switches)
    path = Path(text)
    try:
        content = path.read_text(encoding="utf-8")
        profile = read_profile(content)
    except OSError as error:
        raise BadInputError(f"{path}: {error.strerror}") from None
    except ValueError as error:
        raise BadInputError(f"{path}: {error}") from None
    top: dict[str, object] = tomllib.loads(content)
    if top.get("rules"):
        raise BadInputError(
            f"{path}: rules: a bot is told a profile and its switches, so a play may change switches only"
        )
    return ProfileChoice(str(top["base"]), {**dict(profile.switches), **switches})
