"""The referee against the bare transport that it stands on, in one run.

Every contestant moves the same messages: a turn of a real table down, a decision up. The echoes do nothing
else; the referee deals, judges, keeps clocks and writes records. Contestants are interleaved round by round;
the figures to quote are the ratios of medians. Rates are decisions per second of wall time, all processes on
this machine.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from queue import SimpleQueue

import grpc
import grpc.aio

from erqiwang.deals import board_seed, bot_seed, master_key
from erqiwang.v1 import bot_service_pb2 as bot
from erqiwang.v1 import match_service_pb2 as match
from erqiwang.v1 import record_pb2

ROUNDS = int(os.environ.get("BENCH_ROUNDS", "5"))
ECHO_S = float(os.environ.get("BENCH_SECONDS", "1.0"))
TABLES = int(os.environ.get("BENCH_TABLES", "192"))
OPTIONS = (("grpc.so_reuseport", 0), ("grpc.max_receive_message_length", -1))
GOALS = (
    ("referee, batched", "echo, 16 streams", 7.0),
    ("referee, batched", "echo, batch of 128", 0.5),
    ("referee, batched", "JSON lines over pipes", 4.0),
    ("referee, 16 tables one at a time", "echo, 16 streams", 0.75),
)
FALLBACK = bot.Action(use_fallback=True)
OPENING = bot.Action(bid=100)

Contestant = Callable[[], float]
"""Runs once and gives decisions per second."""


# Players.


def decide(turn: bot.Turn) -> bot.Decision:
    """The fallback, and an opening bid, or every table would be passed out."""
    opens = turn.kind == bot.TURN_KIND_BID and len(turn.events) == 1
    return bot.Decision(turn_id=turn.turn_id, action=OPENING if opens else FALLBACK)


def answer(turns: bot.Turns) -> bytes:
    decisions = bot.Decisions(decisions=[decide(turn) for turn in turns.turns])
    return bot.PlayRequest(decisions=decisions).SerializeToString()


def join(token: str) -> bytes:
    return bot.PlayRequest(join=bot.Join(token=token, protocol_version=1)).SerializeToString()


def player_process(address: str, token: str) -> None:
    """One player on one stream."""
    outbox: SimpleQueue[bytes | None] = SimpleQueue()
    outbox.put(join(token))
    with grpc.insecure_channel(address, options=OPTIONS) as channel:
        for data in channel.stream_stream("/erqiwang.v1.BotService/Play")(iter(outbox.get, None)):
            response = bot.PlayResponse.FromString(data)
            if response.HasField("turns"):
                outbox.put(answer(response.turns))
            elif response.HasField("goodbye"):
                outbox.put(None)


async def player_task(address: str, token: str) -> None:
    """One of many players of one process."""
    async with grpc.aio.insecure_channel(address, options=OPTIONS) as channel:
        call = channel.stream_stream("/erqiwang.v1.BotService/Play")()
        await call.write(join(token))
        while isinstance(data := await call.read(), bytes):
            response = bot.PlayResponse.FromString(data)
            if response.HasField("turns"):
                await call.write(answer(response.turns))


# The referee.


@contextlib.contextmanager
def child(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    """A process that ends when its standard input closes."""
    process = subprocess.Popen(
        [sys.executable, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdin is not None
    assert process.stdout is not None
    yield process
    process.stdin.close()
    process.stdout.close()
    process.wait()


def spec_of(companies: int, tables: int, in_flight: int) -> tuple[match.MatchSpec, list[str]]:
    key = master_key("bench")
    tokens = [os.urandom(16).hex() for _ in range(4 * companies)]
    return match.MatchSpec(
        match_id="bench",
        profile="classic",
        pass_out=record_pb2.PASS_OUT_ZERO,
        players=[
            match.PlayerSpec(token_sha256=hashlib.sha256(token.encode()).digest(), label=token)
            for token in tokens
        ],
        tables=[
            match.TableSpec(
                board_seed=board_seed(key, number),
                players=[4 * (number % companies) + (seat + number) % 4 for seat in range(4)],
                bot_seeds=[bot_seed(key, number, 0, seat) for seat in range(4)],
            )
            for number in range(tables)
        ],
        clock=match.ClockSpec(move_limit_ms=60_000, start_limit_ms=60_000, latency_ms=50),
        tables_in_flight=in_flight,
    ), tokens


def play(companies: int, tables: int, in_flight: int, one_process: bool = False) -> float:
    """One match; the time runs from the last join to the end."""
    spec, tokens = spec_of(companies, tables, in_flight)
    with tempfile.TemporaryDirectory(dir="/tmp") as folder, contextlib.ExitStack() as stack:
        referee = stack.enter_context(child("-m", "erqiwang_referee", "--socket-dir", folder))
        assert referee.stdout is not None
        address = referee.stdout.readline().split()[1]
        requests: SimpleQueue[bytes | None] = SimpleQueue()
        requests.put(match.RunMatchRequest(spec=spec).SerializeToString())
        channel = stack.enter_context(grpc.insecure_channel(address, options=OPTIONS))
        call = channel.stream_stream("/erqiwang.v1.MatchService/RunMatch")(iter(requests.get, None))
        decisions, joined, start = 0, 0, 0.0
        for data in call:
            response = match.RunMatchResponse.FromString(data)
            if response.HasField("match_opened"):
                start_players(stack, list(response.match_opened.addresses), tokens, one_process)
            elif response.HasField("player_joined"):
                joined += 1
                start = time.perf_counter()
            elif response.HasField("table_finished"):
                decisions += len(response.table_finished.record.decisions)
            elif response.HasField("player_faulted"):
                raise AssertionError(response)
        took = time.perf_counter() - start
        requests.put(None)
    return decisions / took


def start_players(
    stack: contextlib.ExitStack, addresses: list[str], tokens: list[str], one_process: bool
) -> None:
    if one_process:
        players = [word for pair in zip(addresses, tokens, strict=True) for word in pair]
        stack.enter_context(child("-m", "bench.referee", "players", *players))
        return
    for address, token in zip(addresses, tokens, strict=True):
        stack.enter_context(child("-m", "bench.referee", "player", address, token))


# The echoes.


def sample_turns(count: int) -> bytes:
    """A message of turns as they are in the middle of a table."""
    events = [bot.Turn.FromString(b"").events.add() for _ in range(4)]
    for seat, event in enumerate(events):
        event.played.seat = seat
        event.played.cards = b"\x05"
    turn = bot.Turn(
        table_id=7,
        turn_id=1234,
        kind=bot.TURN_KIND_PLAY,
        hand=bytes(range(1, 14)),
        events=events,
        fallback=bot.Action(play=b"\x05"),
        move_limit_ms=60_000,
    )
    return bot.PlayResponse(turns=bot.Turns(turns=[turn] * count)).SerializeToString()


async def echo_server(address: str) -> None:
    """Answer each message of turns with a message of decisions."""

    async def echo(_requests: object, context: grpc.aio.ServicerContext[bytes, bytes]) -> None:
        while isinstance(data := await context.read(), bytes):
            await context.write(answer(bot.PlayResponse.FromString(data).turns))

    server = grpc.aio.server(options=OPTIONS)
    method = grpc.stream_stream_rpc_method_handler(echo)
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("bench.Echo", {"Play": method}),))
    server.add_insecure_port(address)
    await server.start()
    print("ready", flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    await server.stop(0)


def echo(streams: int, batch: int) -> float:
    """Turns from here to an echo and decisions back, on so many streams at once."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        address = f"unix:{folder}/echo"
        with child("-m", "bench.referee", "echo", address) as server:
            assert server.stdout is not None
            server.stdout.readline()
            return asyncio.run(drive_echo(address, streams, batch))


