from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from erqiwang.deals import (
    board_seed,
    canonical_json,
    chain_link,
    commitment,
    committed_key,
    deal_hash,
    manifest_hash,
)
from erqiwang.rules import get_profile
from erqiwang_runner.cli.__main__ import run
from erqiwang_runner.errors import UnavailableError, UsageError
from erqiwang_runner.export.deal_source import deal_source
from erqiwang_runner.local.games_header import GamesHeader
from erqiwang_runner.secret_file import SecretFile
from erqiwang_runner.store import commitments, tournaments
from erqiwang_runner.store.engine import Database
from erqiwang_runner.store.extension import extend

VERIFIER = Path(__file__).resolve().parents[3] / "deploy" / "verify_deals.py"


@pytest.fixture
def verify_deals(export_of):
    """Run the verifier of contestants on an export, without anything of ours."""

    def verify(name, *words):
        games = export_of(name, "--force") / "games.jsonl"
        return subprocess.run(
            [sys.executable, "-I", str(VERIFIER), str(games), *words],
            capture_output=True,
            text=True,
            check=False,
        )

    return verify


def unplayed(data):
    return closing(Database(f"sqlite:///{data / 'erqi.sqlite3'}"))


def test_nothing_is_dealt_before_the_entropy(data_of, capsys):
    data = str(data_of("unplayed"))
    assert run(["--data", data, "tournament", "run", "unplayed"]) == 64
    assert "before the entropy of 'the beacon' is known" in capsys.readouterr().err
    with unplayed(data_of("unplayed")) as database, database.read() as connection:
        row = tournaments.find(connection, None)
        with pytest.raises(UsageError, match="not known yet"):
            commitments.key_of(connection, row, SecretFile(data_of("unplayed")))


def test_entropy_is_given_once_and_only_to_committed_deals(data_of, capsys):
    words = ["--data", str(data_of("unplayed")), "tournament", "entropy", "unplayed"]
    assert run([*words, "xyz"]) == 64
    assert run([*words, ""]) == 64
    assert run([*words, "00ff"]) == 0
    assert run([*words, "00ff"]) == 64
    assert "has its entropy already: 00ff" in capsys.readouterr().err
    assert run(["--data", str(data_of("seeded")), "tournament", "entropy", "seeded", "00"]) == 64
    assert "come from a seed text" in capsys.readouterr().err


def test_the_deals_are_those_of_the_formula(export_of):
    lines = (export_of("committed") / "games.jsonl").read_text().splitlines()
    header, tables = json.loads(lines[0]), [json.loads(line) for line in lines[1:]]
    found = header["commitment"]
    assert found["entropy"] == b"public".hex()
    secret, manifest = bytes.fromhex(found["secret"]), bytes.fromhex(found["manifest_sha256"])
    key = committed_key(secret, manifest, b"public")
    for line in (each for each in tables if each["kind"] == "table"):
        seed = board_seed(key, line["deal_index"])
        assert line["deal_hash"] == deal_hash(get_profile("classic"), seed).hex()


def test_the_secret_is_in_the_database_only_after_the_last_board(data_of):
    for name in ("unplayed", "committed"):
        data = data_of(name)
        secret = (data / "secrets.key").read_text().split()[1]
        with unplayed(data) as database, database.read() as connection:
            found = commitments.find(connection, tournaments.find(connection, None).id)
        assert found.secret == (secret if name == "committed" else None)
        assert (data / "secrets.key").stat().st_mode & 0o777 == 0o600


def test_a_secret_file_that_others_may_read_is_refused(tmp_path):
    file = SecretFile(tmp_path)
    file.add("c" * 64, bytes(32))
    assert file.get("c" * 64) == bytes(32)
    file.path.chmod(0o644)
    with pytest.raises(UsageError, match="may be read by others"):
        file.get("c" * 64)


def test_without_its_secret_nothing_can_be_dealt(data_of):
    data = data_of("unplayed")
    with unplayed(data) as database:
        with database.write() as connection:
            row = tournaments.find(connection, None)
            commitments.give_entropy(connection, row, b"x")
            tournaments.start(connection, row.id)
        os.unlink(data / "secrets.key")
        with pytest.raises(UnavailableError, match="does not hold the secret"):
            extend(database, row, 4, SecretFile(data))
        with pytest.raises(UnavailableError, match="not at hand"):
            extend(database, row, 4)


