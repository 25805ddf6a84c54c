"""What a host types beside tournaments: competitions, webhooks, retention, quarantines."""

from __future__ import annotations

import json
import threading
from contextlib import closing
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from sqlalchemy import insert

from erqiwang_runner.cli.__main__ import run
from erqiwang_runner.store import schema
from erqiwang_runner.store.engine import Database

STARTERS = ["--entry", "random", "--entry", "lowest", "--entry", "cautious", "--entry", "counter"]


@pytest.fixture
def erqi(tmp_path, capsys):
    def call(*words, code=0):
        got = run(["--data", str(tmp_path / "data"), *words])
        said = capsys.readouterr()
        assert got == code, said
        return said.err if code else said.out

    return call


@pytest.fixture
def opened(tmp_path):
    return lambda: closing(Database(f"sqlite:///{tmp_path / 'data' / 'erqi.sqlite3'}"))


def instant(days):
    return (datetime.now(UTC) + timedelta(days=days)).strftime("%Y-%m-%dT%H:%M:%SZ")


def competition(tmp_path, opens=-1, closes=1, more=""):
    file = tmp_path / "cup.toml"
    file.write_text(
        f'name = "cup"\n{more}\n[calendar]\nopens = {instant(opens)}\ncloses = {instant(closes)}\n'
    )
    return str(file)


def test_a_competition_is_announced_entered_moved_and_cancelled(erqi, tmp_path):
    made = json.loads(erqi("competition", "create", "--file", competition(tmp_path), "--json"))
    assert (made["phase"], made["leaderboard"], made["ranking"]) == ("announced", "hidden", None)
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "bot.py").write_text("print()")
    (folder / "bot.toml").write_text('name = "mine"\nversion = "7"\ncommand = ["python", "bot.py"]\n')
    sent = json.loads(erqi("competition", "submit", "cup", str(folder), "--author", "ann", "--json"))
    assert (sent["bot"], sent["author"], sent["state"]) == ("mine@7", "ann", "validating")
    (folder / "bot.py").write_text("print(1)")
    assert "mine@7 is known with other files" in erqi("competition", "submit", "cup", str(folder), code=64)
    for author in ("a" * 65, "a\x1b[2J", " "):
        refused = erqi("competition", "submit", "cup", "random", "--author", author, code=64)
        assert "is no author" in refused
    assert "is submitted already" in erqi(
        "competition", "submit", "cup", "mine@7", "--author", "ann", code=64
    )
    assert "names a command of this machine" in erqi("competition", "submit", "cup", "x=/bin/true", code=64)
    later = instant(5)
    moved = json.loads(erqi("competition", "move", "cup", "closed", later, "--json"))
    assert moved["calendar"]["closed"] == later
    assert "no phase 'closing'" in erqi("competition", "move", "cup", "closing", later, code=64)
    assert "is no instant" in erqi("competition", "move", "cup", "closed", "soon", code=64)
    assert "only what is played" in erqi("competition", "reveal", "cup", code=64)
    assert "mine@7 is withdrawn" in erqi("competition", "withdraw", "cup", "mine")
    advanced = json.loads(erqi("competition", "advance", "cup", "--json"))
    # Nobody takes part, so nothing is left to wait for.
    assert advanced["phase"] == "revealed"
    assert [each["phase"] for each in advanced["history"]] == [
        *("open", "closed", "validation", "play", "finals", "revealed"),
    ]
    assert "closed at" in erqi("competition", "submit", "cup", "random", code=64)
    assert "there is nothing to cancel" in erqi("competition", "cancel", "cup", code=64)
    assert "cup: revealed, 0 valid submissions" in erqi("competition", "list")


def test_an_early_submission_hears_when_it_may_come(erqi, tmp_path):
    file = competition(tmp_path, opens=1, closes=2)
    erqi("competition", "create", "--file", file)
    assert "cup opens at" in erqi("competition", "submit", "cup", "random", code=64)
    assert "there is a competition 'cup' already" in erqi("competition", "create", "--file", file, code=64)
    assert "cup: cancelled" in erqi("competition", "cancel", "cup")


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ("winner = 1", "unknown key winner; there are name"),
        ("active_submissions = 0", "active_submissions: 0 is no whole number from 1 on"),
        ('leaderboard = "secret"', "leaderboard: 'secret' is not one of hidden, open"),
        ('house = ["nobody"]', "house: ['nobody'] is no list of bundled bots"),
        ("play = { boards = 3, entries = 4 }", "unknown key play.entries"),
        ("play = { boards = 0 }", "play.boards: 0 is no whole number from 1 on"),
        ('play = { format = { name = "round-robin" }, clock = "ludicrous" }', "no clock class 'ludicrous'"),
        ('play = { format = { name = "match" } }', "play, with 40 bots: a match is of 4 entries, not 40"),
        ('validation = { deals = "committed" }', "unknown key validation.deals"),
        ("finals = [{ boards = 3 }]", "finals[1].entries is missing"),
        ("finals = [{ entries = 4 }, { entries = 4 }]", "finals[2].entries: 4 are no fewer than 4 before"),
        ('finals = [{ entries = 6, format = { name = "bracket" } }]', "finals[1]: a bracket takes 4, 8"),
        ('tournament = { profile = "nothing" }', "nothing"),
        ('tournament = { profile = "house.toml" }', "tournament.profile: a competition is one file"),
    ],
)
def test_a_wrong_file_is_refused_with_its_key(more, said, erqi, tmp_path):
    file = competition(tmp_path, more=more)
    refused = erqi("competition", "create", "--file", file, code=65)
    assert file in refused
    assert said in refused
    assert not (tmp_path / "data").exists()


