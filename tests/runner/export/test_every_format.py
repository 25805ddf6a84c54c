"""Each format with committed deals and spoiled boards: exported, rated, verified, read back from tables."""

from __future__ import annotations

import csv
import importlib
import json
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from erqiwang_runner.cli.__main__ import run
from erqiwang_runner.contestants import Contestant
from erqiwang_runner.export.flat import FLAT_KINDS, columns_of, flat_rows
from erqiwang_runner.formats import Format, FormatSettings
from erqiwang_runner.liveness import process_name
from erqiwang_runner.match_claim import Worker
from erqiwang_runner.secret_file import SecretFile
from erqiwang_runner.store import claims, commitments, planning, tournaments
from erqiwang_runner.store.engine import Database
from erqiwang_runner.store.extension import extend
from erqiwang_runner.store.migrate import upgrade
from erqiwang_runner.store.replacement import replace_disturbed
from erqiwang_runner.store.settlement import settle
from erqiwang_runner.store.states import TournamentState
from erqiwang_runner.tournament_spec import DealsMode, EntrySpec, TournamentSpec

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs" / "statistics.md").read_text(encoding="utf-8")
WORKER = Worker(process_name(), process_name(), "here", "none")

FORMATS = [
    (FormatSettings(format=Format.ROUND_ROBIN), 4, {}),
    (FormatSettings(format=Format.GAUNTLET, groups=2), 5, {}),
    (FormatSettings(format=Format.SWISS, rounds=2), 6, {}),
    (FormatSettings(format=Format.BRACKET, force=True), 8, {}),
    (FormatSettings(format=Format.LADDER, groups=3), 5, {"round_look_back": 2}),
    (FormatSettings(format=Format.MATCH), 2, {"set_type": "pair22", "boards": 6}),
    (FormatSettings(format=Format.MATCH), 3, {"set_type": "cyc3", "profile": "jiangxi-3p", "boards": 4}),
]


@pytest.fixture
def played(tmp_path, play_board):
    """Play a tournament, in which entry 1 forfeits the second board of every group."""

    def play(format_, entries, more):
        data = tmp_path / "data"
        data.mkdir()
        bots = [Contestant(f"bot{k}", "1", ("true",), f"{k:064}", bundled=k > 0) for k in range(entries)]
        settings = {"boards": 2, "boards_per_match": 1, "look_back": 1, **more}
        spec = TournamentSpec(
            name="t",
            seed_text="",
            entries=tuple(EntrySpec(bot) for bot in bots),
            mode=DealsMode.COMMITTED,
            entropy_source="the beacon",
            format=format_,
            **settings,
        )
        secrets = SecretFile(data)
        with closing(Database(f"sqlite:///{data / 'erqi.sqlite3'}")) as database:
            upgrade(database)
            with database.write() as connection:
                key = tournaments.create(connection, spec)
                commitments.commit(connection, key, spec, secrets)
                commitments.give_entropy(connection, tournaments.get(connection, key), b"public")
                tournaments.start(connection, key)
            play_out(database, secrets, play_board)
        return data

    return play


def play_out(database, secrets, play_board):
    """Do what coordinator and workers do, until nothing is left."""
    while True:
        with database.read() as connection:
            row = tournaments.find(connection, None)
        if row.state is not TournamentState.RUNNING:
            return
        extend(database, row, 3, secrets)
        for match_id, _ in planning.waiting(database, row.id):
            claim = claims.take(database, match_id, WORKER)
            for slot in claim.slots:
                spoiler = 1 if slot.slot.n == 1 else None
                claims.store_set(database, claim, play_board(claim, slot, spoiler))
            claims.complete(database, claim, ())
        replace_disturbed(database, row, secrets)
        settle(database, row)
        planning.finish_if_complete(database, row, secrets)


def lines_of(folder):
    return [json.loads(line) for line in (folder / "games.jsonl").read_text().splitlines()]


def cell(value):
    """A value as CSV has it."""
    if value is None:
        return ""
    return str(int(value)) if isinstance(value, bool) else str(value)


@pytest.mark.parametrize(
    ("format_", "entries", "more"), FORMATS, ids=lambda each: getattr(each, "format", "")
)
def test_an_export_of_any_format_is_whole_and_right(format_, entries, more, played, tmp_path, capsys):
    data = ["--data", str(played(format_, entries, more))]
    out = tmp_path / "out"
    for kind in ("jsonl", "csv", "parquet"):
        assert run([*data, "tournament", "export", "--out", str(out), "--format", kind]) == 0
    capsys.readouterr()

    assert run([*data, "standings", "--json", "--allow-disconnected"]) == 0
    wanted = capsys.readouterr().out
    assert run(["rate", str(out), "--json", "--allow-disconnected"]) == 0
    assert capsys.readouterr().out == wanted

    assert run(["tournament", "verify", str(out)]) == 0
    said = capsys.readouterr().out
    assert "chosen again from the results before them" in said
    assert "those of standings.json" in said
    assert ("once more for others' faults" in said) is (entries > 2)

    verifier = [sys.executable, "-I", str(ROOT / "deploy" / "verify_deals.py"), str(out / "games.jsonl")]
    done = subprocess.run(verifier, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    header, *rest = lines_of(out)
    assert f"{header['tables']} tables of" in done.stdout

    tables_agree(out, [header, *rest], len(rest[-1]["scores"]))
    every_name_is_explained(header, rest)


def tables_agree(out, lines, seats):
    """CSV and Parquet hold what the lines do, cell by cell."""
    parquet = importlib.import_module("pyarrow.parquet")
    rows = {kind: [] for kind in FLAT_KINDS}
    for line in lines:
        for kind, row in flat_rows(line):
            rows[kind].append(row)
    assert len(rows["tables"]) == lines[0]["tables"]
    for kind in FLAT_KINDS:
        columns = columns_of(kind, seats)
        with (out / f"{kind}.csv").open(newline="") as file:
            found = list(csv.DictReader(file))
        assert found == [{name: cell(row.get(name)) for name in columns} for row in rows[kind]]
        table = parquet.read_table(out / f"{kind}.parquet")
        assert table.column_names == list(columns)
        assert table.to_pylist() == [{name: row.get(name) for name in columns} for row in rows[kind]]
    described = json.loads((out / "tournament.json").read_text())
    assert described == lines[0]


def every_name_is_explained(header, rest):
    named = [header, *header["entries"], header["commitment"], header["schedule"], *rest]
    for name in {each for fields in named for each in fields} - {"kind"}:
        assert f"`{name}`" in PAGE, name


@pytest.mark.parametrize("kind", FLAT_KINDS)
def test_every_column_is_explained(kind):
    for column in columns_of(kind, 1):
        assert f"`{column}`" in PAGE, column