async def drive_echo(address: str, streams: int, batch: int) -> float:
    turns = bot.PlayResponse.FromString(sample_turns(batch))
    async with grpc.aio.insecure_channel(address, options=OPTIONS) as channel:
        method = channel.stream_stream(
            "/bench.Echo/Play",
            request_serializer=bot.PlayResponse.SerializeToString,
            response_deserializer=bot.PlayRequest.FromString,
        )

        async def stream(end: float) -> int:
            call, count = method(), 0
            while time.perf_counter() < end:
                await call.write(turns)
                decisions = await call.read()
                count += len(decisions.decisions.decisions)
            await call.done_writing()
            return count

        await drive(stream, streams, 0.2)
        return await drive(stream, streams, ECHO_S)


async def drive(stream: Callable[[float], Awaitable[int]], streams: int, seconds: float) -> float:
    start = time.perf_counter()
    counts = await asyncio.gather(*[stream(start + seconds) for _ in range(streams)])
    return sum(counts) / (time.perf_counter() - start)


def pipes() -> float:
    """A line of JSON down and one up, four processes, each driven by a thread."""
    turn = {"table": 7, "turn": 1234, "kind": "play", "hand": "SA SK SQ SJ ST S9 H7 H7 C2 CA CK CQ CJ"}
    line = json.dumps({**turn, "events": [[seat, "ST"] for seat in range(4)], "fallback": ["ST"]}) + "\n"

    def exchange(process: subprocess.Popen[str], end: float, counts: list[int]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        count = 0
        while time.perf_counter() < end:
            process.stdin.write(line)
            process.stdin.flush()
            json.loads(process.stdout.readline())
            count += 1
        counts.append(count)

    with contextlib.ExitStack() as stack:
        processes = [stack.enter_context(child("-m", "bench.referee", "lines")) for _ in range(4)]
        for process in processes:
            exchange(process, time.perf_counter() + 0.05, [])
        counts: list[int] = []
        start = time.perf_counter()
        threads = [
            threading.Thread(target=exchange, args=(process, start + ECHO_S, counts)) for process in processes
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return sum(counts) / (time.perf_counter() - start)


def lines_process() -> None:
    for line in sys.stdin:
        turn = json.loads(line)
        sys.stdout.write(json.dumps({"turn": turn["turn"], "play": turn["fallback"]}) + "\n")
        sys.stdout.flush()


# The run.

CONTESTANTS: dict[str, Contestant] = {
    "echo, 16 streams": lambda: echo(16, 1),
    "echo, batch of 128": lambda: echo(1, 128),
    "JSON lines over pipes": pipes,
    "referee, batched": lambda: play(1, TABLES, 64),
    "referee, 16 tables in flight": lambda: play(1, TABLES, 16),
    "referee, 16 tables one at a time": lambda: play(16, TABLES // 2, 1, one_process=True),
}


def main() -> None:
    """Run everything and print medians and ratios."""
    rates: dict[str, list[float]] = {name: [] for name in CONTESTANTS}
    for _ in range(ROUNDS):
        for name, run in CONTESTANTS.items():
            rates[name].append(run())
    medians = {name: statistics.median(values) for name, values in rates.items()}
    for name, values in rates.items():
        print(f"{name:34} {medians[name]:9.0f}/s   ({min(values):.0f}–{max(values):.0f})")
    for name, peer, goal in GOALS:
        ratio = medians[name] / medians[peer]
        verdict = "reached" if ratio >= goal else "missed"
        print(f"{name} / {peer}: {ratio:.2f} (goal {goal:g}, {verdict})")


def _child(role: str, *arguments: str) -> None:
    if role == "player":
        player_process(*arguments)
    elif role == "players":
        pairs = zip(arguments[::2], arguments[1::2], strict=True)
        asyncio.run(_gather([player_task(address, token) for address, token in pairs]))
    elif role == "echo":
        asyncio.run(echo_server(*arguments))
    else:
        lines_process()


async def _gather(tasks: list[Awaitable[None]]) -> None:
    await asyncio.gather(*tasks)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        _child(*sys.argv[1:])
    else:
        main()
