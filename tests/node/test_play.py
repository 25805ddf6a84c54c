"""Bots in JavaScript play whole matches against the starter bots, at a real referee."""

from __future__ import annotations

import contextlib
import select
import socket
import subprocess
import threading
from collections import Counter
from pathlib import Path

import pytest

from erqiwang.rules import DecidedBy, verify_record
from erqiwang.v1 import match_service_pb2

SEATS = 4
STARTERS = ["random", "lowest", "cautious"]


def assert_sound(match) -> None:
    """Every table has a record that the rule book confirms, and nobody is to blame for anything."""
    assert match.outcome == match_service_pb2.MATCH_OUTCOME_COMPLETED
    assert match.faults == []
    assert len(match.records) == SEATS
    for record in match.records:
        assert verify_record(record) is None
        assert record.faults == ()


def decided_by(match) -> Counter[DecidedBy]:
    """Who made the decisions of player 0; its seat at the table where player k sits first is -k."""
    found: Counter[DecidedBy] = Counter()
    for record in match.records:
        seat = -int(record.id.rpartition("/")[2]) % SEATS
        found.update(decision.by for decision in record.decisions if decision.seat == seat)
    return found


@pytest.mark.parametrize("script", ["bot.js", "fallback.js"])
def test_it_plays_at_every_seat(make_match, script: str) -> None:
    match = make_match(script, STARTERS)
    match.start_bot()
    code, output, errors = match.play()
    assert (code, output) == (0, ""), errors
    assert "not applied" not in errors
    assert_sound(match)
    made = decided_by(match)
    assert set(made) == {DecidedBy.BOT}
    assert made[DecidedBy.BOT] > 10 * SEATS


class Relay:
    """Stands between a bot and its referee, and breaks the first connection once so much was carried."""

    def __init__(self, target: str, path: Path, break_after: int) -> None:
        self.target = f"unix:{path}"
        self.connections = 0
        self._far = target.removeprefix("unix:")
        self._break_after = break_after
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(path))
        self._listener.listen()
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def _serve(self) -> None:
        with contextlib.suppress(OSError):  # the listener is closed
            while True:
                near, _ = self._listener.accept()
                self.connections += 1
                with near, socket.socket(socket.AF_UNIX) as far:
                    far.connect(self._far)
                    self._carry(near, far)

    def _carry(self, near: socket.socket, far: socket.socket) -> None:
        carried = 0
        while self.connections > 1 or carried < self._break_after:
            for source in select.select([near, far], [], [])[0]:
                data = source.recv(65_536)
                if not data:
                    return
                (far if source is near else near).sendall(data)
                carried += len(data)

    def close(self) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._thread.join()
        self._listener.close()


def test_it_comes_back_after_a_broken_stream(make_match, referee) -> None:
    match = make_match("bot.js", STARTERS)
    relay = Relay(match.addresses[0], Path(referee.folder) / "relay", break_after=8_000)
    match.start_bot(referee=relay.target)
    code, _, errors = match.play()
    relay.close()
    assert code == 0, errors
    assert relay.connections == 2
    assert_sound(match)


# How it ends.


def test_without_its_environment_it_ends_with_64(node: str, installed: Path) -> None:
    for script in ("bot.js", "fallback.js"):
        ended = subprocess.run(
            [node, script], cwd=installed, env={}, capture_output=True, text=True, timeout=30
        )
        assert ended.returncode == 64
        assert "ERQI_REFEREE" in ended.stderr
        assert len(ended.stderr.splitlines()) == 1


def test_a_wrong_token_ends_it_with_65(make_match) -> None:
    bot = make_match("bot.js", STARTERS).start_bot(token="wrong")
    _, errors = bot.communicate(timeout=30)
    assert bot.returncode == 65
    assert "token" in errors


def test_a_referee_that_goes_away_ends_it_with_69(make_match, referee) -> None:
    match = make_match("bot.js", STARTERS)
    bot = match.start_bot()
    match.wait_for_join()
    referee.kill()
    _, errors = bot.communicate(timeout=30)
    assert bot.returncode == 69
    assert "went away" in errors
