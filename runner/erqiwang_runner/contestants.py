"""Contestants: immutable versions of bots."""

import hashlib
import json
import re
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import Final

from erqiwang_runner.errors import UsageError

STARTERS: Final = ("random", "lowest", "cautious", "counter")
"""Bots that come with the platform, in the order in which they enter a demo."""

HOUSE_BOTS: Final = (*STARTERS, "montecarlo")
"""All bots that come with the platform, from weak to strong."""

STARTER_VERSION: Final = "1"
PYTHON: Final = "{python}"
"""Stands in a stored command for the interpreter of the machine that runs it."""

HOME: Final = "{bot}"
"""Stands in a stored command for the folder of the bot's files on the machine that runs it."""

REMOTE: Final = "remote:"
"""Begins the command of a bot that stays on its author's machine; the SHA-256 of its API token follows."""

_PLACEHOLDER: Final = re.compile(r"\{([A-Za-z_][A-Za-z0-9_-]*)\}")


@dataclass(frozen=True, slots=True)
class Contestant:
    """One version of a bot: `command` starts a player, `bundled` marks the bots of the platform itself.

    The same name and version with another `artefact_hash` is refused by the store. `home` is the folder of
    its files on this machine, where they were brought here.
    """

    name: str
    version: str
    command: tuple[str, ...]
    artefact_hash: str
    bundled: bool = False
    home: Path | None = None

    def __str__(self) -> str:
        return f"{self.name}@{self.version}"

    @property
    def remote_token_sha256(self) -> bytes | None:
        """By what a remote bot is known in a referee's lobby; None for a bot that is started here."""
        (word, *more) = self.command or ("",)
        return bytes.fromhex(word.removeprefix(REMOTE)) if word.startswith(REMOTE) and not more else None

    @property
    def is_remote(self) -> bool:
        """Whether it stays on its author's machine."""
        return self.remote_token_sha256 is not None

    @property
    def needs_home(self) -> bool:
        """Whether the command names files that came with the bot's artefact."""
        return any(word.startswith(HOME) for word in self.command)

    def argv(self, options: Mapping[str, str] = MappingProxyType({})) -> tuple[str, ...]:
        """Give the command as it is run on this machine, with `{name}` replaced by the value of an option."""
        return tuple(self._word(word, options) for word in self.command)

    def _word(self, word: str, options: Mapping[str, str]) -> str:
        if word == PYTHON:
            return sys.executable
        if self.home is not None and word.startswith(HOME):
            return str(self.home) + word.removeprefix(HOME)
        return _PLACEHOLDER.sub(lambda found: options.get(found[1], found[0]), word)


def starter(name: str) -> Contestant:
    """Give a bot that comes with the platform by its name."""
    if name not in HOUSE_BOTS:
        raise UsageError(f"no starter bot {name!r}; there are {', '.join(HOUSE_BOTS)}")
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


def remote(name: str, token_sha256: str) -> Contestant:
    """Give a bot that stays on its author's machine: nobody knows its files, so its token stands for it."""
    command = (REMOTE + token_sha256,)
    return Contestant(name, f"remote-{token_sha256[:8]}", command, artefact_hash(command, ()))


def artefact_hash(command: tuple[str, ...], files: Iterable[Path]) -> str:
    """Hash what a bot is made of: its command and the contents of its files, in their order."""
    digest = hashlib.sha256(json.dumps(command).encode())
    for file in files:
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()
