"""Two revisions of a repository, checked out and built side by side."""

from __future__ import annotations

import shlex
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from erqiwang_runner.errors import UsageError

_LAST_LINES = 8


@dataclass(frozen=True, slots=True)
class Revision:
    """A revision as it was named, and the commit that it is."""

    name: str
    commit: str

    def __str__(self) -> str:
        return f"{self.name} ({self.commit[:12]})"


def resolve(names: Sequence[str]) -> tuple[Revision, ...]:
    """Look revisions up in the repository around the current directory; raises UsageError."""
    found = (_git("rev-parse", "--verify", "--quiet", f"{name}^{{commit}}") for name in names)
    return tuple(Revision(name, commit.strip()) for name, commit in zip(names, found, strict=True))


@dataclass(frozen=True, slots=True)
class Worktrees:
    """The checked out revisions of a test, below its folder; they stay until the test is decided."""

    folder: Path

    def prepare(self, revision: Revision, build: str) -> Path:
        """Check a revision out and build it, unless that is done already."""
        place = (self.folder / revision.commit[:12]).absolute()
        built = place.with_suffix(".built")
        if built.exists():
            return place
        if place.exists():
            # It was interrupted, perhaps in the middle of checking out: who knows what is there.
            shutil.rmtree(place)
        self.folder.mkdir(parents=True, exist_ok=True)
        # Forced twice: git keeps a lock on what was interrupted.
        _git("worktree", "add", "--force", "--force", "--detach", str(place), revision.commit)
        if build:
            try:
                _build(place, build, revision)
            except UsageError:
                _git("worktree", "remove", "--force", str(place))
                raise
        built.touch()
        return place

    def remove(self) -> None:
        """Remove what was checked out."""
        for built in self.folder.glob("*.built"):
            _git("worktree", "remove", "--force", str(built.with_suffix("")))
            built.unlink()
        if self.folder.exists():
            self.folder.rmdir()


def _build(place: Path, command: str, revision: Revision) -> None:
    done = subprocess.run(
        command,
        shell=True,
        cwd=place,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode:
        said = "\n".join(done.stdout.splitlines()[-_LAST_LINES:])
        raise UsageError(f"{command!r} fails in {revision} with exit code {done.returncode}: {said}")


def _git(*words: str) -> str:
    done = subprocess.run(["git", *words], capture_output=True, text=True, check=False)
    if done.returncode:
        said = done.stderr.strip().splitlines()
        raise UsageError(f"{shlex.join(['git', *words])}: {said[-1] if said else 'it fails'}")
    return done.stdout
