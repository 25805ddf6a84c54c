"""From what a person types to a bot that can be started.

A contestant is a bundled bot (`counter`, `cautious@1`), a Python file, another program, a folder with
`bot.toml`, or a command line.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from erqiwang_runner.api_tokens import ApiTokens, Kind
from erqiwang_runner.artefact import pack
from erqiwang_runner.bot_folder import bot_files, portable_command
from erqiwang_runner.contestants import (
    HOUSE_BOTS,
    PYTHON,
    REMOTE,
    STARTER_VERSION,
    Contestant,
    foreign,
    remote,
    starter,
)
from erqiwang_runner.entry_names import letter_of
from erqiwang_runner.errors import UsageError
from erqiwang_runner.local.bot_toml import NAME, BotToml, read_bot_toml
from erqiwang_runner.results import EntryRole
from erqiwang_runner.settings import Settings
from erqiwang_runner.tournament_spec import EntrySpec

_OPTION: Final = re.compile(r"([A-Z])\.([A-Za-z_][A-Za-z0-9_-]*)=(.*)", re.DOTALL)


def read_entries(texts: Iterable[str], options: Iterable[str], profile: str) -> tuple[EntrySpec, ...]:
    """Read the contestants of a play and their options `A.depth=3`; raises UsageError or BadInputError."""
    contestants = tuple(texts)
    chosen = read_options(options, len(contestants))
    return tuple(read_entry(text, chosen.get(number, {}), profile) for number, text in enumerate(contestants))


def read_entry(text: str, options: Mapping[str, str], profile: str) -> EntrySpec:
    """Read one contestant; `profile` is the slug of the rules that it is to play."""
    path = Path(text).expanduser()
    if path.is_dir() and not _is_bundled(text):
        return _from_folder(path, options, profile)
    return EntrySpec(_from_text(text, path), EntryRole.CONTESTANT, dict(options))


def bot_toml_of(text: str) -> BotToml | None:
    """Read the description of a contestant, where it has one."""
    path = Path(text).expanduser()
    return read_bot_toml(path) if path.is_dir() and not _is_bundled(text) else None


def _is_bundled(text: str) -> bool:
    return text.partition("@")[0] in HOUSE_BOTS


def _from_text(text: str, path: Path) -> Contestant:
    if _is_bundled(text):
        name, _, version = text.partition("@")
        if version not in ("", STARTER_VERSION):
            raise UsageError(f"there is no {text}; this release brings {name}@{STARTER_VERSION}")
        return starter(name)
    if path.is_file():
        return foreign(name_of(path.stem), _command_of(path))
    if text.startswith(REMOTE):
        return remote_bot(text.removeprefix(REMOTE))
    words = _words_of(text)
    if len(words) > 1 and _is_program(words[0]):
        return foreign(name_of(_stem_of(words)), tuple(words))
    raise UsageError(
        f"{text!r} is no contestant: give a bundled bot ({', '.join(HOUSE_BOTS)}), a Python file, "
        f"a folder with {NAME}, a command line in quotes, or {REMOTE}NAME for a token that `erqi token` made"
    )


def _from_folder(folder: Path, options: Mapping[str, str], profile: str) -> EntrySpec:
    described = read_bot_toml(folder)
    if described.profiles and profile not in described.profiles:
        raise UsageError(f"{folder} plays {', '.join(described.profiles)}, not {profile} ({NAME}: profiles)")
    for name in options:
        if name not in described.options:
            known = ", ".join(described.options) or "none"
            raise UsageError(f"{folder} has no option {name!r}; there are: {known} ({NAME}: options)")
    chosen = {**described.options, **options}
    files = bot_files(folder, described)
    digest = pack(files).digest
    contestant = Contestant(
        name=described.name,
        version=described.version or digest[:12],
        command=portable_command(described, files),
        artefact_hash=digest,
        home=folder.resolve(),
    )
    return EntrySpec(contestant, EntryRole.CONTESTANT, chosen)


def remote_bot(name: str, data: Path | None = None) -> Contestant:
    """Give the bot with the API token of that name; raises UsageError if `data` has none."""
    token = ApiTokens.of(data or Settings.from_environment().data).get(name)
    if token.kind is not Kind.BOT:
        raise UsageError(f"the token {name!r} is a runner's, not a bot's")
    return remote(name, token.sha256)


def _command_of(path: Path) -> tuple[str, ...]:
    if path.suffix == ".py":
        return (PYTHON, str(path))
    if os.access(path, os.X_OK):
        return (str(path),)
    raise UsageError(f"{path} is neither a Python file nor a program that may be run")


def _words_of(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError as error:
        raise UsageError(f"{text!r} cannot be read as a command line: {error}") from None


def _is_program(word: str) -> bool:
    return shutil.which(word) is not None


def _stem_of(words: list[str]) -> str:
    """Call a command after the first file that it names, else after its program."""
    return next((Path(word).stem for word in words[1:] if Path(word).is_file()), Path(words[0]).name)


def name_of(stem: str) -> str:
    """Make the name of a bot from that of its file."""
    return re.sub(r"[^A-Za-z0-9._-]", "-", stem) or "bot"


def read_options(texts: Iterable[str], contestants: int) -> dict[int, dict[str, str]]:
    """Read options `A.depth=3` by the numbers of their contestants; raises UsageError."""
    letters = [letter_of(number) for number in range(contestants)]
    chosen: dict[int, dict[str, str]] = {}
    for text in texts:
        found = _OPTION.fullmatch(text)
        if found is None:
            raise UsageError(f"--option {text!r} is not LETTER.NAME=VALUE, such as A.depth=3")
        if found[1] not in letters:
            raise UsageError(f"--option {text!r}: the contestants are {letters[0]} to {letters[-1]}")
        chosen.setdefault(letters.index(found[1]), {})[found[2]] = found[3]
    return chosen
