"""A bot's folder as an archive: what is taken, what is refused, and that nothing of a player stays behind."""

from __future__ import annotations

import os
import socket
import subprocess
import sys

import pytest

from erqiwang_runner import bot_folder
from erqiwang_runner.artefact import Artefact, pack, unpack
from erqiwang_runner.artefact_cache import ArtefactCache
from erqiwang_runner.bot_folder import bot_files, check_portable, portable_command
from erqiwang_runner.contestants import HOME, PYTHON, Contestant
from erqiwang_runner.errors import BadInputError, UnavailableError
from erqiwang_runner.homes import Homes
from erqiwang_runner.local.bot_toml import read_bot_toml

TOML = 'name = "deep"\nversion = 2\ncommand = ["python", "bot.py", "--net=net", "./net/a.bin", "{depth}"]\n'


@pytest.fixture
def folder(tmp_path):
    place = tmp_path / "deep"
    (place / "net").mkdir(parents=True)
    (place / "bot.toml").write_text(TOML)
    (place / "bot.py").write_text("import helper\n")
    (place / "helper.py").write_text("print('here')\n")
    (place / "net" / "a.bin").write_bytes(b"\0\1")
    (place / "run.sh").write_text("#!/bin/sh\n")
    (place / "run.sh").chmod(0o755)
    (place / ".git").mkdir()
    (place / ".git" / "config").write_text("secret")
    (place / "__pycache__").mkdir()
    (place / "__pycache__" / "bot.pyc").write_bytes(b"old")
    return place


def packed(folder):
    return pack(bot_files(folder, read_bot_toml(folder)))


def with_toml(folder, text):
    (folder / "bot.toml").write_text(text)
    return read_bot_toml(folder)


def test_what_is_hidden_or_cached_is_left_out(folder):
    names = [file.name for file in bot_files(folder, read_bot_toml(folder))]
    assert names == ["bot.py", "bot.toml", "helper.py", "net/a.bin", "run.sh"]


def test_the_hash_depends_on_names_and_contents_alone(folder, tmp_path):
    before = packed(folder)
    for path in folder.rglob("*"):
        os.utime(path, (1, 1))
    copy = tmp_path / "copy"
    subprocess.run(["cp", "-r", folder, copy], check=True)
    assert packed(copy).digest == before.digest == packed(folder).digest
    (copy / "helper.py").rename(copy / "other.py")
    assert packed(copy).digest != before.digest
    (folder / "run.sh").chmod(0o644)
    assert packed(folder).digest != before.digest


def test_unpacked_it_is_the_same_bot(folder, tmp_path):
    artefact = packed(folder)
    unpack(artefact, tmp_path / "there")
    assert packed(tmp_path / "there").digest == artefact.digest
    assert not os.access(tmp_path / "there" / "bot.py", os.X_OK)
    assert os.access(tmp_path / "there" / "run.sh", os.X_OK)


def test_the_command_is_told_by_marks(folder):
    described = read_bot_toml(folder)
    files = bot_files(folder, described)
    command = portable_command(described, files)
    assert command == (PYTHON, f"{HOME}/bot.py", "--net=net", f"{HOME}/net/a.bin", "{depth}")
    contestant = Contestant("deep", "2", command, "x", home=folder)
    assert contestant.needs_home
    assert contestant.argv({"depth": "3"}) == (
        sys.executable,
        f"{folder}/bot.py",
        "--net=net",
        f"{folder}/net/a.bin",
        "3",
    )


@pytest.mark.parametrize(
    ("toml", "said"),
    [
        ('command = ["python", "../bot.py"]\n', "command: '../bot.py' leads out of the folder"),
        ('command = ["/usr/bin/env", "bot.py"]\n', "command: '/usr/bin/env' leads out of the folder"),
        (
            'command = ["python", "bot.py"]\nfiles = ["helper.py"]\n',
            "command: 'bot.py' is left out by `files`",
        ),
        ('command = ["python", "bot.py"]\nfiles = ["../*"]\n', "files: '../\\*' leads out of the folder"),
        ('command = ["python", "bot.py"]\nfiles = ["/etc/*"]\n', "files: '/etc/\\*' leads out of the folder"),
    ],
)
def test_what_leads_out_of_the_folder_is_refused(folder, toml, said):
    described = with_toml(folder, toml)
    with pytest.raises(BadInputError, match=said):
        check_portable(folder, described, bot_files(folder, described))


@pytest.mark.parametrize("target", ["/etc/passwd", "../elsewhere", "/etc"])
def test_a_link_that_leads_out_is_refused(folder, target):
    (folder / "link").symlink_to(target)
    (folder.parent / "elsewhere").write_text("x")
    described = with_toml(folder, 'command = ["python", "bot.py"]\nfiles = ["*.py", "link", "link/*"]\n')
    with pytest.raises(BadInputError, match=r"link.* leads out of the folder"):
        bot_files(folder, described)


