"""Processes of a platform are killed, frozen and started twice while real bots play."""

from __future__ import annotations

import os
import signal
import sys

import pytest
import redis

from chaos.cluster import assert_same, play_calmly

POISON = f"poison={sys.executable} -m erqiwang.testing.bad crash --after 0"


@pytest.mark.nightly
def test_everything_of_a_platform_on_postgresql_fails_once(make_cluster, redis_server, postgres_server):
    """Referee, launcher, player, coordinator, exporter, queue and database, in one run."""
    boards = 10
    calm = play_calmly(make_cluster, boards)
    cluster = make_cluster("disturbed", postgres_server.url, redis_server.url)
    cluster.create(boards)
    for name in ("first", "second"):
        cluster.start(f"{name}-coordinator", "coordinator")
    cluster.start("worker", "worker")
    cluster.start("exporter", "exporter", "--port", "0")
    cluster.signal_one("erqiwang_referee")
    cluster.kill("first-coordinator")
    cluster.kill("exporter")
    cluster.wait_for_sets(1)
    cluster.signal_one("erqiwang_runner.launcher")
    cluster.wait_for_sets(2)
    client = redis.Redis(unix_socket_path=str(redis_server.socket))
    client.flushall()
    client.close()
    cluster.wait_for_sets(3)
    postgres_server.kill()
    postgres_server.start()
    cluster.start("first-coordinator")
    cluster.wait_until_finished()
    # A coordinator that waits for the database is not ended by its absence.
    assert cluster.running["second-coordinator"].poll() is None
    del cluster.running["exporter"]
    assert_same(cluster, calm, boards)


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("word", "parent", "number"),
    [
        ("erqiwang_runner.worker", "erqiwang_runner.worker", signal.SIGKILL),
        ("erqiwang_runner.worker", "erqiwang_runner.cli", signal.SIGKILL),
        ("erqiwang_runner.launcher", None, signal.SIGKILL),
        ("erqiwang_referee", None, signal.SIGKILL),
        ("redis-server", None, signal.SIGKILL),
        ("erqiwang.bots", None, signal.SIGSTOP),
        ("erqiwang_runner.worker", "erqiwang_runner.worker", signal.SIGSTOP),
        ("erqiwang_referee", None, signal.SIGSTOP),
    ],
    ids=lambda each: each.name if isinstance(each, signal.Signals) else str(each).rpartition(".")[2],
)
def test_one_process_fails_three_times(word, parent, number, make_cluster):
    boards = 12
    calm = play_calmly(make_cluster, boards)
    cluster = make_cluster("disturbed")
    cluster.create(boards)
    cluster.start("up", "up", "--workers", "2")
    for goal in (0, 2, 4):
        cluster.wait_for_sets(goal)
        frozen = cluster.signal_one(word, number, parent=parent)
        if number is signal.SIGSTOP:
            # As long as nothing depends on it: the others go on.
            cluster.wait_for_sets(goal + 1)
            if os.path.exists(f"/proc/{frozen}"):
                os.kill(frozen, signal.SIGCONT)
    cluster.wait_until_finished()
    found = cluster.summary()
    assert (found.planned, found.played + found.explained) == (boards, boards)
    if number is signal.SIGKILL or word != "erqiwang.bots":
        assert cluster.outcome() == calm.outcome()
    cluster.stop()
    cluster.assert_gone()


@pytest.mark.nightly
def test_a_bot_that_crashes_every_game_ends_no_tournament(make_cluster):
    """Its faults are its own: every board set is played or explained, and the others get their ratings."""
    boards = 12
    cluster = make_cluster("poisoned")
    cluster.create(boards, "--entry", "lowest", "--entry", POISON, "--set-type", "pair22", "--seed", "chaos")
    cluster.start("up", "up", "--workers", "2")
    cluster.wait_until_finished()
    found = cluster.summary()
    assert found.planned == found.played + found.explained == boards
    assert {each.bot.partition("@")[0] for each in found.faults} == {"poison"}
    cluster.stop()
    cluster.assert_gone()


@pytest.mark.nightly
def test_two_schedulers_of_one_tournament_and_a_restart(make_cluster, redis_server):
    boards = 8
    calm = play_calmly(make_cluster, boards)
    cluster = make_cluster("twice", redis_url=redis_server.url)
    cluster.create(boards)
    for number in range(3):
        cluster.start(f"coordinator{number}", "coordinator")
    cluster.start("worker", "worker")
    for goal in (1, 3, 5):
        cluster.wait_for_sets(goal)
        cluster.kill("coordinator0")
        cluster.start("coordinator0")
    cluster.wait_until_finished()
    assert_same(cluster, calm, boards)
