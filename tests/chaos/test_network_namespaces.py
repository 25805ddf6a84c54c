"""Several hosts: network and process namespaces of their own, joined by a bridge that can be cut."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import pytest
import redis

from chaos.cluster import PATIENCE_S, play_calmly
from chaos.postgres_server import PostgresServer

BOARDS = 12
DESK, NEAR, FAR = "desk", "near", "far"
ADDRESSES = {DESK: "10.97.0.1", NEAR: "10.97.0.2", FAR: "10.97.0.3"}


class Network:
    """Three hosts; the bridge is the desk's."""

    def __init__(self, ip: str) -> None:
        self._ip = ip
        self._mark = f"erqi{os.getpid()}"
        for host in ADDRESSES:
            self.run("netns", "add", self.name(host))
            self.run("-n", self.name(host), "link", "set", "lo", "up")
        desk = self.name(DESK)
        self.run("-n", desk, "link", "add", "bridge0", "type", "bridge")
        self.run("-n", desk, "addr", "add", f"{ADDRESSES[DESK]}/24", "dev", "bridge0")
        self.run("-n", desk, "link", "set", "bridge0", "up")
        for host in (NEAR, FAR):
            there = self.name(host)
            self.run("-n", desk, "link", "add", host, "type", "veth", "peer", "name", "eth0", "netns", there)
            self.run("-n", desk, "link", "set", host, "master", "bridge0", "up")
            self.run("-n", there, "addr", "add", f"{ADDRESSES[host]}/24", "dev", "eth0")
            self.run("-n", there, "link", "set", "eth0", "up")

    def name(self, host: str) -> str:
        return f"{self._mark}-{host}"

    def on(self, host: str) -> tuple[str, ...]:
        """The words in front of a command of a host."""
        return (self._ip, "netns", "exec", self.name(host))

    def cut(self, host: str) -> None:
        self.run("-n", self.name(DESK), "link", "set", host, "down")

    def heal(self, host: str) -> None:
        self.run("-n", self.name(DESK), "link", "set", host, "up")

    def run(self, *words: str) -> None:
        subprocess.run([self._ip, *words], check=True, capture_output=True)

    def close(self) -> None:
        for host in ADDRESSES:
            subprocess.run([self._ip, "netns", "del", self.name(host)], capture_output=True)


@pytest.fixture
def network(require):
    ip = require("ip")
    assert os.geteuid() == 0, "network namespaces need root: run this test as root"
    made = Network(ip)
    yield made
    made.close()


@pytest.fixture
def far_postgres(require, network):
    programs = Path(require("postgres")).resolve().parent
    before = (*network.on(DESK), "runuser", "-u", "postgres", "--")
    server = PostgresServer(programs, ADDRESSES[DESK], before)
    yield server
    server.close()


@pytest.fixture
def far_redis(require, network, tmp_path):
    program = require("redis-server")
    words = ("--bind", ADDRESSES[DESK], "--protected-mode", "no", "--save", "", "--dir", str(tmp_path))
    socket = tmp_path / "r.sock"
    process = subprocess.Popen(
        [*network.on(DESK), program, *words, "--unixsocket", str(socket)], stdout=subprocess.DEVNULL
    )
    deadline = time.monotonic() + PATIENCE_S
    while not socket.exists():
        assert time.monotonic() < deadline
        time.sleep(0.05)
    with redis.Redis(unix_socket_path=str(socket)) as client:
        assert client.ping()
    yield f"redis://{ADDRESSES[DESK]}:6379/0"
    process.kill()
    process.wait()


@pytest.mark.nightly
def test_a_host_is_cut_off_in_mid_match_and_comes_back(make_cluster, network, far_postgres, far_redis):
    """Its match goes to others; what it still plays is written by nobody; the counts are exact."""
    calm = play_calmly(make_cluster, BOARDS)
    cluster = make_cluster("far", far_postgres.url, far_redis)
    cluster.create(BOARDS)
    far_url = f"postgresql://erqi@{ADDRESSES[DESK]}/postgres"
    alone = ("unshare", "--pid", "--fork", "--kill-child", "--mount-proc")
    cluster.start("coordinator", "coordinator", before=network.on(DESK), ERQI_DATABASE_URL=far_url)
    for host in (NEAR, FAR):
        before = (*network.on(host), *alone)
        cluster.start(host, "worker", "--workers", "1", before=before, ERQI_DATABASE_URL=far_url)
    cluster.wait_for_sets(2)
    cluster.signal_one("erqiwang_referee", 0)
    network.cut(FAR)
    cluster.wait_for_sets(6)
    network.heal(FAR)
    cluster.wait_until_finished()
    found = cluster.summary()
    assert (found.planned, found.played, found.explained) == (BOARDS, BOARDS, 0)
    assert cluster.outcome() == calm.outcome()
    for name in (NEAR, FAR):
        cluster.kill(name)
        del cluster.running[name]
    cluster.stop()
    cluster.wait_until(lambda: not cluster.processes(), "orphans")
