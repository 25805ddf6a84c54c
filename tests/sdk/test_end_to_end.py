"""The starter bots and the real referee, every one a process of its own."""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from queue import SimpleQueue
from threading import Thread

import grpc
import pytest

from erqiwang import wire
from erqiwang.deals import board_seed, bot_seed, master_key
from erqiwang.rules import FaultCause, get_profile, verify_record
from erqiwang.testing import play_board
from erqiwang.testing.strength import starter
from erqiwang.v1 import match_service_pb2, match_service_pb2_grpc, record_pb2

KEY = master_key("end to end")
NAMES = ("counter", "cautious", "lowest", "random")


@pytest.fixture(scope="module")
def referee():
    """A referee process, its private target, and the folder of its sockets."""
    folder = tempfile.mkdtemp(prefix="erqi-", dir="/tmp")
    process = subprocess.Popen(
        [sys.executable, "-m", "erqiwang_referee", "--socket-dir", folder],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdin is not None
    ready = process.stdout.readline()
    yield ready.removeprefix("ready ").strip()
    process.stdin.close()
    process.wait(timeout=30)
    process.stdout.close()
    shutil.rmtree(folder, ignore_errors=True)


def match_spec(boards, players=4, slug="classic", move_limit_ms=20_000, start_limit_ms=60_000):
    return match_service_pb2.MatchSpec(
        match_id="m",
        profile=slug,
        room=1,
        pass_out=record_pb2.PASS_OUT_ZERO,
        players=[
            match_service_pb2.PlayerSpec(
                token_sha256=hashlib.sha256(f"token {k}".encode()).digest(), label=f"p{k}"
            )
            for k in range(players)
        ],
        tables=[
            match_service_pb2.TableSpec(
                record_id=f"t/0/g/{board}/0/0",
                board_seed=board_seed(KEY, board),
                players=list(range(players)),
                bot_seeds=[bot_seed(KEY, board, 0, seat) for seat in range(players)],
            )
            for board in boards
        ],
        clock=match_service_pb2.ClockSpec(
            move_limit_ms=move_limit_ms, start_limit_ms=start_limit_ms, latency_ms=50
        ),
    )


def play_match(target, spec, commands):
    """Play a match as a launcher does; `commands` are by player what follows `python -m`.

    Gives what the referee told, and how the bots ended: exit code, output, errors.
    """
    requests = SimpleQueue()
    requests.put(match_service_pb2.RunMatchRequest(spec=spec))
    told, exits, watchers, bots = [], {}, [], []

    def watch(player, bot):
        out, err = bot.communicate()
        exits[player] = (bot.returncode, out, err)
        code = {"code": bot.returncode} if bot.returncode >= 0 else {"signal": -bot.returncode}
        exited = match_service_pb2.PlayerExited(player=player, **code)
        requests.put(match_service_pb2.RunMatchRequest(player_exited=exited))

    with grpc.insecure_channel(target) as channel:
        stub = match_service_pb2_grpc.MatchServiceStub(channel)
        for response in stub.RunMatch(iter(requests.get, None), timeout=120):
            told.append(response)
            if response.HasField("match_opened"):
                for player, address in enumerate(response.match_opened.addresses):
                    bot = start(commands[player], address, f"token {player}")
                    bots.append(bot)
                    watchers.append(Thread(target=watch, args=(player, bot)))
                    watchers[-1].start()
            if response.HasField("match_finished"):
                for player, bot in enumerate(bots):
                    if "bad" in commands[player]:  # it may hang for ever, as ordered
                        bot.kill()
    for watcher in watchers:
        watcher.join()
    requests.put(None)
    return told, [exits[player] for player in range(len(commands))]


def start(command, address, token):
    environment = {**os.environ, "ERQI_REFEREE": address, "ERQI_TOKEN": token}
    return subprocess.Popen(
        [sys.executable, "-m", *command.split()],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    )


def records_of(told):
    return {
        response.table_finished.table: wire.record_from_wire(response.table_finished.record)
        for response in told
        if response.HasField("table_finished")
    }


@pytest.mark.parametrize("slug", ["classic", "mobile"])
def test_a_match_ends_as_the_same_bots_would_end_it_in_one_process(referee, slug):
    profile = get_profile(slug)
    names = NAMES[: profile.seats]
    boards = range(8)
    told, exits = play_match(
        referee,
        match_spec(boards, profile.seats, slug),
        [f"erqiwang.bots.{name}" for name in names],
    )
    assert told[-1].match_finished.outcome == match_service_pb2.MATCH_OUTCOME_COMPLETED
    records = records_of(told)
    assert sorted(records) == list(boards)
    for board, record in records.items():
        here = play_board([starter(name) for name in names], board, profile=profile, seed="end to end")
        assert verify_record(record) is None
        assert record.scores == here.scores
        assert [trick.plays for trick in record.tricks] == [trick.plays for trick in here.tricks]
        assert not record.faults
    assert exits == [(0, "", "")] * profile.seats


@pytest.mark.parametrize(
    ("how", "cause"),
    [
        ("crash", FaultCause.CRASHED),
        ("exit0", FaultCause.LEFT),
        ("leaves", FaultCause.LEFT),
        ("hang", FaultCause.TIMED_OUT_MOVE),
        ("deaf", FaultCause.TIMED_OUT_MOVE),
        ("slow", FaultCause.TIMED_OUT_MOVE),
        ("garbage", FaultCause.MALFORMED),
        ("malformed", FaultCause.MALFORMED),
        ("illegal", FaultCause.ILLEGAL),
        ("flood", FaultCause.FLOODED),
        ("joins_twice", FaultCause.PROTOCOL),
        ("noisy", None),
    ],
)
def test_a_bad_bot_commits_its_own_fault_and_the_others_play_on(referee, how, cause):
    limits = {"move_limit_ms": 200 if cause is FaultCause.TIMED_OUT_MOVE else 20_000}
    good = ["erqiwang.bots.lowest"] * 3
    told, exits = play_match(referee, match_spec(range(2), **limits), [f"erqiwang.testing.bad {how}", *good])
    assert told[-1].match_finished.outcome == match_service_pb2.MATCH_OUTCOME_COMPLETED
    records = records_of(told)
    assert sorted(records) == [0, 1]
    assert all(verify_record(record) is None for record in records.values())
    faults = [
        wire.fault_from_wire(each.player_faulted.fault) for each in told if each.HasField("player_faulted")
    ]
    blamed = {each.player_faulted.player for each in told if each.HasField("player_faulted")}
    assert {fault.cause for fault in faults} == ({cause} if cause else set())
    if cause is FaultCause.TIMED_OUT_MOVE:  # a busy machine may keep a good bot from so short a limit too
        assert 0 in blamed
    else:
        assert blamed == ({0} if cause else set())
    assert [code for code, _, _ in exits[1:]] == [0, 0, 0]
