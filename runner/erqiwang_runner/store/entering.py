"""From the text of an entry to a contestant that the platform can start, its files being stored.

An entry is `NAME=COMMAND`, `remote:NAME`, a stored bot, a folder with `bot.toml`, or whatever `erqi play`
takes for a bot.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from erqiwang_runner.contestants import HOUSE_BOTS, REMOTE, foreign
from erqiwang_runner.errors import UsageError
from erqiwang_runner.local import bots
from erqiwang_runner.results import EntryRole
from erqiwang_runner.store import contestants
from erqiwang_runner.store.engine import Database
from erqiwang_runner.store.intake import take_in, take_in_file
from erqiwang_runner.tournament_spec import EntrySpec

_STORED: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*(@[A-Za-z0-9._+-]+)?")


def entry_of(
    database: Database, text: str, options: Mapping[str, str], profile: str, tokens: Path | None = None
) -> EntrySpec:
    """Read an entry, storing the bot of a folder; raises UsageError or BadInputError.

    Remote bots are known by their tokens in the data directory `tokens`; without one they are refused.
    """
    found = _entry_of(database, text, options, profile, tokens)
    if not found.contestant.is_remote:
        return found
    if tokens is None:
        raise UsageError(
            f"{text} comes over the network: only erqi tournament create and erqi play --referee take it"
        )
    if found.options:
        raise UsageError(f"{text} has no options: its author starts it")
    return found


def _entry_of(
    database: Database, text: str, options: Mapping[str, str], profile: str, tokens: Path | None
) -> EntrySpec:
    if text.startswith(REMOTE):
        bot = bots.remote_bot(text.removeprefix(REMOTE), tokens)
        return EntrySpec(bot, EntryRole.CONTESTANT, dict(options))
    name, separator, command = text.partition("=")
    if separator and not Path(text).exists():
        words = tuple(shlex.split(command))
        if not name or not words or name in HOUSE_BOTS:
            raise UsageError(
                f"--entry {text!r} is neither a starter bot nor NAME=COMMAND with a name of your own"
            )
        return EntrySpec(foreign(name, words), EntryRole.CONTESTANT, dict(options))
    if _is_starter(text):
        return bots.read_entry(text, options, profile)
    folder = Path(text).expanduser()
    if folder.is_dir():
        contestant, _ = take_in(database, folder)
        return _stored(database, str(contestant), options, profile)
    if _STORED.fullmatch(text) and not folder.exists():
        return _stored(database, text, options, profile)
    return bots.read_entry(text, options, profile)


def version_of(database: Database, text: str, options: Mapping[str, str], profile: str) -> EntrySpec:
    """Read an entry as `entry_of` does, but store what it is now under a version of its own.

    Two states of a folder may call themselves the same version; what waits in a queue must not change.
    """
    path = Path(text).expanduser()
    if _is_starter(text) or not path.exists():
        return entry_of(database, text, options, profile)
    if path.is_dir():
        contestant, _ = take_in(database, path, is_snapshot=True)
        return _stored(database, str(contestant), options, profile)
    return EntrySpec(take_in_file(database, path), EntryRole.CONTESTANT, dict(options))


def _is_starter(text: str) -> bool:
    return text.partition("@")[0] in HOUSE_BOTS


def _stored(database: Database, text: str, options: Mapping[str, str], profile: str) -> EntrySpec:
    """Enter a bot that `erqi bot add` stored, with the values of its options."""
    with database.read() as connection:
        row = contestants.find(connection, text)
    if row.retired_at is not None:
        raise UsageError(f"{row.contestant} is retired")
    profiles: list[str] = row.traits.get("profiles", [])
    if profiles and profile not in profiles:
        raise UsageError(f"{row.contestant} plays {', '.join(profiles)}, not {profile}")
    defaults: Mapping[str, str] = row.traits.get("options", {})
    if unknown := sorted(options.keys() - defaults.keys()):
        known = ", ".join(defaults) or "none"
        raise UsageError(f"{row.contestant} has no option {unknown[0]!r}; there are: {known}")
    return EntrySpec(row.contestant, EntryRole.CONTESTANT, {**defaults, **options})
