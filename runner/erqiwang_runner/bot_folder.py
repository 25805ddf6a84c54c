"""The folder of a bot: which of its files make it what it is, and how its command names them.

A folder says everything about its bot: what its command or its `files` would fetch from elsewhere is refused,
because no other machine would have it.
"""

from __future__ import annotations

import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from erqiwang_runner.contestants import HOME, PYTHON
from erqiwang_runner.errors import BadInputError
from erqiwang_runner.local.bot_toml import NAME, BotToml

FILES_MAX: Final = 10_000
BYTES_MAX: Final = 256 << 20
_EVERYTHING: Final = ("**/*",)
_PYTHONS: Final = ("python", "python3")
_CACHES: Final = ("__pycache__",)


@dataclass(frozen=True, slots=True)
class BotFile:
    """A file of a bot: its place below the folder, with slashes, and where it is read."""

    name: str
    path: Path
    is_program: bool
    size: int


def bot_files(folder: Path, described: BotToml) -> tuple[BotFile, ...]:
    """List the files that make a bot what it is, by name: those that it names, or all that are not hidden.

    Raises BadInputError for a file that lies elsewhere, for what is no file, and for too much.
    """
    root = folder.resolve()
    found = {NAME: root / NAME}
    for glob in described.files or _EVERYTHING:
        for path in _matches(folder, root, glob):
            name = path.relative_to(root).as_posix()
            if not _is_hidden(name) and not path.is_dir():
                found[name] = path
        if len(found) > FILES_MAX:
            raise BadInputError(f"{folder}: more than {FILES_MAX} files; say in {NAME} which ones (`files`)")
    files = tuple(_bot_file(folder, root, name, found[name]) for name in sorted(found))
    size = sum(file.size for file in files)
    if size > BYTES_MAX:
        most = max(files, key=lambda file: file.size)
        raise BadInputError(
            f"{folder}: {size >> 20} MiB of files, at most {BYTES_MAX >> 20} are taken "
            f"(the largest is {most.name}, {most.size >> 20} MiB)"
        )
    return files


def portable_command(described: BotToml, files: tuple[BotFile, ...]) -> tuple[str, ...]:
    """Give the command with marks for the interpreter and for the folder, for any machine with the files."""
    places = _places(files)
    return tuple(_portable(word, places) for word in described.command)


def check_portable(folder: Path, described: BotToml, files: tuple[BotFile, ...]) -> None:
    """Make sure that the command needs no file but these; raises BadInputError that names the word."""
    places = _places(files)
    for word in described.command:
        pure = PurePosixPath(word)
        if pure.is_absolute() or ".." in pure.parts:
            raise BadInputError(f"{folder / NAME}: command: {word!r} leads out of the folder")
        if word and pure.as_posix() not in places and (folder / word).exists():
            raise BadInputError(f"{folder / NAME}: command: {word!r} is left out by `files`")


def _matches(folder: Path, root: Path, glob: str) -> Iterator[Path]:
    pure = PurePosixPath(glob)
    if pure.is_absolute() or ".." in pure.parts:
        raise BadInputError(f"{folder / NAME}: files: {glob!r} leads out of the folder")
    try:
        return root.glob(glob)
    except ValueError as error:
        raise BadInputError(f"{folder / NAME}: files: {glob!r}: {error}") from None


def _is_hidden(name: str) -> bool:
    return any(part.startswith(".") or part in _CACHES for part in PurePosixPath(name).parts)


def _bot_file(folder: Path, root: Path, name: str, path: Path) -> BotFile:
    if not path.resolve().is_relative_to(root):
        raise BadInputError(f"{folder / name} is a link that leads out of the folder")
    try:
        status = path.stat()
    except OSError as error:
        raise BadInputError(f"{folder / name}: {error.strerror}") from None
    if not stat.S_ISREG(status.st_mode):
        raise BadInputError(f"{folder / name} is no ordinary file")
    return BotFile(name, path, bool(status.st_mode & stat.S_IXUSR), status.st_size)


def _places(files: tuple[BotFile, ...]) -> set[str]:
    names = {file.name for file in files}
    return (names | {str(parent) for name in names for parent in PurePosixPath(name).parents}) - {"."}


def _portable(word: str, places: set[str]) -> str:
    if word in _PYTHONS:
        return PYTHON
    name = PurePosixPath(word).as_posix()
    return f"{HOME}/{name}" if name in places else word
