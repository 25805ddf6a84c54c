"""`erqi play` with bots that stay on their authors' machines, by a public referee that runs here."""

import json
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from erqiwang.rules import get_profile
from erqiwang_runner.api_tokens import ApiTokens, Kind
from erqiwang_runner.cli.__main__ import run
from erqiwang_runner.contestants import remote, starter
from erqiwang_runner.local.local_claims import next_attempt, open_claims
from erqiwang_runner.tournament_spec import EntrySpec, TournamentSpec


@pytest.fixture
def data(tmp_path, monkeypatch):
    monkeypatch.setenv("ERQI_DATA", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "data"


@pytest.fixture
def processes():
    started = []
    yield started
    for process in started:
        process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()


def start(processes, *command, **variables):
    environment = {**os.environ, **variables}
    process = subprocess.Popen(
        [sys.executable, "-m", *command], env=environment, stdout=subprocess.PIPE, text=True
    )
    processes.append(process)
    return process


def test_remote_and_local_bots_at_one_table(data, processes, capsys):
    secret = ApiTokens.of(data).make("ann", Kind.BOT)
    with tempfile.TemporaryDirectory(prefix="erqi-", dir="/tmp") as folder:
        tokens = str(data / "tokens.json")
        listen = ("--socket-dir", folder, "--tokens", tokens, "--listen", "127.0.0.1:0")
        referee = start(processes, "erqiwang_referee", *listen)
        ready = referee.stdout.readline()
        places = {"ERQI_REFEREE": ready.split("players=")[1].strip(), "ERQI_TOKEN": secret}
        bots = [start(processes, "erqiwang.bots.lowest", **places) for _ in range(4)]
        words = ["lowest", "cautious", "counter", "remote:ann", "--boards", "2", "--workers", "1"]
        assert run(["play", *words, "--referee", folder, "--out", "out"]) == 0
        lines = [json.loads(line) for line in Path("out/games.jsonl").read_text().splitlines()]
        (ann,) = [entry for entry in lines[0]["entries"] if entry["name"] == "ann"]
        assert ann["version"].startswith("remote-")
        assert not ann.get("bundled", False)
        assert f"ann@{ann['version']} plays with 4 processes a match" in capsys.readouterr().err
        assert [line["kind"] for line in lines].count("table") == 8
        assert [line for line in lines if line["kind"] == "fault"] == []
        assert secret not in Path("out/games.jsonl").read_text()
        referee.send_signal(signal.SIGTERM)
        assert referee.wait(30) == 0
        assert [bot.wait(30) for bot in bots] == [0] * 4
    assert run(["verify", "out/games.jsonl"]) == 0


def test_a_runner_elsewhere_brings_its_credential(
    data, processes, certificates, tmp_path, monkeypatch, capsys
):
    ann = ApiTokens.of(data).make("ann", Kind.BOT)
    key = tmp_path / "runner.token"
    key.touch(0o600)
    key.write_text(ApiTokens.of(data).make("host", Kind.RUNNER) + "\n")
    with tempfile.TemporaryDirectory(prefix="erqi-", dir="/tmp") as folder:
        tls = ("--tls-cert", certificates.path("server.pem"), "--tls-key", certificates.path("server.key"))
        listen = ("--listen", "localhost:0", "--runner-listen", "localhost:0")
        where = ("--socket-dir", folder, "--tokens", str(data / "tokens.json"))
        referee = start(processes, "erqiwang_referee", *where, *listen, *tls)
        _, _, players, runners = referee.stdout.readline().split()
        trust = {"ERQI_CA": certificates.path("authority.pem")}
        places = {"ERQI_REFEREE": players.removeprefix("players="), "ERQI_TOKEN": ann, **trust}
        for _ in range(4):
            start(processes, "erqiwang.bots.lowest", **places)
        monkeypatch.setenv("ERQI_CA", trust["ERQI_CA"])
        words = ["play", "lowest", "cautious", "counter", "remote:ann", "--boards", "1", "--workers", "1"]
        words += ["--referee", runners.removeprefix("runners="), "--out", "out"]
        assert run(words) == 64
        assert "ERQI_RUNNER_TOKEN_FILE is not set" in capsys.readouterr().err
        monkeypatch.setenv("ERQI_RUNNER_TOKEN_FILE", str(key))
        key.chmod(0o644)
        assert run(words) == 64
        assert "may be read by others: chmod 600 it" in capsys.readouterr().err
        key.chmod(0o600)
        assert run(words) == 0
        lines = [json.loads(line) for line in Path("out/games.jsonl").read_text().splitlines()]
        assert [line["kind"] for line in lines] == ["tournament", *["table"] * 4]


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["remote:ann", "lowest"], "ann@remote-"),
        (["remote:ann", "lowest", "--referee", "."], "no referee runs there"),
        (["remote:ben", "lowest"], "has no token 'ben'"),
        (["remote:host", "lowest"], "the token 'host' is a runner's, not a bot's"),
    ],
)
def test_what_cannot_be_played_is_told_in_a_line(data, capsys, words, text):
    ApiTokens.of(data).make("ann", Kind.BOT)
    ApiTokens.of(data).make("host", Kind.RUNNER)
    assert run(["play", *words]) == 64
    err = capsys.readouterr().err
    assert text in err
    assert err.count("\n") == 1


def test_only_play_takes_remote_bots(data, capsys):
    ApiTokens.of(data).make("ann", Kind.BOT)
    assert run(["regress", "remote:ann", "lowest"]) == 64
    assert "comes over the network: name its public referee" in capsys.readouterr().err


def test_a_board_that_failed_gets_a_new_deal_where_somebody_else_saw_it():
    def claims(*contestants):
        spec = TournamentSpec(
            name="t",
            seed_text="seed",
            entries=tuple(EntrySpec(contestant) for contestant in contestants),
            boards=2,
            boards_per_match=2,
            set_type="klein4",
            referee="tls://referee.example:7070",
        )
        (claim,) = open_claims(spec, frozenset())
        return claim, next_attempt(spec, claim, claim.slots[1:])

    ours = [starter(name) for name in ("random", "lowest", "cautious", "counter")]
    claim, again = claims(*ours)
    assert again.slots == claim.slots[1:]
    claim, again = claims(*ours[:3], remote("ann", "ab" * 32))
    assert [slot.generation for slot in again.slots] == [1]
    assert again.slots[0].slot == claim.slots[1].slot
    seeds = {slot.board_seed for slot in (*claim.slots, *again.slots)}
    assert len(seeds) == 3
    assert get_profile("classic").seats == len(again.group)