def test_the_commitment_is_shown(data_of, capsys):
    assert run(["--data", str(data_of("unplayed")), "tournament", "commitment"]) == 0
    assert "entropy: awaited" in capsys.readouterr().out
    assert run(["--data", str(data_of("committed")), "tournament", "commitment", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert len(shown["secret"]) == 64
    assert json.loads(shown["manifest"])["entropy_source"] == "the beacon"
    assert run(["--data", str(data_of("seeded")), "tournament", "commitment"]) == 64


def test_without_a_named_source_every_output_says_so(tmp_path, capsys):
    entries = [word for name in ("random", "lowest", "cautious", "counter") for word in ("--entry", name)]
    data = ["--data", str(tmp_path)]
    assert run([*data, "tournament", "create", "t", *entries, "--deals", "committed"]) == 0
    assert "whoever made the tournament could choose the deals" in capsys.readouterr().out
    assert run([*data, "standings"]) == 0
    assert run([*data, "standings", "--json"]) == 0
    assert '"verifiable": false' in capsys.readouterr().out
    assert run([*data, "tournament", "create", "u", *entries, "--entropy-source", "x"]) == 64
    assert run([*data, "tournament", "create", "u", *entries, "--deals", "stacked"]) == 64


@pytest.mark.parametrize("name", ["seeded", "committed"])
def test_the_verifier_of_contestants_makes_the_deals_again(name, verify_deals):
    done = verify_deals(name)
    assert done.returncode == 0, done.stderr
    assert "16 tables of 4 deals made again, 0 differences" in done.stdout


def test_the_verifier_takes_what_contestants_noted(verify_deals, export_of):
    found = json.loads((export_of("committed") / "games.jsonl").read_text().splitlines()[0])["commitment"]
    noted = ["--secret", found["secret"], "--entropy", found["entropy"], "--commitment", found["commitment"]]
    assert verify_deals("committed", *noted).returncode == 0
    noted[-1] = "0" * 64
    done = verify_deals("committed", *noted)
    assert done.returncode == 1
    assert "not what was committed to" in done.stdout
    assert verify_deals("seeded", "--seed", "another").returncode == 1
    assert verify_deals("seeded", "--seed", "seed").returncode == 0


def test_the_verifier_finds_another_deal_and_says_what_it_cannot_do(export_of, change):
    folder = export_of("committed")

    def verify():
        return subprocess.run(
            [sys.executable, "-I", str(VERIFIER), str(folder / "games.jsonl")],
            capture_output=True,
            text=True,
            check=False,
        )

    def swap(lines):
        hands = lines[1]["record"]["hands"]
        hands[0], hands[1] = hands[1], hands[0]

    change(folder, swap)
    done = verify()
    assert done.returncode == 1
    assert "seat 0 was dealt" in done.stdout
    change(folder, lambda lines: lines[0]["commitment"].update(secret=None))
    assert verify().returncode == 2


def test_the_verifier_is_short_and_needs_nothing():
    text = VERIFIER.read_text()
    assert len(text.splitlines()) < 150
    imported = {line.split()[1] for line in text.splitlines() if line.startswith(("import ", "from "))}
    assert imported <= sys.stdlib_module_names


def test_the_manifest_is_what_its_schema_says(export_of):
    schema = json.loads((VERIFIER.parents[1] / "docs" / "manifest.schema.json").read_text())
    line = (export_of("committed") / "games.jsonl").read_text().splitlines()[0]
    manifest = json.loads(json.loads(line)["commitment"]["manifest"])
    assert sorted(schema["required"]) == sorted(schema["properties"]) == sorted(manifest)
    for name in ("entries", "schedule"):
        inner = schema["properties"][name]
        inner, values = (inner["items"], manifest[name]) if name == "entries" else (inner, [manifest[name]])
        for value in values:
            assert sorted(inner["required"]) == sorted(inner["properties"]) == sorted(value)


def test_a_committed_tournament_is_played_exported_and_checked(tmp_path):
    def erqi(*words):
        command = [sys.executable, "-m", "erqiwang_runner.cli", *words]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    entries = [word for name in ("random", "lowest", "cautious", "counter") for word in ("--entry", name)]
    committed = ["--deals", "committed", "--entropy-source", "dice"]
    said = erqi("tournament", "create", "t", *entries, "--boards", "1", *committed)
    noted = next(line.split()[-1] for line in said.splitlines() if line.startswith("commitment: "))
    erqi("tournament", "entropy", "t", "060301")
    erqi("tournament", "run", "t", "--workers", "1")
    erqi("tournament", "export", "t", "--out", "export")
    assert "the committed secret and the entropy of 'dice'" in erqi("tournament", "verify", "export")
    known = ["--commitment", noted, "--entropy", "060301"]
    games = tmp_path / "export" / "games.jsonl"
    subprocess.run([sys.executable, "-I", str(VERIFIER), str(games), *known], check=True)


@pytest.mark.parametrize(("link", "is_right"), [(3, True), (2, False), (4, False)])
def test_the_secret_of_an_epoch_is_of_the_hash_chain_of_its_ladder(link, is_right, export_of, tmp_path):
    lines = (export_of("committed") / "games.jsonl").read_text().splitlines(keepends=True)
    header = json.loads(lines[0])
    found = header["commitment"]
    secret = bytes.fromhex(found["secret"])
    manifest = json.loads(found["manifest"])
    manifest["ladder"] = {"ladder": "l", "number": 2, "chain": chain_link(secret, 3).hex(), "link": link}
    bound = canonical_json(manifest)
    header["commitment"] |= {
        "manifest": bound.decode(),
        "manifest_sha256": manifest_hash(bound).hex(),
        "commitment": commitment(secret, manifest_hash(bound)).hex(),
    }
    source = deal_source(GamesHeader(header))
    said = f"the revealed secret is not link {link} of the hash chain"
    assert [each for each in source.differences if each.startswith(said)] == (
        [] if is_right else [f"{said} that ends in {manifest['ladder']['chain']}"]
    )
    assert "epoch 2 of the ladder l, whose published hash chain ends in" in source.how
    games = tmp_path / "games.jsonl"
    games.write_text("".join([json.dumps(header) + "\n", *lines[1:]]))
    done = subprocess.run(
        [sys.executable, "-I", str(VERIFIER), str(games)], capture_output=True, text=True, check=False
    )
    assert ("the secret is not of the ladder's hash chain" in done.stdout) is not is_right, done.stdout
