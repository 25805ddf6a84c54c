from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from erqiwang.deals import board_seed, deal_board, master_key
from erqiwang.rules import Bid, apply, fallback, get_profile, open_table, record_of
from erqiwang_runner.cli import __main__ as command
from erqiwang_runner.cli.__main__ import run


@pytest.fixture
def record():
    profile = get_profile("classic")
    state, _ = open_table(profile, (deal_board(profile, board_seed(master_key("cli"), 0)),))
    state, _ = apply(state, 0, Bid(100))
    while (turn := state.turn) is not None:
        state, _ = apply(state, turn.seat, fallback(state))
    return record_of(state, id="t/0/0/0/0/0")


@pytest.fixture
def record_file(tmp_path, record):
    path = tmp_path / "table.json"
    path.write_text(record.to_json())
    return path


@pytest.fixture
def data(tmp_path):
    return tmp_path / "data"


@pytest.mark.parametrize(
    "words",
    [
        ["demo", "--no-such-option"],
        ["no-such-command"],
        ["demo", "--boards", "0"],
        ["tournament", "create", "t", "--entry", "nobody"],
        ["tournament", "create", "bad name", *["--entry", "random"] * 4],
        ["tournament", "create", "t", *["--entry", "random"] * 3],
        ["tournament", "create", "t", *["--entry", "random"] * 4, "--profile", "chess"],
        ["tournament", "create", "t", *["--entry", "random"] * 4, "--switch", "x"],
        ["tournament", "create", "t", *["--entry", "random"] * 4, "--set-type", "cyc3"],
        ["tournament", "create", "t", *["--entry", "random"] * 4, "--policy", "mercy"],
        ["tournament", "create", "t", *["--entry", "random"] * 4, "--clock", "sundial"],
        ["tournament", "create", "t", *["--entry", "random"] * 4, "--sandbox", "bwrap"],
        ["tournament", "status", "nothing"],
        ["tournament", "run", "nothing"],
        ["standings", "nothing"],
    ],
    ids=" ".join,
)
def test_wrong_usage_ends_with_64_and_one_line(words, data, capsys):
    assert run(["--data", str(data), *words]) == 64
    said = capsys.readouterr()
    assert said.err.startswith("erqi: ")
    assert said.err.count("\n") == 1
    assert said.out == ""


def test_a_sandbox_level_that_does_not_exist_is_named(data, capsys):
    run(["--data", str(data), "tournament", "create", "t", *["--entry", "random"] * 4, "--sandbox", "bwrap"])
    assert "sandbox level 'bwrap' is not available" in capsys.readouterr().err


def test_help_is_shown_without_a_command(capsys):
    assert run([]) == 0
    shown = capsys.readouterr().out
    for name in ("demo", "up", "worker", "tournament", "standings", "exporter", "replay", "verify", "db"):
        assert f"  {name} " in shown


def test_a_tournament_is_made_listed_and_described(data, capsys):
    place = ["--data", str(data)]
    entries = [
        "--entry",
        "random",
        "--entry",
        "lowest",
        "--entry",
        "cautious",
        "--entry",
        "mine=python my.py",
    ]
    assert run([*place, "tournament", "list"]) == 0
    assert run([*place, "tournament", "create", "cup", *entries, "--boards", "9"]) == 0
    assert run([*place, "tournament", "create", "cup", *entries]) == 64
    assert run([*place, "tournament", "list"]) == 0
    capsys.readouterr()
    assert run([*place, "tournament", "status", "--json"]) == 0
    status = json.loads(capsys.readouterr().out)
    assert (status["name"], status["state"], status["planned"], status["played"]) == ("cup", "created", 9, 0)


def test_the_data_directory_may_stand_before_or_behind_the_command(data):
    assert run(["tournament", "list", "--data", str(data)]) == 0
    assert run(["--data", str(data), "db", "upgrade"]) == 0
    assert (data / "erqi.sqlite3").exists()


