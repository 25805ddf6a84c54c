"""What a bot's process learns from its environment."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeGuard

from erqiwang.errors import SettingsError


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Where the referee is and who the bot is.

    `referee` is `tls://HOST:PORT`, or a gRPC target of this machine such as `unix:/run/p3.sock` or
    `localhost:7070`; `token` is the secret that the player was started with, or the API token of a remote
    bot. `ca` is a PEM file of the authorities that are believed (None: those that gRPC brings along),
    `certificate` and `key` are the bot's own, where the referee asks for them. `allow_clear` permits a
    network without TLS.

    `connect_timeout_s` is how long the referee may take to answer at first, `rejoin_timeout_s` how long a
    broken stream is tried again, `lobby_timeout_s` how long a remote bot without a match tries to come
    back.
    """

    referee: str
    token: str
    ca: Path | None = None
    certificate: Path | None = None
    key: Path | None = None
    allow_clear: bool = False
    connect_timeout_s: float = 10.0
    rejoin_timeout_s: float = 3.0
    lobby_timeout_s: float = 600.0

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> Settings:
        """Read `ERQI_REFEREE`, `ERQI_TOKEN`, `ERQI_CA`, `ERQI_CERT`, `ERQI_KEY` and `ERQI_ALLOW_CLEAR`.

        Raises `SettingsError` if one of the first two is missing or empty, or the last is not 0 or 1.
        """
        missing = [name for name in ("ERQI_REFEREE", "ERQI_TOKEN") if not environment.get(name)]
        if missing:
            raise SettingsError(
                f"{' and '.join(missing)} not set: the platform starts a bot (`erqi play`), or by hand give "
                "ERQI_REFEREE=<gRPC target of the referee> and ERQI_TOKEN=<token of the player>"
            )
        allow_clear = environment.get("ERQI_ALLOW_CLEAR", "0")
        if allow_clear not in ("0", "1", ""):
            raise SettingsError(f"ERQI_ALLOW_CLEAR must be 0 or 1, not {allow_clear!r}")
        return cls(
            referee=environment["ERQI_REFEREE"],
            token=environment["ERQI_TOKEN"],
            ca=_path(environment, "ERQI_CA"),
            certificate=_path(environment, "ERQI_CERT"),
            key=_path(environment, "ERQI_KEY"),
            allow_clear=allow_clear == "1",
        )


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


def _path(environment: Mapping[str, str], name: str) -> Path | None:
    text = environment.get(name)
    return Path(text) if text else None
