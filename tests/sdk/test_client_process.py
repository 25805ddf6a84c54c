"""How a bot's process ends, and what it writes: a scripted referee, real processes."""

import os
import signal
import subprocess
import sys

import grpc
import pytest

from erqiwang.v1 import bot_service_pb2
from scripted_referee import HAND, environment, first_turn, goodbye, joined, opened, referee, run_bot


def test_no_environment_is_a_usage_error():
    code = "from erqiwang import run; from erqiwang.bots.lowest import LowestBot; run(LowestBot)"
    bare = {key: value for key, value in os.environ.items() if not key.startswith("ERQI_")}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=bare)
    assert done.returncode == 64
    assert done.stderr.startswith("erqiwang: ERQI_REFEREE and ERQI_TOKEN not set")
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""


def test_a_refused_bot_exits_with_65_and_one_line(folder):
    def script(requests, context):
        context.abort(grpc.StatusCode.UNAUTHENTICATED, "unknown token")
        yield

    with referee(folder, script) as settings:
        done = run_bot(settings)
    assert done.returncode == 65
    assert done.stderr == f"erqiwang: the referee at {settings.referee} refuses the bot: unknown token\n"
    assert done.stdout == ""


def test_a_failing_bot_exits_with_70_its_traceback_and_where_it_was(folder):
    def script(requests, context):
        next(requests)
        yield joined()
        yield opened(table_id=5)
        yield first_turn(table_id=5, turn_id=12)
        list(requests)

    with referee(folder, script) as settings:
        done = run_bot(settings, "class B(LowestBot):\n    def bid(self, view): return 1 // 0")
    assert done.returncode == 70
    assert done.stderr.count("Traceback") == 1
    assert "ZeroDivisionError" in done.stderr
    last = done.stderr.splitlines()[-1]
    assert last.startswith("erqiwang: the bot failed at table 5, seat 0, turn 12, with the hand ")
    assert last.endswith(" ".join(str(card) for card in sorted(HAND)))


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("def bid(self, view): return 'eighty'", "bid() gave 'eighty' where int was wanted"),
        ("def bid(self, view): return True", "bid() gave True where int was wanted"),
    ],
)
def test_an_answer_of_no_use_is_the_bots_failure(folder, body, message):
    def script(requests, context):
        next(requests)
        yield joined()
        yield opened()
        yield first_turn()
        list(requests)

    with referee(folder, script) as settings:
        done = run_bot(settings, f"class B(LowestBot):\n    {body}")
    assert done.returncode == 70
    assert f"TypeError: {message}" in done.stderr


def test_a_rejection_is_one_line_on_standard_error(folder):
    rejection = bot_service_pb2.Rejection(
        turn_id=9, cause=7, reason=14, detail="a pair of hearts is owed", owed=b"\x17\x17"
    )

    def script(requests, context):
        next(requests)
        yield joined()
        yield bot_service_pb2.PlayResponse(rejections=bot_service_pb2.Rejections(rejections=[rejection]))
        yield goodbye()

    with referee(folder, script) as settings:
        done = run_bot(settings)
    assert done.returncode == 0
    line = "turn 9 not applied: illegal (pair_owed) a pair of hearts is owed [owed: H5 H5]"
    assert done.stderr == f"erqiwang: {line}\n"
    assert done.stdout == ""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_quietly(folder, number):
    bots = []

    def script(requests, context):
        next(requests)
        yield joined()
        yield opened()
        yield first_turn()
        next(requests)
        bots[0].send_signal(number)
        list(requests)

    with referee(folder, script) as settings:
        code = "from erqiwang import run; from erqiwang.bots.lowest import LowestBot; run(LowestBot)"
        bot = subprocess.Popen(
            [sys.executable, "-c", code],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(settings),
        )
        bots.append(bot)
        out, err = bot.communicate(timeout=30)
    assert bot.returncode == 130
    assert (out, err) == (b"", b"")
