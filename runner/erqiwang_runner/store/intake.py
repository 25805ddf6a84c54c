"""Taking a bot's folder into the store: its description, its files, its version for ever."""

from __future__ import annotations

import os
from pathlib import Path

from erqiwang_runner.artefact import pack
from erqiwang_runner.bot_folder import BotFile, bot_files, check_portable, portable_command
from erqiwang_runner.contestants import HOME, HOUSE_BOTS, PYTHON, Contestant
from erqiwang_runner.errors import BadInputError, UsageError
from erqiwang_runner.local import bots
from erqiwang_runner.local.bot_toml import BotToml, read_bot_toml
from erqiwang_runner.store import contestants
from erqiwang_runner.store.engine import Database


def take_in(
    database: Database, folder: Path, *, is_snapshot: bool = False
) -> tuple[Contestant, tuple[BotFile, ...]]:
    """Store the bot of a folder, so that workers on any machine can fetch it; again, it changes nothing.

    With `is_snapshot` the hash of its files is a part of its version, so that no version is taken for it.

    Raises BadInputError for a folder that is not whole in itself, UsageError for a name or version that is
    taken.
    """
    described = read_bot_toml(folder)
    if described.name in HOUSE_BOTS:
        raise BadInputError(f"{folder}: {described.name} is the name of a bundled bot; choose another")
    files = bot_files(folder, described)
    check_portable(folder, described, files)
    artefact = pack(files)
    digest = artefact.digest[:12]
    version = f"{described.version[:48]}+{digest}" if described.version and is_snapshot else described.version
    contestant = Contestant(
        described.name,
        version or digest,
        portable_command(described, files),
        artefact.digest,
    )
    with database.write() as connection:
        contestants.find_or_add(connection, contestant, _traits(described))
        if contestants.find(connection, str(contestant)).retired_at is not None:
            raise UsageError(f"{contestant} is retired; give the bot a new version")
        contestants.keep_artefact(connection, artefact)
    return contestant, files


def take_in_file(database: Database, path: Path) -> Contestant:
    """Store a bot that is one file, a Python file or a program, and nothing else; raises UsageError."""
    is_python = path.suffix == ".py"
    if not is_python and not os.access(path, os.X_OK):
        raise UsageError(f"{path} is neither a Python file nor a program that may be run")
    artefact = pack([BotFile(path.name, path, not is_python, path.stat().st_size)])
    place = f"{HOME}/{path.name}"
    contestant = Contestant(
        bots.name_of(path.stem),
        artefact.digest[:12],
        (PYTHON, place) if is_python else (place,),
        artefact.digest,
    )
    with database.write() as connection:
        contestants.find_or_add(connection, contestant)
        contestants.keep_artefact(connection, artefact)
    return contestant


def _traits(described: BotToml) -> dict[str, object]:
    traits: dict[str, object] = {
        "language": described.language,
        "profiles": list(described.profiles),
        "stateless": described.stateless,
        "options": dict(described.options),
    }
    return {name: value for name, value in traits.items() if value}
