"""A bot as one archive: the same bytes, and so the same hash, wherever the same files are packed."""

from __future__ import annotations

import hashlib
import io
import tarfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from erqiwang_runner.bot_folder import BotFile
from erqiwang_runner.errors import BadInputError


@dataclass(frozen=True, slots=True)
class Artefact:
    """The files of a bot: a tar archive with sorted names, and without times and owners."""

    archive: bytes

    @property
    def digest(self) -> str:
        """SHA-256 of the archive, 64 hexadecimal digits: the identity of the bot's files."""
        return hashlib.sha256(self.archive).hexdigest()


def pack(files: Iterable[BotFile]) -> Artefact:
    """Pack files, which must be sorted by name; raises BadInputError for one that cannot be read."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for file in files:
            content = _read(file)
            entry = tarfile.TarInfo(file.name)
            entry.size = len(content)
            entry.mode = 0o755 if file.is_program else 0o644
            archive.addfile(entry, io.BytesIO(content))
    return Artefact(buffer.getvalue())


def unpack(artefact: Artefact, folder: Path) -> None:
    """Write the files below a new folder, for reading only; raises BadInputError for one outside of it."""
    folder.mkdir(mode=0o755)
    with tarfile.open(fileobj=io.BytesIO(artefact.archive)) as archive:
        for entry in archive:
            content = archive.extractfile(entry) if entry.isreg() else None
            name = PurePosixPath(entry.name)
            if content is None or name.is_absolute() or ".." in name.parts:
                raise BadInputError(
                    f"the archive of a bot holds {entry.name!r}, which is no file of a folder"
                )
            place = folder / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content.read())
            place.chmod(entry.mode & 0o555)


def _read(file: BotFile) -> bytes:
    try:
        return file.path.read_bytes()
    except OSError as error:
        raise BadInputError(f"{file.path}: {error.strerror}") from None
