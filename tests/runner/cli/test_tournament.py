"""`erqi tournament`: making, pausing and cancelling, as a host types it."""

from __future__ import annotations

import json
from contextlib import closing

import pytest

from erqiwang_runner.cli.__main__ import run
from erqiwang_runner.store import claims, tournaments
from erqiwang_runner.store.engine import Database
from erqiwang_runner.store.extension import extend

STARTERS = ["--entry", "random", "--entry", "lowest", "--entry", "cautious", "--entry", "counter"]


@pytest.fixture
def erqi(tmp_path, capsys):
    def call(*words, code=0):
        got = run(["--data", str(tmp_path / "data"), "tournament", *words])
        said = capsys.readouterr()
        assert got == code, said
        return said.err if code else said.out

    return call


@pytest.fixture
def opened(tmp_path):
    def open_database():
        return closing(Database(f"sqlite:///{tmp_path / 'data' / 'erqi.sqlite3'}"))

    return open_database


def state(erqi, name="t"):
    return json.loads(erqi("status", name, "--json"))["state"]


def test_options_and_a_file_make_the_same(erqi, tmp_path):
    file = tmp_path / "t.toml"
    entries = "".join(f'[[entries]]\nbot = "{bot}"\n' for bot in STARTERS[1::2])
    file.write_text(f'name = "a"\nboards = 6\nseed = "s"\nformat.name = "match"\n{entries}')
    of_file = json.loads(erqi("create", "--file", str(file), "--json"))
    words = ["--boards", "6", "--seed", "s", "--format", "match"]
    of_options = json.loads(erqi("create", "b", *STARTERS, *words, "--json"))
    assert of_file | {"name": "b"} == of_options
    assert of_file["board_sets"] == 6
    assert of_file["tables"] == 24


def test_the_certificate_stands_before_play(erqi):
    names = [word for number in range(11) for word in ("--entry", f"b{number}=true")]
    said = erqi("create", "t", *names, "--format", "cyclic", "--cycles", "5", "--boards", "3")
    assert (
        "cyclic: 55 groups, pairs meet (6, 6) times, entries play (20, 20) groups, efficiency 1.000" in said
    )
    found = json.loads(erqi("create", "u", *names, "--format", "cyclic", "--cycles", "1", "--json"))
    assert found["certificate"]["groups_max"] == 4


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "needs a name, or a --file"),
        (["t"], "needs entries"),
        (["t", *STARTERS, "--format", "league"], "no format 'league'; there are: round-robin, match"),
        (["t", *STARTERS, "--policy", "mild"], "no fault policy 'mild'; there are: forfeit, autoplay"),
        (["t", *STARTERS, "--deals", "made"], "no kind of deals 'made'; there are: seeded, committed"),
        (["t", *STARTERS, "--rounds", "3"], "rounds is of the format swiss"),
        (["--file", "t.toml", "--boards", "3"], "--boards beside --file"),
        (["--file", "t.toml", "--format", "swiss"], "--format beside --file"),
    ],
)
def test_what_cannot_be_is_said_in_one_line(words, said, erqi):
    assert said in erqi("create", *words, code=64)


def test_a_missing_file_is_bad_input(erqi):
    assert "No such file" in erqi("create", "--file", "none.toml", code=65)


def test_a_stored_bot_is_entered_with_its_options(erqi, opened, tmp_path):
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "bot.py").write_text("print()")
    (folder / "bot.toml").write_text(
        'name = "mine"\nversion = "7"\ncommand = ["python", "bot.py"]\noptions = { depth = 2 }\n'
    )
    assert run(["--data", str(tmp_path / "data"), "bot", "add", str(folder)]) == 0
    file = tmp_path / "t.toml"
    entries = "".join(f'[[entries]]\nbot = "{bot}"\n' for bot in ("random", "lowest", "cautious"))
    mine = '[[entries]]\nbot = "mine@7"\noptions = { depth = 3 }\n'
    file.write_text(f'name = "t"\nboards = 3\n{entries}{mine}')
    erqi("create", "--file", str(file))
    with opened() as database, database.read() as connection:
        entered = tournaments.entries(connection, 1)[3]
    assert str(entered.contestant) == "mine@7"
    assert entered.options == {"depth": "3"}
    file.write_text(file.read_text().replace("depth = 3", "width = 3"))
    assert "mine@7 has no option 'width'; there are: depth" in erqi("create", "--file", str(file), code=65)
    assert "there is no bot 'nobody'" in erqi("create", "u", *STARTERS, "--entry", "nobody", code=64)


def test_a_paused_tournament_gives_nothing_out_until_it_goes_on(erqi, opened, worker_of_this_process):
    erqi("create", "t", *STARTERS, "--boards", "6", "--boards-per-match", "3")
    assert "only what runs can be paused" in erqi("pause", "t", code=64)
    erqi("start", "t")
    with opened() as database:
        with database.read() as connection:
            row = tournaments.find(connection, "t")
        extend(database, row, 2)
        for _ in range(2):
            erqi("pause", "t")
        assert claims.take(database, 1, worker_of_this_process) is None
        assert state(erqi) == "paused"
        erqi("resume", "t")
        assert claims.take(database, 1, worker_of_this_process) is not None
        assert state(erqi) == "running"


def test_a_cancelled_tournament_keeps_what_it_has_and_begins_nothing(erqi, opened, worker_of_this_process):
    erqi("create", "t", *STARTERS, "--boards", "6", "--boards-per-match", "3")
    erqi("start", "t")
    with opened() as database:
        with database.read() as connection:
            row = tournaments.find(connection, "t")
        extend(database, row, 2)
        claim = claims.take(database, 1, worker_of_this_process)
        assert claim is not None
        for _ in range(2):
            erqi("cancel", "t")
        with pytest.raises(claims.StaleAttemptError):
            claims.complete(database, claim)
        assert claims.take(database, 2, worker_of_this_process) is None
        assert extend(database, row, 9) == 0
    found = json.loads(erqi("status", "t", "--json"))
    assert (found["state"], found["explained"]) == ("cancelled", 6)
    assert found["given_up"] == {"the tournament was cancelled": 6}
    assert "was cancelled" in erqi("start", "t", code=64)
    assert "cancelled" in erqi("list")


def test_a_cancelled_committed_tournament_shows_its_secret(erqi):
    erqi("create", "t", *STARTERS, "--deals", "committed")
    erqi("start", "t")
    erqi("cancel", "t")
    found = json.loads(erqi("commitment", "t", "--json"))
    assert len(found["secret"]) == 64


@pytest.fixture
def worker_of_this_process():
    from erqiwang_runner.liveness import process_name

    return claims.Worker(process_name(), process_name(), "here", "none")
