"""Contestants: immutable versions of bots."""

import hashlib
import json
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from erqiwang_runner.errors import UsageError

STARTERS: Final = ("random", "lowest", "cautious", "counter")
"""The bots that come with the platform, in the order in which they enter a demo."""

STARTER_VERSION: Final = "1"
PYTHON: Final = "{python}"
"""Stands in a stored command for the interpreter of the machine that runs it."""


@dataclass(frozen=True, slots=True)
class Contestant:
    """One version of a bot: `command` starts a player, `bundled` marks the bots of the platform itself.

    The same name and version with another `artefact_hash` is refused by the store.
    """

    name: str
    version: str
    command: tuple[str, ...]
    artefact_hash: str
    bundled: bool = False

    def __str__(self) -> str:
        return f"{self.name}@{self.version}"

    def argv(self) -> tuple[str, ...]:
        """Give the command as it is run on this machine."""
        return tuple(sys.executable if word == PYTHON else word for word in self.command)


def starter(name: str) -> Contestant:
    """Give a starter bot by its name."""
    if name not in STARTERS:
        raise UsageError(f"no starter bot {name!r}; there are {', '.join(STARTERS)}")
    module = f"erqiwang.bots.{name}"
    spec = find_spec(module)
    if spec is None or spec.origin is None:
        raise UsageError(f"the starter bot {name} is not installed")
    command = (PYTHON, "-m", module)
    # The starters share modules: what one of them plays depends on the whole folder.
    files = sorted(Path(spec.origin).parent.glob("*.py"))
    return Contestant(name, STARTER_VERSION, command, artefact_hash(command, files), bundled=True)


def foreign(name: str, command: tuple[str, ...]) -> Contestant:
    """Give a bot of the user's by the command that starts it, its version being the hash of its files.

    The files are those words of the command that name an existing file.
    """
    files = [Path(word) for word in command if Path(word).is_file()]
    absolute = tuple(str(Path(word).absolute()) if Path(word).is_file() else word for word in command)
    digest = artefact_hash(command, files)
    return Contestant(name, digest[:12], absolute, digest)


def artefact_hash(command: tuple[str, ...], files: Iterable[Path]) -> str:
    """Hash what a bot is made of: its command and the contents of its files, in their order."""
    digest = hashlib.sha256(json.dumps(command).encode())
    for file in files:
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()