def test_a_link_within_the_folder_is_the_file(folder):
    (folder / "same.py").symlink_to("helper.py")
    assert {"same.py", "helper.py"} <= {file.name for file in bot_files(folder, read_bot_toml(folder))}


def test_what_is_no_file_is_refused(folder, monkeypatch):
    os.mkfifo(folder / "pipe")
    with pytest.raises(BadInputError, match="pipe is no ordinary file"):
        bot_files(folder, read_bot_toml(folder))
    (folder / "pipe").unlink()
    (folder / "gone").symlink_to("nothing")
    with pytest.raises(BadInputError, match="gone: No such file"):
        bot_files(folder, read_bot_toml(folder))
    (folder / "gone").unlink()
    with socket.socket(socket.AF_UNIX) as door:
        monkeypatch.chdir(folder)
        door.bind("s")
        with pytest.raises(BadInputError, match="s is no ordinary file"):
            bot_files(folder, read_bot_toml(folder))


def test_too_much_is_refused_before_it_is_read(folder, monkeypatch):
    with (folder / "huge.bin").open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(BadInputError, match=r"at most 256 are taken .the largest is huge\.bin, 1048576 MiB."):
        bot_files(folder, read_bot_toml(folder))
    (folder / "huge.bin").unlink()
    monkeypatch.setattr(bot_folder, "FILES_MAX", 3)
    with pytest.raises(BadInputError, match="more than 3 files"):
        bot_files(folder, read_bot_toml(folder))


def test_a_cache_asks_once_and_believes_nothing(folder, tmp_path):
    artefact = packed(folder)
    asked = []

    def fetch(digest):
        asked.append(digest)
        return {artefact.digest: artefact.archive, "f" * 64: b"other contents"}.get(digest)

    cache = ArtefactCache(tmp_path / "cache", fetch)
    assert cache.get(artefact.digest) == cache.get(artefact.digest) == artefact
    assert asked == [artefact.digest]
    (tmp_path / "cache" / f"{artefact.digest}.tar").write_bytes(b"spoilt")
    assert ArtefactCache(tmp_path / "cache", fetch).get(artefact.digest) == artefact
    assert len(asked) == 2
    for digest, said in (("e" * 64, "is not in the store"), ("f" * 64, "does not have the contents")):
        with pytest.raises(UnavailableError, match=said):
            cache.get(digest)


def test_a_cache_drops_what_was_not_used_for_longest(tmp_path):
    store = {Artefact(bytes([number]) * 100).digest: bytes([number]) * 100 for number in range(4)}
    cache = ArtefactCache(tmp_path / "cache", store.get, limit=300)
    first, second, third, fourth = store
    for digest, when in ((first, 1), (second, 2), (third, 3)):
        cache.get(digest)
        os.utime(tmp_path / "cache" / f"{digest}.tar", (when, when))
    cache.get(first)
    cache.get(fourth)
    kept = {path.stem for path in (tmp_path / "cache").iterdir()}
    assert kept == {first, third, fourth}


@pytest.fixture
def home_of(folder, tmp_path, make_claim):
    artefact = packed(folder)
    described = read_bot_toml(folder)
    command = portable_command(described, bot_files(folder, described))
    claim = make_claim(Contestant("deep", "2", command, artefact.digest))
    cache = ArtefactCache(tmp_path / "cache", {artefact.digest: artefact.archive}.get)
    homes = Homes(tmp_path / "homes", cache)
    yield lambda: homes.settle(claim).group[0].contestant
    homes.close()
    assert not (tmp_path / "homes").exists()


def test_a_bot_starts_at_home_and_leaves_it_as_it_was(home_of):
    contestant = home_of()
    said = subprocess.run(contestant.argv(), check=True, capture_output=True, text=True).stdout
    assert said == "here\n"
    marker = contestant.home / "run.sh"
    before = marker.stat().st_ino
    assert home_of().home.joinpath("run.sh").stat().st_ino == before, "running it wrote something"


@pytest.mark.parametrize(
    "spoil",
    [
        lambda home: (home / "notes.txt").write_text("I saw this deal"),
        lambda home: (home / "helper.py").unlink(),
        lambda home: ((home / "helper.py").chmod(0o644), (home / "helper.py").write_text("print('spy')")),
        lambda home: (home / "net" / "link").symlink_to("/etc/passwd"),
    ],
)
def test_a_home_that_a_player_changed_is_made_again(home_of, spoil):
    home = home_of().home
    whole = sorted(path.name for path in home.rglob("*"))
    spoil(home)
    again = home_of().home
    assert sorted(path.name for path in again.rglob("*")) == whole
    assert (again / "helper.py").read_text() == "print('here')\n"
