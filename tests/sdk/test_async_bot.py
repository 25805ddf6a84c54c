"""Bots whose methods are coroutines."""

import asyncio
import os
import signal
import subprocess
import sys

import grpc
import pytest

from erqiwang import AsyncBot, wire
from erqiwang.async_client import play_session_async
from erqiwang.bots.random import RandomBot
from erqiwang.errors import BotError, RefusedError, UnavailableError
from erqiwang.rules import verify_record
from erqiwang.settings import Settings
from erqiwang.testing import play_board
from launched_match import SEED, match_spec, play_match, records_of
from scripted_referee import environment, goodbye, joined, opened, referee, run_bot, turn

SCRIPT = """
import asyncio
from erqiwang import AsyncBot, run
from erqiwang.bots.random import RandomBot

class Aside(AsyncBot):
    def __init__(self):
        self.inner = RandomBot()

    async def choose(self, method, view):
        await asyncio.sleep(0)
        self.inner.random = self.random
        return getattr(self.inner, method)(view)

    async def bid(self, view): return await self.choose("bid", view)
    async def name_trump(self, view): return await self.choose("name_trump", view)
    async def bury(self, view): return await self.choose("bury", view)
    async def play(self, view): return await self.choose("play", view)
    async def table_over(self, view): assert view.settled is not None

run(Aside)
"""


class Passing(AsyncBot):
    """Passes, and plays the fallback."""

    async def bid(self, view):
        return None

    async def name_trump(self, view):
        return view.fallback().trump

    async def bury(self, view):
        return view.fallback().cards

    async def play(self, view):
        return view.fallback().cards


def two_turns():
    return wire.encode_turns([turn(1, 10), turn(2, 11)])


def test_it_plays_at_a_referee_as_other_bots_do(referee_target, tmp_path):
    script = tmp_path / "aside.py"
    script.write_text(SCRIPT)
    boards = range(6)
    bots = [str(script), *["-m erqiwang.bots.random"] * 3]
    told, exits = play_match(referee_target, match_spec(boards), bots)
    assert exits == [(0, "", "")] * 4
    records = records_of(told)
    assert sorted(records) == list(boards)
    for board, record in records.items():
        here = play_board([RandomBot] * 4, board, seed=SEED)
        assert not record.faults
        assert verify_record(record) is None
        assert [trick.plays for trick in record.tricks] == [trick.plays for trick in here.tricks]


def test_a_table_that_waits_keeps_no_other_waiting(folder):
    answers = []

    asked = []

    class Waits(Passing):
        second = asyncio.Event()

        async def bid(self, view):
            asked.append(view)
            if len(asked) == 1:
                await self.second.wait()
            self.second.set()

    def script(requests, context):
        next(requests)
        yield joined()
        yield opened(1)
        yield opened(2)
        yield two_turns()
        for _ in range(2):
            answers.extend(answer.turn_id for answer in next(requests).decisions.decisions)
        yield goodbye()

    with referee(folder, script) as settings:
        asyncio.run(play_session_async(settings, Waits))
    assert answers == [11, 10]


def test_what_concerns_one_table_is_done_in_its_order(folder):
    done = []

    class Slow(Passing):
        async def table_opened(self, view):
            for _ in range(5):
                await asyncio.sleep(0)
            done.append("opened")

        async def bid(self, view):
            done.append("bid")

    def script(requests, context):
        next(requests)
        yield joined()
        yield opened(1)
        yield wire.encode_turns([turn(1, 10)])
        next(requests)
        yield goodbye()

    with referee(folder, script) as settings:
        asyncio.run(play_session_async(settings, Slow))
    assert done == ["opened", "bid"]


def test_each_table_has_its_own_random_source_even_in_one_object(folder):
    drawn = []

    class Draws(Passing):
        async def bid(self, view):
            await asyncio.sleep(0)
            drawn.append(self.random.below(1000))

    def script(requests, context):
        next(requests)
        yield joined()
        yield opened(1)
        yield opened(2)
        yield two_turns()
        next(requests)
        next(requests)
        yield goodbye()

    bot = Draws()
    with referee(folder, script) as settings:
        asyncio.run(play_session_async(settings, lambda: bot))
    assert len(drawn) == 2
    assert drawn[0] == drawn[1]  # both tables were offered the same seed


def test_after_a_broken_stream_it_is_asked_again(folder):
    joins, begun, answers = [], [], []

    class Stuck(Passing):
        async def bid(self, view):
            begun.append(view)
            if len(begun) == 1:
                await asyncio.Event().wait()

    def script(requests, context):
        joins.append(next(requests).join.resume_token)
        yield joined(f"again {len(joins)}")
        yield opened(1)
        yield wire.encode_turns([turn(1, 10)])
        if len(joins) == 1:
            context.abort(grpc.StatusCode.UNAVAILABLE, "cut")
        answers.extend(next(requests).decisions.decisions)
        yield goodbye()

    with referee(folder, script) as settings:
        asyncio.run(play_session_async(settings, Stuck))
    assert joins == ["", "again 1"]
    assert [answer.turn_id for answer in answers] == [10]


def test_its_failure_ends_the_process_and_says_where(folder):
    def script(requests, context):
        next(requests)
        yield joined()
        yield opened(5)
        yield wire.encode_turns([turn(5, 12)])
        list(requests)

    body = "class B(AsyncBot):\n    async def bid(self, view): return 1 // 0\n"
    body += "    async def name_trump(self, view): ...\n    bury = play = name_trump"
    with referee(folder, script) as settings:
        done = run_bot(settings, body)
    assert done.returncode == 70
    assert done.stderr.count("Traceback") == 1
    assert "ZeroDivisionError" in done.stderr
    assert done.stderr.splitlines()[-1].startswith("erqiwang: the bot failed at table 5, seat 0, turn 12, ")


def test_its_failure_has_its_cause(folder):
    class Fails(Passing):
        async def bid(self, view):
            raise OSError("no network")

    def script(requests, context):
        next(requests)
        yield joined()
        yield opened(1)
        yield wire.encode_turns([turn(1, 10)])
        list(requests)

    with referee(folder, script) as settings, pytest.raises(BotError) as caught:
        asyncio.run(play_session_async(settings, Fails))
    assert isinstance(caught.value.__cause__, OSError)


def test_a_refusal_and_a_missing_referee_are_told_apart(folder):
    def script(requests, context):
        context.abort(grpc.StatusCode.UNAUTHENTICATED, "no such token")
        yield

    with referee(folder, script) as settings, pytest.raises(RefusedError, match="no such token"):
        asyncio.run(play_session_async(settings, Passing))
    nobody = Settings(referee=f"unix:{folder}/nobody.sock", token="t", connect_timeout_s=0.1)
    with pytest.raises(UnavailableError, match="does not answer"):
        asyncio.run(play_session_async(nobody, Passing))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_quietly(folder, number):
    bots = []

    def script(requests, context):
        next(requests)
        yield joined()
        yield opened()
        yield wire.encode_turns([turn()])
        next(requests)
        bots[0].send_signal(number)
        list(requests)

    code = "import asyncio\nfrom erqiwang import AsyncBot, run\nclass B(AsyncBot):\n"
    code += "    async def bid(self, view): return None\n    name_trump = bury = play = bid\nrun(B)"
    with referee(folder, script) as settings:
        bot = subprocess.Popen(
            [sys.executable, "-c", code],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, **environment(settings)},
        )
        bots.append(bot)
        out, err = bot.communicate(timeout=60)
    assert bot.returncode == 130
    assert (out, err) == (b"", b"")
