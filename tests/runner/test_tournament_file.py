"""Tournament files: what is read, and what a wrong one is told."""

from __future__ import annotations

from functools import partial

import pytest

from erqiwang.rules import PassOut
from erqiwang_runner.errors import BadInputError
from erqiwang_runner.formats import Format
from erqiwang_runner.local.bots import read_entry
from erqiwang_runner.results import EntryRole, FaultPolicy
from erqiwang_runner.tournament_file import read_tournament
from erqiwang_runner.tournament_spec import AUTOMATIC, DealsMode

ENTRIES = "".join(f'[[entries]]\nbot = "{bot}"\n' for bot in ("random", "lowest", "cautious", "counter"))
SMALL = f'name = "t"\nboards = 6\n{ENTRIES}'


@pytest.fixture
def read(tmp_path):
    def read_text(text, name=None):
        path = tmp_path / "t.toml"
        path.write_text(text)
        return read_tournament(path, read_entry, name)

    return read_text


def test_a_small_file_leaves_the_rest_to_us(read):
    spec = read(SMALL)
    assert (spec.name, spec.seed_text, spec.boards, spec.boards_per_match) == ("t", "t", 6, AUTOMATIC)
    assert [entry.contestant.name for entry in spec.entries] == ["random", "lowest", "cautious", "counter"]
    assert read(SMALL, "other").name == "other"


def test_a_full_file_is_read_as_it_is(read, tmp_path):
    (tmp_path / "mine.py").write_text("print()")
    spec = read(
        """
        name = "spring"
        profile = "qq"
        room = 5
        pass_out = "redeal"
        boards = 48
        boards_per_match = 8
        clock = "fast"
        fault_policy = "autoplay"
        sandbox = "none"
        seed = "x"
        deals = "committed"
        entropy_source = "a beacon"
        look_back = 128
        round_look_back = 12

        [format]
        name = "swiss"
        rounds = 3

        [[entries]]
        bot = "counter"
        role = "anchor"
        [[entries]]
        bot = "mine.py"
        options = { depth = 3, fast = true }
        [[entries]]
        bot = "random"
        [[entries]]
        bot = "lowest@1"
        """
    )
    assert (spec.profile, spec.room, spec.pass_out) == ("qq", 5, PassOut.REDEAL)
    assert (spec.boards, spec.boards_per_match, spec.lap) == (48, 8, 8)
    assert (spec.clock_class, spec.fault_policy) == ("fast", FaultPolicy.AUTOPLAY)
    assert (spec.mode, spec.entropy_source) == (DealsMode.COMMITTED, "a beacon")
    assert (spec.look_back, spec.round_look_back) == (128, 12)
    assert (spec.format.format, spec.format.rounds) == (Format.SWISS, 3)
    assert spec.entries[0].role is EntryRole.ANCHOR
    assert spec.entries[1].options == {"depth": "3", "fast": "true"}
    assert str(tmp_path / "mine.py") in spec.entries[1].contestant.command


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("boards = 6", "boards = 6\nbords = 3", "unknown key bords; there are name, profile"),
        ("boards = 6", "", "boards is missing"),
        ("boards = 6", "boards = 0", "boards: 0 is no whole number from 1 on"),
        ("boards = 6", 'boards = "6"', "boards: '6' is no whole number"),
        ("boards = 6", "boards = true", "boards: True is no whole number"),
        ("boards = 6", "boards = 6\nboards_per_match = 'many'", 'from 1 on, nor "auto"'),
        ("boards = 6", "boards = 6\nfault_policy = 'mild'", "'mild' is not one of forfeit, autoplay"),
        ("boards = 6", "boards = 6\npass_out = 'again'", "'again' is not one of zero, redeal"),
        ("boards = 6", "boards = 6\nset_type = 'x'", "no set type 'x'; known: klein4"),
        ("boards = 6", "boards = 6\nprofile = 'x'", "x"),
        ("boards = 6", "boards = 6\nclock = 'x'", "no clock class 'x'; known: fast"),
        ("boards = 6", "boards = 6\nformat = 'swiss'", "format: expected a table"),
        ("boards = 6", "boards = 6\nformat.name = 'x'", "format.name: 'x' is not one of round-robin, match"),
        ("boards = 6", "boards = 6\nformat.round = 2", "unknown key format.round; there are name, rounds"),
        ("boards = 6", "boards = 6\nformat.rounds = 2", "rounds is of the format swiss, not of round-robin"),
        ("boards = 6", "boards = 6\nformat.name = 'bracket'", "48 or more, or force it"),
        ("boards = 6", "boards = 6\nswitches = { x = 'y' }", "x"),
        ('name = "t"', 'name = "a b"', "'a b' is no name for a tournament"),
        ('name = "t"', "name = 3", "name: 3 is no text"),
        (
            'bot = "lowest"',
            'bot = "lowest"\nrole = "guest"',
            "entries[2].role: 'guest' is not one of contestant",
        ),
        ('bot = "lowest"', 'bot = "nobody"', "entries[2].bot: 'nobody' is no contestant"),
        ('bot = "lowest"', 'boot = "lowest"', "unknown key entries[2].boot; there are bot, role, options"),
        ('bot = "lowest"', 'bot = "lowest"\noptions = [1]', "entries[2].options: expected a table"),
        ('bot = "lowest"', 'bot = "lowest"\noptions = { a = [1] }', "a is neither a text nor a number"),
        (ENTRIES, "", "entries is missing"),
        (ENTRIES, "entries = []", "entries: expected [[entries]] tables"),
        (ENTRIES, '[[entries]]\nbot = "random"\n', "set type klein4 needs 4 entries, not 1"),
        ("boards = 6", "boards = = 6", "Invalid value"),
    ],
)
def test_a_wrong_file_is_told_key_and_choice(old, new, said, read, tmp_path):
    with pytest.raises(BadInputError) as error:
        read(SMALL.replace(old, new))
    assert str(error.value).startswith(f"{tmp_path / 't.toml'}: ")
    assert said in str(error.value)


def test_a_missing_file_is_said(tmp_path):
    read_missing = partial(read_tournament, tmp_path / "none.toml", read_entry)
    with pytest.raises(BadInputError, match=r"none\.toml: No such file"):
        read_missing()
