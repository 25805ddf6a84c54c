"""Taking a bot's folder into the store: its description, its files, its version for ever."""

from __future__ import annotations

from pathlib import Path

from erqiwang_runner.artefact import pack
from erqiwang_runner.bot_folder import BotFile, bot_files, check_portable, portable_command
from erqiwang_runner.contestants import STARTERS, Contestant
from erqiwang_runner.errors import BadInputError, UsageError
from erqiwang_runner.local.bot_toml import BotToml, read_bot_toml
from erqiwang_runner.store import contestants
from erqiwang_runner.store.engine import Database


def take_in(database: Database, folder: Path) -> tuple[Contestant, tuple[BotFile, ...]]:
    """Store the bot of a folder, so that workers on any machine can fetch it; again, it changes nothing.

    Raises BadInputError for a folder that is not whole in itself, UsageError for a name or version that is
    taken.
    """
    described = read_bot_toml(folder)
    if described.name in STARTERS:
        raise BadInputError(f"{folder}: {described.name} is the name of a bundled bot; choose another")
    files = bot_files(folder, described)
    check_portable(folder, described, files)
    artefact = pack(files)
    contestant = Contestant(
        described.name,
        described.version or artefact.digest[:12],
        portable_command(described, files),
        artefact.digest,
    )
    with database.write() as connection:
        contestants.find_or_add(connection, contestant, _traits(described))
        if contestants.find(connection, str(contestant)).retired_at is not None:
            raise UsageError(f"{contestant} is retired; give the bot a new version")
        contestants.keep_artefact(connection, artefact)
    return contestant, files


def _traits(described: BotToml) -> dict[str, object]:
    traits: dict[str, object] = {
        "language": described.language,
        "profiles": list(described.profiles),
        "stateless": described.stateless,
        "options": dict(described.options),
    }
    return {name: value for name, value in traits.items() if value}
