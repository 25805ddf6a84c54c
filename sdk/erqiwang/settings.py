"""What a bot's process learns from its environment."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeGuard

from erqiwang.errors import SettingsError


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Where the referee is and who the bot is.

    `referee` is a gRPC target such as `unix:/run/p3.sock` or `localhost:7070`; `token` is the secret that the
    player was started with; `connect_timeout_s` is how long the referee may take to answer at first,
    `rejoin_timeout_s` how long a broken stream is tried again.
    """

    referee: str
    token: str
    connect_timeout_s: float = 10.0
    rejoin_timeout_s: float = 3.0

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> Settings:
        """Read `ERQI_REFEREE` and `ERQI_TOKEN`; raises `SettingsError` if one is missing or empty."""
        missing = [name for name in ("ERQI_REFEREE", "ERQI_TOKEN") if not environment.get(name)]
        if missing:
            raise SettingsError(
                f"{' and '.join(missing)} not set: the platform starts a bot (`erqi play`), or by hand give "
                "ERQI_REFEREE=<gRPC target of the referee> and ERQI_TOKEN=<token of the player>"
            )
        return cls(referee=environment["ERQI_REFEREE"], token=environment["ERQI_TOKEN"])


def options(environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Read the options that the entry was given (`--option A.depth=3` gives `{"depth": "3"}`).

    Raises `SettingsError` if `ERQI_OPTIONS` is no JSON object.
    """
    text = environment.get("ERQI_OPTIONS", "{}")
    try:
        value: object = json.loads(text)
    except ValueError as error:
        raise SettingsError(f"ERQI_OPTIONS is no JSON: {error}") from None
    if not _is_object(value):
        raise SettingsError("ERQI_OPTIONS is no JSON object")
    return {name: item if isinstance(item, str) else json.dumps(item) for name, item in value.items()}


def _is_object(value: object) -> TypeGuard[dict[str, object]]:
    return isinstance(value, dict)