def test_a_good_record_is_verified(record_file, capsys):
    assert run(["verify", str(record_file)]) == 0
    assert capsys.readouterr().out == "1 records, 0 differ\n"


def test_a_changed_record_is_found_out(record_file, record, capsys):
    changed = json.loads(record.to_json())
    changed["scores"] = [score + 1 for score in changed["scores"]]
    record_file.write_text(json.dumps(changed))
    assert run(["verify", str(record_file.parent), "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["records"] == 1
    assert found["differences"][0]["record"] == str(record_file)
    assert "scores" in found["differences"][0]["difference"]


@pytest.mark.parametrize("text", ["", "{}", "not json", '{"format": "erqiwang.record/2"}'])
def test_what_is_no_record_ends_with_65(tmp_path, capsys, text):
    path = tmp_path / "x.json"
    path.write_text(text)
    assert run(["verify", str(path)]) == 65
    assert str(path) in capsys.readouterr().err


def test_one_unreadable_file_does_not_hide_the_others(record_file, record, capsys):
    (record_file.parent / "a.json").write_text("{}")
    games = (
        json.dumps({"kind": "tournament"})
        + "\n"
        + json.dumps({"kind": "table", "record": json.loads(record.to_json())})
    )
    (record_file.parent / "more.jsonl").write_text(games)
    assert run(["verify", str(record_file.parent)]) == 65
    shown = capsys.readouterr()
    assert shown.out == "3 records, 0 differ, 1 not readable\n"
    assert shown.err.startswith(f"erqi: {record_file.parent / 'a.json'}: ")


def test_the_records_of_an_export_are_those_of_its_games_file(record, tmp_path, capsys):
    (tmp_path / "games.jsonl").write_text(
        json.dumps({"kind": "table", "record": json.loads(record.to_json())})
    )
    (tmp_path / "standings.json").write_text("{}")
    assert run(["verify", str(tmp_path)]) == 0
    assert capsys.readouterr().out == "1 records, 0 differ\n"


def test_files_that_do_not_exist_end_with_65(tmp_path, capsys):
    assert run(["replay", str(tmp_path / "none.json")]) == 65
    assert run(["replay", str(tmp_path)]) == 65
    assert "no records" in capsys.readouterr().err


def test_a_record_is_shown_to_a_person(record_file, record, capsys):
    assert run(["replay", str(record_file)]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("classic table t/0/0/0/0/0 opener seat 0\n")
    assert f"seat {record.declarer} declares at 100, trump {record.trump}" in shown
    assert shown.count("(defenders ") == len(record.tricks)
    scores = " ".join(f"{score:+d}" for score in record.scores)
    assert (
        f"\n  play scores by seat: {scores}\n  scores {scores}; seat {record.next_opener} opens next\n"
        in shown
    )


def test_a_record_that_is_not_right_is_shown_with_a_word(record_file, record, capsys):
    changed = json.loads(record.to_json())
    changed["scores"] = [9] * len(changed["scores"])
    record_file.write_text(json.dumps(changed))
    assert run(["replay", str(record_file)]) == 0
    assert "this record is not right: " in capsys.readouterr().err


def test_a_long_play_can_be_shortened(record_file, capsys):
    assert run(["replay", str(record_file), "--tricks", "2"]) == 0
    shown = capsys.readouterr().out
    assert shown.count("(defenders ") == 3
    assert "tricks ..." in shown


@pytest.mark.parametrize(
    ("content", "code"), [(b"no database" * 1000, 65), (b"SQLite format 3\0" + b"\xff" * 5000, 65)]
)
def test_a_broken_database_is_one_line(data, content, code, capsys):
    data.mkdir()
    (data / "erqi.sqlite3").write_bytes(content)
    assert run(["--data", str(data), "standings"]) == code
    shown = capsys.readouterr().err
    assert shown.startswith("erqi: the database in the data directory cannot be read: ")
    assert shown.count("\n") == 1
    assert (data / "erqi.sqlite3").read_bytes() == content


@pytest.mark.parametrize("words", [["standings"], ["tournament", "export", "--out", "x"]])
def test_reading_where_nothing_was_written_makes_nothing(words, data, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run(["--data", str(data), *words]) == 64
    assert str(data) in capsys.readouterr().err
    assert not data.exists()


@pytest.mark.parametrize(("command_name", "code"), [("standings", 64), ("demo", 69)])
def test_a_data_directory_that_cannot_be_is_one_line(tmp_path, command_name, code, capsys):
    (tmp_path / "file").write_text("")
    assert run(["--data", str(tmp_path / "file"), command_name]) == code
    shown = capsys.readouterr().err
    assert "file" in shown
    assert shown.count("\n") == 1


@pytest.mark.parametrize(
    ("variable", "address", "code"),
    [
        ("ERQI_REDIS_URL", "nonsense", 64),
        ("ERQI_DATABASE_URL", "nonsense", 64),
        ("ERQI_DATABASE_URL", "mysql://localhost/x", 64),
        ("ERQI_REDIS_URL", "redis://127.0.0.1:1/0", 69),
        ("ERQI_DATABASE_URL", "postgresql://127.0.0.1:1/x", 69),
    ],
)
def test_an_address_that_does_not_serve_is_one_line(data, monkeypatch, capsys, variable, address, code):
    monkeypatch.setenv(variable, address)
    assert run(["--data", str(data), "demo", "--boards", "1"]) == code
    shown = capsys.readouterr().err
    assert shown.startswith("erqi: ")
    assert shown.count("\n") == 1


def test_a_missing_extra_is_named(monkeypatch, capsys):
    def without(_):
        raise ModuleNotFoundError("No module named 'celery'", name="celery.app")

    monkeypatch.setattr(command, "_run", without)
    assert run([]) == 69
    assert capsys.readouterr().err == "erqi: celery.app is missing: pip install 'erqiwang[server]'\n"


def test_our_own_bugs_end_with_70_and_a_log(monkeypatch, capsys, tmp_path):
    def broken(_):
        raise ZeroDivisionError("a board by nothing")

    monkeypatch.setattr(command, "_run", broken)
    monkeypatch.setenv("ERQI_DATA", str(tmp_path))
    assert run([]) == 70
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    (log,) = tmp_path.glob("erqi-bug-*.log")
    assert str(log) in said
    assert "ZeroDivisionError: a board by nothing" in log.read_text()


def test_an_interruption_ends_with_130(monkeypatch, capsys):
    def interrupted(_):
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "_run", interrupted)
    assert run([]) == 130
    assert capsys.readouterr().err == "erqi: interrupted\n"


@pytest.mark.parametrize("words", [["--help"], ["verify", "--help"], ["tournament", "--help"]], ids=" ".join)
def test_help_loads_none_of_the_heavy_parts(words):
    code = (
        "import sys\n"
        "from erqiwang_runner.cli.__main__ import run\n"
        f"run({words!r})\n"
        "print(sorted({'grpc', 'sqlalchemy', 'celery', 'numpy', 'redis'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_output_that_nobody_reads_is_no_error(record_file):
    line = f"{sys.executable} -m erqiwang_runner.cli replay {' '.join([str(record_file)] * 200)} | head -1"
    done = subprocess.run(["bash", "-c", f"set -o pipefail; {line}"], capture_output=True, text=True)
    assert done.stderr == ""


def test_a_platform_of_another_process_is_needed_for_workers(data, capsys, monkeypatch):
    monkeypatch.delenv("ERQI_REDIS_URL", raising=False)
    assert run(["worker", "--data", str(data)]) == 69
    assert "ERQI_REDIS_URL" in capsys.readouterr().err
    assert Path(data).exists() is False
