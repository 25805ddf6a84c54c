from __future__ import annotations

import json

import pytest

from erqiwang_runner.cli.__main__ import run
from erqiwang_runner.contestants import Contestant
from erqiwang_runner.errors import BadInputError, UsageError
from erqiwang_runner.formats import Format
from erqiwang_runner.local.bots import read_entry
from erqiwang_runner.seeding import by_strength, rating_of, read_seeds
from erqiwang_runner.tournament_file import read_tournament
from erqiwang_runner.tournament_spec import EntrySpec


def standings(*tables):
    rows = [[{"bot": bot, "elo": {"value": elo, "error": 9.0}} for bot, elo in table] for table in tables]
    return json.dumps({"format": "erqiwang.standings/1", "tables": [{"rows": each} for each in rows]})


@pytest.fixture
def earlier(tmp_path):
    """Standings of an earlier tournament, in the folder of its export."""
    folder = tmp_path / "winter"
    folder.mkdir()
    rated = [("counter@1", 1700.0), ("lowest@1", 1400.5), ("random@0", 1350.0), ("random@00", 1500.0)]
    rated += [("cautious@1 (A)", 1450.0), ("cautious@1 (B)", 1600)]
    (folder / "standings.json").write_text(standings(rated))
    return folder


def entries(*names):
    bots = [Contestant(name, "1", ("true",), "0" * 64, bundled=True) for name in names]
    return [EntrySpec(bot) for bot in bots]


def names(found):
    return [each.contestant.name for each in found]


def test_the_best_version_stands_for_one_that_is_not_there(earlier):
    seeds = read_seeds(earlier)
    assert seeds["cautious@1"] == 1600
    rated = [rating_of(each, seeds) for each in entries("random", "lowest", "new")]
    assert rated == [1500, 1400.5, None]


@pytest.mark.parametrize("format_", [Format.SWISS, Format.BRACKET])
def test_those_without_a_rating_come_last_as_they_were_given(format_):
    found = by_strength(format_, entries("a", "b", "c", "d"), [None, 1400.0, None, 1500.0])
    assert names(found) == ["d", "b", "a", "c"]


def test_the_newcomer_of_a_gauntlet_stays_the_first():
    found = by_strength(Format.GAUNTLET, entries("new", "b", "c"), [1.0, 2.0, 3.0])
    assert names(found) == ["new", "c", "b"]


def test_other_formats_have_no_seeds():
    with pytest.raises(UsageError, match="of the formats swiss, bracket, gauntlet, not of round-robin"):
        by_strength(Format.ROUND_ROBIN, entries("a", "b"), [1.0, None])
    assert names(by_strength(Format.ROUND_ROBIN, entries("a", "b"), [None, None])) == ["a", "b"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{", "Expecting"),
        ("[]", "expected an object"),
        ("{}", "not the standings of a tournament"),
        (standings([("a@1", 1.0)], [("b@1", 1.0)]), "its bots are on 2 scales"),
        (standings([("a@1", None)]), "elo: expected a number"),
    ],
)
def test_what_is_no_standings_is_refused(content, said, tmp_path):
    file = tmp_path / "standings.json"
    file.write_text(content)
    with pytest.raises(BadInputError, match=said):
        read_seeds(file)
    file.unlink()
    with pytest.raises(BadInputError, match="No such file"):
        read_seeds(file)


FILE = """
name = "spring"
boards = 48
[format]
name = "swiss"
{seeds}
[[entries]]
bot = "lowest"
[[entries]]
bot = "random"
{rating}
[[entries]]
bot = "counter"
[[entries]]
bot = "cautious"
"""


def test_a_file_takes_seeds_from_elsewhere_and_from_itself(earlier, tmp_path):
    file = tmp_path / "spring.toml"

    def read(seeds="", rating=""):
        file.write_text(FILE.format(seeds=seeds, rating=rating))
        return names(read_tournament(file, read_entry).entries)

    given = ["lowest", "random", "counter", "cautious"]
    assert read() == given
    assert read(rating="rating = 1000") == ["random", "lowest", "counter", "cautious"]
    assert read('seeds_from = "winter"') == ["counter", "cautious", "random", "lowest"]
    assert read('seeds_from = "winter"', "rating = 1650") == ["counter", "random", "cautious", "lowest"]
    (earlier / "standings.json").write_text(standings([("nobody@1", 1.0)]))
    with pytest.raises(BadInputError, match="winter knows none of the entries"):
        read('seeds_from = "winter"')
    with pytest.raises(BadInputError, match=r"entries\[2\].rating: 'high' is no number"):
        read(rating='rating = "high"')


def test_options_take_seeds_from_elsewhere(earlier, tmp_path, capsys):
    bots = [word for name in ("lowest", "random", "counter", "cautious") for word in ("--entry", name)]
    create = [
        "--data",
        str(tmp_path / "data"),
        "tournament",
        "create",
        "t",
        *bots,
        "--format",
        "swiss",
        "--json",
    ]
    assert run([*create, "--seeds-from", str(earlier)]) == 0
    assert json.loads(capsys.readouterr().out)["entries"] == [
        "counter@1",
        "cautious@1",
        "random@1",
        "lowest@1",
    ]
    assert run([*create, "--seeds-from", str(tmp_path / "nothing")]) == 65
    assert "there is no such export" in capsys.readouterr().err
