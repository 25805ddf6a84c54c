"""What a person may type for a bot, and what is said when it is none."""

from __future__ import annotations

import sys

import pytest

from erqiwang_runner.contestants import PYTHON
from erqiwang_runner.errors import BadInputError, UsageError
from erqiwang_runner.local.bots import read_entries


@pytest.fixture
def folder(tmp_path):
    place = tmp_path / "deep"
    place.mkdir()
    (place / "bot.py").write_text("pass\n")
    (place / "bot.toml").write_text(
        'name = "deep"\nversion = 2\ncommand = ["python", "bot.py", "--depth={depth}"]\n'
        'profiles = ["classic"]\n[options]\ndepth = 3\nquick = true\n'
    )
    return place


def read(*texts, options=(), profile="classic"):
    return read_entries(texts, options, profile)


def test_bundled_bots_with_or_without_version():
    first, second = read("counter", "counter@1")
    assert first == second
    assert first.contestant.bundled


def test_a_version_that_is_not_here():
    with pytest.raises(UsageError, match="brings counter@1"):
        read("counter@2")


def test_a_python_file(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text("pass\n")
    (entry,) = read(str(file))
    assert entry.contestant.command == (PYTHON, str(file))
    assert entry.contestant.name == "mine"


def test_a_command_line(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text("pass\n")
    (entry,) = read(f"python3 -u {file}")
    assert entry.contestant.command == ("python3", "-u", str(file))
    assert entry.contestant.name == "mine"


def test_a_folder_with_options(folder):
    plain, deeper = read(str(folder), str(folder), options=["B.depth=5"])
    assert plain.contestant == deeper.contestant
    assert plain.contestant.argv(plain.options) == (sys.executable, str(folder / "bot.py"), "--depth=3")
    assert deeper.contestant.argv(deeper.options)[-1] == "--depth=5"
    assert plain.options == {"depth": "3", "quick": "true"}
    assert deeper.options == {"depth": "5", "quick": "true"}
    assert str(plain.contestant) == "deep@2"


def test_a_change_of_a_file_is_another_artefact(folder):
    (before,) = read(str(folder))
    (folder / "bot.py").write_text("raise SystemExit\n")
    (after,) = read(str(folder))
    assert before.contestant.artefact_hash != after.contestant.artefact_hash


@pytest.mark.parametrize(
    ("texts", "options", "said"),
    [
        (["nonsense"], [], "no contestant"),
        (["no-such-program at all"], [], "no contestant"),
        (["counter 'x"], [], "no contestant|cannot be read"),
        (["counter"], ["A=3"], "not LETTER.NAME=VALUE"),
        (["counter"], ["B.depth=3"], "the contestants are A to A"),
    ],
)
def test_what_is_no_bot(texts, options, said):
    with pytest.raises(UsageError, match=said):
        read(*texts, options=options)


def test_an_option_that_the_folder_does_not_know(folder):
    with pytest.raises(UsageError, match="no option 'width'; there are: depth, quick"):
        read(str(folder), options=["A.width=1"])


def test_a_profile_that_the_bot_does_not_play(folder):
    with pytest.raises(UsageError, match="plays classic, not mobile"):
        read(str(folder), profile="mobile")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("name = 1\n", "name: expected a text|command is missing"),
        ('name = "x"\n', "command is missing"),
        ('command = "python x.py"\n', "command: expected a list"),
        ('comand = ["python"]\n', "unknown key 'comand'"),
        ('command = ["x"]\n[options]\na = [1]\n', "options: a: the default"),
        ("command = [\n", "bot.toml"),
    ],
)
def test_a_wrong_description_is_said_with_its_key(tmp_path, content, said):
    (tmp_path / "bot.toml").write_text(content)
    with pytest.raises(BadInputError, match=said):
        read(str(tmp_path))


def test_a_folder_without_description(tmp_path):
    with pytest.raises(BadInputError, match=r"no bot\.toml"):
        read(str(tmp_path))
