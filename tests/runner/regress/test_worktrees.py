from __future__ import annotations

import subprocess

import pytest

from erqiwang_runner.errors import UsageError
from erqiwang_runner.regress.worktrees import Worktrees, resolve

IDENTITY = ["-c", "user.name=t", "-c", "user.email=t@t"]


def git(folder, *words):
    done = subprocess.run(["git", *IDENTITY, *words], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """Two revisions of a bot, tagged v1 and v2."""
    folder = tmp_path / "repository"
    folder.mkdir()
    git(folder, "init", "-q")
    for version in ("v1", "v2"):
        (folder / "bot.py").write_text(f"from erqiwang import run\n# {version}\n")
        git(folder, "add", "bot.py")
        git(folder, "commit", "-q", "-m", version)
        git(folder, "tag", version)
    monkeypatch.chdir(folder)
    return folder


def test_revisions_are_checked_out_and_built_once(repository, tmp_path):
    new, old = resolve(["v2", "HEAD~1"])
    assert new.commit == git(repository, "rev-parse", "v2")
    assert str(old) == f"HEAD~1 ({old.commit[:12]})"
    trees = Worktrees(tmp_path / "trees")
    for revision, text in ((new, "# v2"), (old, "# v1")):
        place = trees.prepare(revision, "echo built >> log")
        assert text in (place / "bot.py").read_text()
        assert trees.prepare(revision, "echo built >> log") == place
        assert (place / "log").read_text() == "built\n"
    trees.remove()
    assert not (tmp_path / "trees").exists()
    assert len(git(repository, "worktree", "list").splitlines()) == 1
    trees.remove()


def test_a_build_that_fails_is_said_with_its_last_words(repository, tmp_path):
    (revision,) = resolve(["v1"])
    with pytest.raises(UsageError, match=r"exit code 3: no compiler"):
        Worktrees(tmp_path / "trees").prepare(revision, "echo no compiler; exit 3")
    assert len(git(repository, "worktree", "list").splitlines()) == 1
    assert Worktrees(tmp_path / "trees").prepare(revision, "true").is_dir()


def test_what_was_interrupted_is_checked_out_and_built_anew(repository, tmp_path):
    new, old = resolve(["v2", "v1"])
    trees = Worktrees(tmp_path / "trees")
    for revision in (new, old):
        place = tmp_path / "trees" / revision.commit[:12]
        git(repository, "worktree", "add", "--detach", str(place), revision.commit)
        (place / "bot.py").unlink()
        (place / "half").touch()
    git(repository, "worktree", "lock", str(place))
    for revision, text in ((new, "# v2"), (old, "# v1")):
        place = trees.prepare(revision, "test ! -e half")
        assert text in (place / "bot.py").read_text()
    trees.remove()
    assert len(git(repository, "worktree", "list").splitlines()) == 1


def test_an_unknown_revision_is_refused(repository):
    with pytest.raises(UsageError, match="no-such-branch"):
        resolve(["no-such-branch"])
