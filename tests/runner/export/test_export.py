from __future__ import annotations

import csv
import importlib
import json
import sys
from contextlib import closing

import pytest
from sqlalchemy import update

from erqiwang_runner.cli.__main__ import run
from erqiwang_runner.store import schema
from erqiwang_runner.store.engine import Database

BOTS = ["bot0", "bot1", "bot2", "bot0", "house", "house", "house"]


def read(folder):
    return [json.loads(line) for line in (folder / "games.jsonl").read_text().splitlines()]


@pytest.mark.parametrize("name", ["seeded", "committed"])
def test_the_ratings_of_the_file_are_those_of_the_database_byte_for_byte(name, data_of, export_of, capsys):
    folder = export_of(name)
    assert run(["--data", str(data_of(name)), "standings", "--json"]) == 0
    wanted = capsys.readouterr().out
    assert run(["rate", str(folder), "--json"]) == 0
    assert capsys.readouterr().out == wanted
    assert (folder / "standings.json").read_text() == wanted
    assert json.loads(wanted)["verifiable"] is (name == "committed")


def test_an_export_is_the_same_bytes_whenever_it_is_made(export_of):
    first = (export_of("seeded") / "games.jsonl").read_bytes()
    assert (export_of("seeded", "--force") / "games.jsonl").read_bytes() == first


def test_everything_is_there_in_the_order_of_the_plan(export_of):
    lines = read(export_of("seeded"))
    header = lines[0]
    assert header["kind"] == "tournament"
    assert header["tables"] == 16
    assert [entry["name"] for entry in header["entries"]] == BOTS
    tables = [line for line in lines if line["kind"] == "table"]
    assert [(line["n"], line["table"]) for line in tables] == [(n, t) for n in range(4) for t in range(4)]
    assert [line["deal_index"] for line in tables] == [n for n in range(4) for _ in range(4)]
    for line in tables:
        place = "/".join(str(line[name]) for name in ("epoch", "group", "n", "generation", "table"))
        assert line["record"]["id"] == f"seeded/{place}"
        assert line["record"]["scores"] == line["scores"]
    faults = [line for line in lines if line["kind"] == "fault"]
    assert [fault["cause"] for fault in faults] == ["crashed", "timed_out_move", "left", "left"]
    # A fault of a board stands before its tables, the others at the end.
    assert [line["kind"] for line in lines[5:8]] == ["fault", "fault", "table"]
    assert [line["kind"] for line in lines[-2:]] == ["fault", "fault"]


def test_boards_that_were_given_up_are_listed(data_of, export_of, capsys):
    data = data_of("seeded")
    with closing(Database(f"sqlite:///{data / 'erqi.sqlite3'}")) as database, database.write() as connection:
        for table in (schema.records, schema.table_results):
            where = table.c.table_result_id > 12 if table is schema.records else table.c.n == 3
            connection.execute(table.delete().where(where))
        slots = schema.slots
        connection.execute(update(slots).where(slots.c.n == 3).values(state="void", reason="no luck"))
    folder = export_of("seeded")
    assert [line for line in read(folder) if line["kind"] == "slot"] == [
        {
            "kind": "slot",
            "epoch": 0,
            "group": 0,
            "n": 3,
            "generation": 0,
            "deal_index": 3,
            "state": "void",
            "reason": "no luck",
        }
    ]
    assert run(["rate", str(folder)]) == 0
    assert run(["tournament", "verify", str(folder)]) == 0
    assert "the plan of 4 boards is complete: 3 played, 1 given up" in capsys.readouterr().out


def test_an_export_is_not_overwritten_by_chance(data_of, export_of, capsys):
    out = export_of("seeded")
    assert run(["--data", str(data_of("seeded")), "tournament", "export", "--out", str(out)]) == 64
    assert "is there already" in capsys.readouterr().err


def test_csv_holds_the_same(data_of, export_of, tmp_path):
    out = export_of("seeded", "--format", "csv")
    lines = [line for line in read(export_of("seeded")) if line["kind"] == "table"]
    with (out / "tables.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 16
    for row, line in zip(rows, lines, strict=True):
        assert [int(row[f"score_{seat}"]) for seat in range(4)] == line["scores"]
        assert [int(row[f"entry_{seat}"]) for seat in range(4)] == line["entries"]
        assert [row[f"forfeit_{seat}"] == "1" for seat in range(4)] == line["forfeits"]
        assert json.loads(row["record"]) == line["record"]
        assert row["bid"] == str(line["record"]["bid"])
    with (out / "faults.csv").open(newline="") as file:
        assert [row["cause"] for row in csv.DictReader(file)] == ["crashed", "timed_out_move", "left", "left"]
    with (out / "entries.csv").open(newline="") as file:
        assert [row["name"] for row in csv.DictReader(file)] == BOTS
    assert json.loads((out / "tournament.json").read_text())["name"] == "seeded"
    assert not list(out.glob("*.part"))


def test_parquet_holds_the_same(export_of):
    parquet = importlib.import_module("pyarrow.parquet")
    out = export_of("seeded", "--format", "parquet")
    rows = parquet.read_table(out / "tables.parquet").to_pylist()
    lines = [line for line in read(export_of("seeded")) if line["kind"] == "table"]
    assert [[row[f"score_{seat}"] for seat in range(4)] for row in rows] == [line["scores"] for line in lines]
    assert parquet.read_table(out / "faults.parquet").num_rows == 4


def test_parquet_without_pyarrow_ends_with_one_line(data_of, tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    words = ["tournament", "export", "--out", str(tmp_path / "out"), "--format", "parquet"]
    assert run(["--data", str(data_of("seeded")), *words]) == 69
    assert capsys.readouterr().err == "erqi: Parquet needs pyarrow: pip install pyarrow\n"


@pytest.mark.parametrize(
    "words",
    [["nobody", "--out", "x"], ["--out", "x", "--format", "pdf"], []],
    ids=["unknown tournament", "unknown format", "no --out"],
)
def test_wrong_usage(words, data_of, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run(["--data", str(data_of("seeded")), "tournament", "export", *words]) == 64


def test_a_file_that_lost_its_end_is_not_rated(export_of, change, capsys):
    folder = export_of("seeded")
    change(folder, lambda lines: lines[:-6])
    assert run(["rate", str(folder)]) == 65
    assert "promises 16 tables, but 12 are there" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["", "nonsense\n", '{"kind":"tournament"}\n'])
def test_what_is_no_export_is_refused(text, tmp_path):
    file = tmp_path / "games.jsonl"
    file.write_text(text)
    assert run(["rate", str(tmp_path)]) == 65
    assert run(["tournament", "verify", str(file)]) == 65
    assert run(["tournament", "verify", str(tmp_path / "nothing")]) == 65
