from __future__ import annotations

import os
import shutil
import signal
import stat
import tempfile
from pathlib import Path

import pytest
import redis

from erqiwang_runner import redis_server
from erqiwang_runner.broker import BrokerDown, RedisBroker, TimeLimits
from erqiwang_runner.errors import UnavailableError
from erqiwang_runner.exit_codes import ExitCode
from erqiwang_runner.redis_server import RedisServer, find_server

LIMITS = TimeLimits(10.0, 20.0)


@pytest.fixture
def server(require, tmp_path):
    require("redis-server")
    directory = Path(tempfile.mkdtemp(prefix="erqi-test-"))
    running = RedisServer(directory, tmp_path / "redis", tmp_path / "logs" / "redis.log")
    yield running
    running.stop()
    shutil.rmtree(directory)


@pytest.fixture
def broker(server):
    opened = RedisBroker(server.url)
    yield opened
    opened.close()


def test_only_its_owner_can_reach_it(server):
    assert stat.S_IMODE(server.socket.stat().st_mode) == 0o600
    client = redis.Redis(unix_socket_path=str(server.socket))
    assert client.config_get("port") == {"port": "0"}
    assert client.config_get("appendonly") == {"appendonly": "yes"}
    client.close()


def test_a_killed_server_comes_back_with_its_queue(server, broker):
    assert not server.revive()
    assert broker.was_emptied()
    broker.enqueue(7, LIMITS)
    os.kill(server.pid, signal.SIGKILL)
    os.waitid(os.P_PID, server.pid, os.WEXITED | os.WNOWAIT)
    with pytest.raises(BrokerDown):
        broker.length()
    assert server.revive()
    assert broker.length() == 1
    assert not broker.was_emptied()


def test_an_emptied_queue_is_noticed_once(server, broker):
    assert broker.was_emptied()
    broker.enqueue(7, LIMITS)
    client = redis.Redis(unix_socket_path=str(server.socket))
    client.flushall()
    client.close()
    assert broker.was_emptied()
    assert not broker.was_emptied()
    assert broker.length() == 0


def test_a_new_run_begins_with_an_empty_queue(server, broker, tmp_path):
    broker.enqueue(7, LIMITS)
    server.stop()
    again = RedisServer(server.socket.parent, tmp_path / "redis", tmp_path / "logs" / "redis.log")
    try:
        assert broker.length() == 0
    finally:
        again.stop()


def test_a_queue_that_does_not_answer_is_said_to_be_down(tmp_path):
    broker = RedisBroker(f"redis+socket://{tmp_path / 'nobody.sock'}")
    with pytest.raises(BrokerDown):
        broker.enqueue(7, LIMITS)
    with pytest.raises(BrokerDown):
        broker.was_emptied()
    broker.close()


def test_the_server_on_the_path_comes_first(tmp_path, monkeypatch):
    program = tmp_path / "valkey-server"
    program.write_text("#!/bin/sh\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_server() == program


def test_without_any_redis_the_three_ways_out_are_named(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(redis_server, "find_spec", lambda _: None)
    with pytest.raises(UnavailableError) as refused:
        find_server()
    assert refused.value.exit_code is ExitCode.UNAVAILABLE == 69
    for way in ("ERQI_REDIS_URL", "redis-server", "erqiwang[embedded]"):
        assert way in str(refused.value)


def test_a_server_that_does_not_start_is_named_with_its_log(tmp_path, monkeypatch):
    program = tmp_path / "redis-server"
    program.write_text("#!/bin/sh\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    with pytest.raises(UnavailableError, match=r"redis-server did not start; see .*redis\.log"):
        RedisServer(tmp_path, tmp_path / "redis", tmp_path / "redis.log")
