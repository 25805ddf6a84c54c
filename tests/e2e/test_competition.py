"""A competition on real processes, over a kill, with a receiver of its events."""

from __future__ import annotations

import json
import signal
import threading
import time
from contextlib import closing
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from erqiwang_runner.cli.__main__ import run
from erqiwang_runner.store.competition_status import read_status
from erqiwang_runner.store.engine import Database

PATIENCE_S = 240.0


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        self.server.events.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_words):
        """Say nothing."""


@pytest.fixture
def receiver():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.events = []
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def asked(erqi, capsys):
    """Commands within this process: those of the platform run in their own."""

    def ask(*words, code=0):
        got = run(["--data", str(erqi.home.data), *words])
        said = capsys.readouterr()
        assert got == code, said
        if code:
            return said.err
        return json.loads(said.out) if "--json" in words else said.out

    return ask


@pytest.fixture
def wait_for(erqi):
    def wait(holds):
        limit = time.monotonic() + PATIENCE_S
        with closing(Database(f"sqlite:///{erqi.home.data / 'erqi.sqlite3'}")) as database:
            while not holds(found := read_status(database, "cup").to_object()):
                assert time.monotonic() < limit, found
                time.sleep(0.05)
        return found

    return wait


def folder(place, name, words):
    place.mkdir()
    command = json.dumps(["python", "-m", *words])
    (place / "bot.toml").write_text(f'name = "{name}"\nversion = "1"\ncommand = {command}\n')
    return str(place)


def test_a_competition_ends_with_a_ranking_over_a_kill(erqi, asked, wait_for, receiver, tmp_path):
    now = datetime.now(UTC)
    opens, closes = ((now + timedelta(days=days)).strftime("%Y-%m-%dT%H:%M:%SZ") for days in (-1, 1))
    file = tmp_path / "cup.toml"
    file.write_text(
        'name = "cup"\nhouse = ["random"]\n'
        f'[calendar]\nopens = {opens}\ncloses = {closes}\nreveals = "by hand"\n'
        '[tournament]\nset_type = "pair22"\nclock = "fast"\n'
        "[validation]\nboards = 1\n[play]\nboards = 1\n[[finals]]\nentries = 2\nboards = 1\n"
    )
    asked("webhook", "add", f"http://127.0.0.1:{receiver.server_port}/")
    asked("competition", "create", "--file", str(file))
    for name, words in (
        ("good", ["erqiwang.bots.lowest"]),
        ("better", ["erqiwang.bots.cautious"]),
        ("bad", ["erqiwang.testing.bad", "crash"]),
    ):
        asked("competition", "submit", "cup", folder(tmp_path / name, name, words))
    up = erqi.start("up", "--workers", "1")
    found = wait_for(lambda found: "validating" not in {each["state"] for each in found["submissions"]})
    assert [each["state"] for each in found["submissions"]] == ["valid", "valid", "invalid"]
    assert found["submissions"][2]["reason"].startswith("crashed")
    up.send_signal(signal.SIGKILL)
    up.communicate(timeout=PATIENCE_S)
    asked("competition", "advance", "cup")
    hidden = asked("standings", "cup-play", code=64)
    assert "cup-play is hidden until competition cup is revealed" in hidden
    refused = asked("tournament", "export", "cup-check-1", "--out", str(tmp_path / "out"), code=64)
    assert "its host may export it with --hidden" in refused
    assert not (tmp_path / "out").exists()
    asked("tournament", "export", "cup-check-1", "--out", str(tmp_path / "out"), "--hidden")
    up = erqi.start("up", "--workers", "1")
    wait_for(lambda found: found["waits_for"] == "its host: revealed begins by hand")
    found = asked("competition", "reveal", "cup", "--json")
    assert {each["entry"] for each in found["ranking"]} == {"good@1", "better@1"}
    assert [each["played"] for each in found["tournaments"]] == [1, 1]
    assert "good@1" in asked("standings", "cup-final-1", "--allow-disconnected")
    limit = time.monotonic() + PATIENCE_S
    while receiver.events[-1]["data"].get("phase") != "revealed":
        assert time.monotonic() < limit, receiver.events
        time.sleep(0.05)
    up.send_signal(signal.SIGTERM)
    up.communicate(timeout=PATIENCE_S)
    assert erqi.home.processes() == []
    phases = {
        each["id"]: each["data"]["phase"] for each in receiver.events if each["kind"] == "competition.phase"
    }
    assert list(phases.values()) == ["open", "closed", "validation", "play", "finals", "revealed"]
    kinds = {each["kind"] for each in receiver.events}
    assert {"submission.received", "submission.decided", "tournament.started", "tournament.finished"} <= kinds
