"""The SDK of erqiwang: write a bot for 二七王, run it, test it.

::

    from erqiwang import Bot, run

Names are loaded when they are first used, so that the rule book (`erqiwang.rules`) needs neither grpc nor
protobuf.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from erqiwang.async_bot import AsyncBot
    from erqiwang.async_client import run_async
    from erqiwang.batch_bot import BatchBot
    from erqiwang.bot import Bot, BotFactory
    from erqiwang.chance import TableRandom
    from erqiwang.client import run
    from erqiwang.deciding import decide
    from erqiwang.errors import (
        BotError,
        ErqiwangError,
        RefusedError,
        SessionError,
        SettingsError,
        UnavailableError,
        WireError,
    )
    from erqiwang.knowledge import Knowledge
    from erqiwang.rules import (
        Card,
        Profile,
        RuleViolation,
        SeatView,
        Trump,
        TurnKind,
        card_points,
        format_cards,
        get_profile,
        parse_cards,
    )
    from erqiwang.settings import options

__all__ = [
    "AsyncBot",
    "BatchBot",
    "Bot",
    "BotError",
    "BotFactory",
    "Card",
    "ErqiwangError",
    "Knowledge",
    "Profile",
    "RefusedError",
    "RuleViolation",
    "SeatView",
    "SessionError",
    "SettingsError",
    "TableRandom",
    "Trump",
    "TurnKind",
    "UnavailableError",
    "WireError",
    "card_points",
    "decide",
    "format_cards",
    "get_profile",
    "options",
    "parse_cards",
    "run",
    "run_async",
]

_MODULES = {
    "erqiwang.async_bot": ("AsyncBot",),
    "erqiwang.async_client": ("run_async",),
    "erqiwang.batch_bot": ("BatchBot",),
    "erqiwang.bot": ("Bot", "BotFactory"),
    "erqiwang.chance": ("TableRandom",),
    "erqiwang.client": ("run",),
    "erqiwang.deciding": ("decide",),
    "erqiwang.errors": (
        "BotError",
        "ErqiwangError",
        "RefusedError",
        "SessionError",
        "SettingsError",
        "UnavailableError",
        "WireError",
    ),
    "erqiwang.knowledge": ("Knowledge",),
    "erqiwang.rules": (
        "Card",
        "Profile",
        "RuleViolation",
        "SeatView",
        "Trump",
        "TurnKind",
        "card_points",
        "format_cards",
        "get_profile",
        "parse_cards",
    ),
    "erqiwang.settings": ("options",),
}
_HOME = {name: module for module, names in _MODULES.items() for name in names}


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
