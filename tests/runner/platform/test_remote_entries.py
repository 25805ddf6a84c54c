"""A tournament with a bot of another machine: a public referee over TLS, two workers, four processes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from sqlalchemy import func, select

from erqiwang_runner.api_tokens import ApiTokens, Kind
from erqiwang_runner.cli.__main__ import run
from erqiwang_runner.results import Isolation
from erqiwang_runner.store import schema, tournaments
from erqiwang_runner.store.reader import SqlResults
from erqiwang_runner.store.summary import summarise
from worker_platform import Platform

# It thinks a little, and leaves a file behind after every 40 plays.
SLOW_BOT = """
import os, sys, time
from pathlib import Path
from erqiwang import run
from erqiwang.bots.lowest import LowestBot

plays = 0


class Slow(LowestBot):
    def play(self, view):
        global plays
        plays += 1
        time.sleep(0.005)
        if plays % 40 == 0:
            Path(sys.argv[1], str(os.getpid())).touch()
        return super().play(view)


run(Slow)
"""
SESSIONS = 4


class Network:
    """A referee that can be killed and comes back at its address, and the processes of the remote bot ann."""

    def __init__(self, folder: Path, data: Path, certificates) -> None:
        self._folder = folder
        self._certificates = certificates
        self._data = data
        self._secret = ApiTokens.of(data).make("ann", Kind.BOT)
        self._players = self._runners = "localhost:0"
        self._referee: subprocess.Popen[str] | None = None
        self.bots: list[subprocess.Popen[str]] = []
        self.start_referee()

    @property
    def address(self) -> str:
        return f"tls://{self._runners}"

    def start_referee(self) -> None:
        """Begin, or come back."""
        home = tempfile.mkdtemp(prefix="r", dir=self._folder)
        listen = ("--listen", self._players, "--runner-listen", self._runners)
        tls = (
            *("--tls-cert", self._certificates.path("server.pem")),
            *("--tls-key", self._certificates.path("server.key")),
        )
        where = ("--socket-dir", home, "--tokens", str(self._data / "tokens.json"))
        command = [sys.executable, "-m", "erqiwang_referee", *where, *listen, *tls]
        self._referee = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self._referee.stdout is not None
        _, _, players, runners = self._referee.stdout.readline().split()
        self._players, self._runners = players.partition("tls://")[2], runners.partition("tls://")[2]

    def kill_referee(self) -> None:
        """As if the machine fell over."""
        assert self._referee is not None
        assert self._referee.stdout is not None
        self._referee.kill()
        self._referee.wait()
        self._referee.stdout.close()

    def start_bot(self) -> None:
        """One process of ann's."""
        bot = self._folder / "slow.py"
        bot.write_text(SLOW_BOT)
        environment = {
            **os.environ,
            "ERQI_REFEREE": f"tls://{self._players}",
            "ERQI_TOKEN": self._secret,
            "ERQI_CA": self._certificates.path("authority.pem"),
        }
        command = [sys.executable, str(bot), str(self._marks)]
        self.bots.append(subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL))

    @property
    def _marks(self) -> Path:
        place = self._folder / "marks"
        place.mkdir(exist_ok=True)
        return place

    def in_the_middle(self) -> bool:
        """Whether some process of ann's has played a while since this was last true."""
        found = list(self._marks.iterdir())
        for mark in found:
            mark.unlink()
        return bool(found)

    def close(self) -> None:
        for process in self.bots:
            process.kill()
            process.wait()
        self.kill_referee()


@pytest.fixture
def short_folder():
    with tempfile.TemporaryDirectory(prefix="erqi-", dir="/tmp") as folder:
        yield Path(folder)


@pytest.fixture
def network(tmp_path, short_folder, certificates, monkeypatch):
    monkeypatch.setenv("ERQI_DATA", str(tmp_path))
    monkeypatch.setenv("ERQI_CA", certificates.path("authority.pem"))
    key = tmp_path / "runner.token"
    key.touch(0o600)
    key.write_text(ApiTokens.of(tmp_path).make("host", Kind.RUNNER))
    monkeypatch.setenv("ERQI_RUNNER_TOKEN_FILE", str(key))
    network = Network(short_folder, tmp_path, certificates)
    yield network
    network.close()


@pytest.fixture
def platform(tmp_path, require, network):
    require("redis-server")
    platform = Platform(tmp_path, workers=2)
    yield platform
    platform.close()


def create(network, name, boards, per_match):
    words = ["--entry", "remote:ann", "--entry", "lowest", "--set-type", "pair22", "--seed", name]
    sizes = ["--boards", str(boards), "--boards-per-match", str(per_match)]
    assert run(["tournament", "create", name, *words, *sizes, "--referee", network.address]) == 0


def start(platform, name):
    with platform.database.write() as connection:
        tournaments.start(connection, tournaments.find(connection, name).id)


