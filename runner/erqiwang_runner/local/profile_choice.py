"""`--profile`: a profile of the catalogue by its slug, or a TOML file with a house profile."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from erqiwang.rules import Profile, get_profile, read_profile
from erqiwang_runner.chosen_rules import chosen_rules
from erqiwang_runner.errors import BadInputError


@dataclass(frozen=True, slots=True)
class ProfileChoice:
    """A profile with switches; `definition` holds the rules where they are a house's own."""

    slug: str = "classic"
    switches: Mapping[str, str] = field(default_factory=dict[str, str])
    definition: Profile | None = None

    def rules(self) -> Profile:
        """Give the rules; raises UsageError."""
        if self.definition is not None:
            return self.definition
        return chosen_rules(self.slug, self.switches)


def choose_profile(text: str, switches: Mapping[str, str]) -> ProfileChoice:
    """Read `--profile` and `--switch`; raises UsageError or BadInputError.

    A file that sets nothing but switches is its base with these switches: no other game than the catalogue's.
    """
    if not text.endswith(".toml"):
        return ProfileChoice(text, switches)
    path = Path(text)
    content = _content(path)
    profile = _house(path, content)
    top: dict[str, object] = tomllib.loads(content)
    if top.get("rules"):
        if switches:
            profile = _house(path, content, switches)
        return ProfileChoice(profile.slug, dict(profile.switches), profile)
    in_file = cast("dict[str, str]", top.get("switches", {}))  # read_profile saw to it
    plain = get_profile(str(top["base"]), in_file)
    return ProfileChoice(plain.slug, {**dict(plain.switches), **switches})


def read_house(path: Path) -> Profile:
    """Read a file with a house profile; raises BadInputError."""
    return _house(path, _content(path))


def _content(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise BadInputError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise BadInputError(f"{path}: not a text in UTF-8") from None


def _house(path: Path, content: str, switches: Mapping[str, str] | None = None) -> Profile:
    try:
        return read_profile(content, switches or {})
    except ValueError as error:
        raise BadInputError(f"{path}: {error}") from None
