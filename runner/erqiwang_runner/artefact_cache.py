"""Artefacts on a worker's machine: fetched once by their hash, and kept as archives."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from erqiwang_runner.artefact import Artefact
from erqiwang_runner.errors import UnavailableError

CACHE_BYTES: Final = 4 << 30

Fetch = Callable[[str], bytes | None]
"""Gives the archive of a hash, or None where there is none."""


class ArtefactCache:
    """The archives that a machine keeps, shared by its workers; those not used for longest go first."""

    def __init__(self, directory: Path, fetch: Fetch, limit: int = CACHE_BYTES) -> None:
        self._directory = directory
        self._fetch = fetch
        self._limit = limit

    def get(self, digest: str) -> Artefact:
        """Give an artefact, from here or from the store; raises UnavailableError if nobody has it."""
        file = self._directory / f"{digest}.tar"
        with suppress(OSError):
            kept = file.read_bytes()
            if _has(kept, digest):
                os.utime(file)
                return Artefact(kept)
        archive = self._fetch(digest)
        if archive is None or not _has(archive, digest):
            what = "is not in the store" if archive is None else "does not have the contents of its name"
            raise UnavailableError(f"the artefact {digest[:12]} {what}")
        self._keep(file, archive)
        return Artefact(archive)

    def _keep(self, file: Path, archive: bytes) -> None:
        """Write an archive under its name at once; a machine without room for it does without."""
        with suppress(OSError):
            self._directory.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._make_room(len(archive))
            with tempfile.NamedTemporaryFile(dir=self._directory, prefix="new-", delete=False) as part:
                part.write(archive)
            os.replace(part.name, file)

    def _make_room(self, wanted: int) -> None:
        kept = sorted((path.stat().st_mtime, path.stat().st_size, path) for path in self._directory.iterdir())
        size = sum(each[1] for each in kept) + wanted
        for _, bytes_of, path in kept:
            if size <= self._limit:
                break
            path.unlink(missing_ok=True)
            size -= bytes_of


def _has(archive: bytes, digest: str) -> bool:
    return hashlib.sha256(archive).hexdigest() == digest