def test_what_is_closed_already_is_not_announced(erqi, tmp_path):
    file = competition(tmp_path, opens=-3, closes=-1)
    assert "UTC is past" in erqi("competition", "create", "--file", file, code=65)


def test_a_calendar_names_its_zone(erqi, tmp_path):
    file = tmp_path / "cup.toml"
    file.write_text('name = "cup"\n[calendar]\nopens = 2027-01-01T00:00:00\ncloses = 2027-02-01T00:00:00Z\n')
    refused = erqi("competition", "create", "--file", str(file), code=65)
    assert "calendar.opens: 2027-01-01T00:00:00 names no zone" in refused


def test_a_tournament_answers_in_json(erqi):
    erqi("tournament", "create", "t", *STARTERS, "--boards", "3")
    states = [
        json.loads(erqi("tournament", command, "t", "--json"))["state"]
        for command in ("start", "pause", "resume", "cancel")
    ]
    assert states == ["running", "paused", "running", "cancelled"]


def test_retention_is_set_and_carried_out(erqi):
    erqi("db", "upgrade")
    assert "logs are kept for 90 days" in erqi("retention", "show")
    words = ["--record-days", "30", "--log-days", "7.5", "--max-bytes", "20G", "--json"]
    found = json.loads(erqi("retention", "set", *words))
    assert found["policy"] == {"log_days": 7.5, "record_days": 30, "max_bytes": 20 << 30}
    found = json.loads(erqi("retention", "set", "--record-days", "never", "--json"))
    assert found["policy"] == {"log_days": 7.5, "record_days": None, "max_bytes": 20 << 30}
    assert json.loads(erqi("retention", "run", "--json")) == []
    assert "carried out last at" in erqi("retention", "show")
    assert "no number of days" in erqi("retention", "set", "--log-days", "soon", code=64)
    assert "no number of bytes" in erqi("retention", "set", "--max-bytes", "20X", code=64)


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(int(self.path.removeprefix("/")))
        self.end_headers()

    def log_message(self, *_words):
        """Say nothing."""


@pytest.fixture
def port():
    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server.server_port
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_webhook_is_added_tried_and_removed(erqi, tmp_path, port):
    good, bad = f"http://127.0.0.1:{port}/200", f"http://127.0.0.1:{port}/500"
    made = json.loads(erqi("webhook", "add", good, "--json"))
    assert len(made["secret"]) == 64
    secret = tmp_path / "secret"
    secret.write_text("5" * 64 + "\n")
    assert "secret" not in erqi("webhook", "add", bad, "--secret-file", str(secret))
    assert "answered 200" in erqi("webhook", "test", good)
    erqi("webhook", "test", "2", code=1)
    assert [each["url"] for each in json.loads(erqi("webhook", "list", "--json"))] == [good, bad]
    erqi("webhook", "remove", good)
    assert good not in erqi("webhook", "list")
    assert "only http and https" in erqi("webhook", "add", "ftp://x/", code=64)
    secret.write_text("short")
    assert "64 digits" in erqi("webhook", "add", good, "--secret-file", str(secret), code=65)


def test_a_quarantine_is_seen_and_lifted(erqi, opened):
    erqi("db", "upgrade")
    assert "no host is quarantined" in erqi("quarantine", "list")
    with opened() as database, database.write() as connection:
        row = {"host": "h1", "until": 4e9, "times": 3, "reason": "9 of its 10 attempts were bad"}
        connection.execute(insert(schema.quarantines).values(row))
    (found,) = json.loads(erqi("quarantine", "list", "--json"))
    assert (found["host"], found["reason"]) == ("h1", "9 of its 10 attempts were bad")
    assert "not quarantined; those that are: h1" in erqi("quarantine", "lift", "h2", code=64)
    assert "host h1 takes matches again" in erqi("quarantine", "lift", "h1")
    assert json.loads(erqi("quarantine", "list", "--json")) == []
