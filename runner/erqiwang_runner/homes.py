"""Where a worker child keeps the unpacked files of the bots that it plays."""

from __future__ import annotations

import compileall
import shutil
from dataclasses import replace
from pathlib import Path

from erqiwang_runner.artefact import unpack
from erqiwang_runner.artefact_cache import ArtefactCache
from erqiwang_runner.contestants import Contestant
from erqiwang_runner.match_claim import MatchClaim

_Listing = dict[str, tuple[int, int, int]]


class Homes:
    """A private folder per artefact, for one process that plays one match at a time.

    A folder that a player changed, or wrote into, is made again before the next match: nothing that was kept
    there reaches another player.
    """

    def __init__(self, directory: Path, cache: ArtefactCache) -> None:
        self._directory = directory
        self._cache = cache
        self._listings: dict[str, _Listing] = {}

    def settle(self, claim: MatchClaim) -> MatchClaim:
        """Give the claim with a home for every bot that needs one; raises UnavailableError."""
        group = tuple(replace(entry, contestant=self._at_home(entry.contestant)) for entry in claim.group)
        return replace(claim, group=group)

    def close(self) -> None:
        """Remove the folders."""
        shutil.rmtree(self._directory, ignore_errors=True)

    def _at_home(self, contestant: Contestant) -> Contestant:
        if not contestant.needs_home:
            return contestant
        digest = contestant.artefact_hash
        folder = self._directory / digest
        if digest not in self._listings or _listing(folder) != self._listings[digest]:
            self._make(digest, folder)
        return replace(contestant, home=folder)

    def _make(self, digest: str, folder: Path) -> None:
        artefact = self._cache.get(digest)
        shutil.rmtree(folder, ignore_errors=True)
        self._directory.mkdir(parents=True, exist_ok=True)
        unpack(artefact, folder)
        # Written now, byte code is not written by the first player that imports it.
        compileall.compile_dir(folder, quiet=2)
        self._listings[digest] = _listing(folder)


def _listing(folder: Path) -> _Listing:
    """List what is below a folder: kind and mode, size, time of change."""
    found: _Listing = {}
    for path in folder.rglob("*"):
        status = path.lstat()
        found[path.relative_to(folder).as_posix()] = (status.st_mode, status.st_size, status.st_mtime_ns)
    return found