def faults_of(platform, name):
    return {entry: dict(causes) for entry, causes in SqlResults(platform.database).faults(name).items()}


def attempts_of(platform, name):
    with platform.database.read() as connection:
        rows = connection.execute(
            select(schema.attempts.c.outcome, schema.attempts.c.reason)
            .join(schema.matches, schema.matches.c.id == schema.attempts.c.match_id)
            .join(schema.tournaments, schema.tournaments.c.id == schema.matches.c.tournament_id)
            .where(schema.tournaments.c.name == name)
            .order_by(schema.attempts.c.id)
        )
        return [tuple(row) for row in rows]


def test_a_remote_entry_waits_plays_dies_and_comes_back(platform, network, capsys, tmp_path, monkeypatch):
    """One story, because a platform, a referee and four processes are dear."""
    monkeypatch.chdir(tmp_path)
    create(network, "calm", 2, 1)
    assert json.loads(run_json(capsys, "tournament", "status", "calm", "--json"))["isolation"] == "open"

    # A referee that is not there costs nobody anything.
    network.kill_referee()
    start(platform, "calm")
    platform.step_until(lambda: summarise(platform.database, "calm").trouble is not None)
    found = summarise(platform.database, "calm")
    assert network.address in found.trouble
    assert "UNAVAILABLE" in found.trouble
    assert "waits for its referee" in found.text()
    assert found.attempts == {}
    network.start_referee()
    for _ in range(SESSIONS):
        network.start_bot()
    # Two workers, and still the bot sits in one match at a time.
    most = 0

    def is_finished():
        nonlocal most
        with platform.database.read() as connection:
            leased = select(func.count()).where(schema.matches.c.state == "leased")
            most = max(most, connection.scalar(leased))
        return platform.is_finished("calm")

    platform.step_until(is_finished)
    assert most == 1
    found = summarise(platform.database, "calm")
    assert (found.played, found.explained, found.trouble) == (2, 0, None)
    assert attempts_of(platform, "calm") == [("completed", None)] * 2
    assert faults_of(platform, "calm") == {}
    assert [name.partition("-")[0] for name in found.remote] == ["ann@remote"]
    seen = SqlResults(platform.database)
    assert seen.tournament("calm").isolation is Isolation.OPEN
    assert [entry.is_remote for entry in seen.entries("calm")] == [True, False]

    # Its author's machine falls over in mid-match, and one process is started again.
    network.in_the_middle()
    create(network, "killed", 12, 6)
    start(platform, "killed")
    platform.step_until(network.in_the_middle)
    os.kill(network.bots[0].pid, signal.SIGKILL)
    network.bots.pop(0).wait()
    network.start_bot()
    platform.step_until(lambda: platform.is_finished("killed"))
    found = summarise(platform.database, "killed")
    assert found.planned == found.played + found.explained
    ((entry, causes),) = faults_of(platform, "killed").items()
    assert entry == 0, "only the one that left is to blame"
    assert {cause.name for cause in causes} == {"DISCONNECTED"}
    assert sum(causes.values()) == 1
    assert {outcome for outcome, _ in attempts_of(platform, "killed")} == {"completed"}

    # The referee falls over in mid-match: that is nobody's fault, and nobody needs to be told.
    network.in_the_middle()
    create(network, "fallen", 6, 6)
    start(platform, "fallen")
    platform.step_until(network.in_the_middle)
    network.kill_referee()
    network.start_referee()
    platform.step_until(lambda: platform.is_finished("fallen"))
    found = summarise(platform.database, "fallen")
    assert (found.played, found.explained) == (6, 0)
    assert faults_of(platform, "fallen") == {}
    outcomes = [outcome for outcome, _ in attempts_of(platform, "fallen")]
    assert outcomes[0] == "void"
    assert outcomes[-1] == "completed"
    with platform.database.read() as connection:
        generations = set(connection.scalars(select(schema.table_results.c.generation)))
    assert generations - {0}, "nobody sees a deal twice"
    assert all(bot.poll() is None for bot in network.bots)

    for name in ("calm", "killed", "fallen"):
        capsys.readouterr()
        assert run(["tournament", "export", name, "--out", name]) == 0
        assert run(["tournament", "verify", name]) == 0
        header = json.loads((tmp_path / name / "games.jsonl").read_text().splitlines()[0])
        assert header["isolation"] == "open"
        assert [each.get("remote", False) for each in header["entries"]] == [True, False]
        rows = json.loads((tmp_path / name / "standings.json").read_text())["tables"][0]["rows"]
        assert {row["bot"].partition("@")[0]: row["remote"] for row in rows} == {"ann": True, "lowest": False}


def run_json(capsys, *words):
    capsys.readouterr()
    assert run(list(words)) == 0
    return capsys.readouterr().out
