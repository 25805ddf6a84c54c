"""The referee against the bare transport that it stands on, in one run.

Every contestant moves the same messages: a turn of a real table down, a decision up. The echoes do nothing
else; the referee deals, judges, keeps clocks and writes records. Contestants are interleaved round by round;
the figures to quote are the ratios of medians. Rates are decisions per second of wall time, all processes on
this machine; beside them stands the CPU time of all processes for one decision, which a busy machine disturbs
less.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import itertools
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

import grpc
import grpc.aio

from erqiwang.deals import board_seed, bot_seed, master_key
from erqiwang.v1 import bot_service_pb2 as bot
from erqiwang.v1 import match_service_pb2 as match
from erqiwang.v1 import record_pb2

ROUNDS = int(os.environ.get("BENCH_ROUNDS", "5"))
ECHO_S = float(os.environ.get("BENCH_SECONDS", "1.0"))
TABLES = int(os.environ.get("BENCH_TABLES", "2048"))
IN_FLIGHT = 1024
"""The widest match that a referee takes."""
OPTIONS = (("grpc.so_reuseport", 0), ("grpc.max_receive_message_length", -1))
GOALS = (
    ("referee, batched", "echo, 16 streams", 7.0),
    ("referee, batched", "echo, batch of 128", 0.5),
    ("referee, batched", "JSON lines over pipes", 4.0),
    ("referee, 16 tables one at a time", "echo, 16 streams", 0.75),
    ("referee, 16 tables one at a time", "echo, 16 connections", 0.75),
)
FALLBACK = bot.Action(use_fallback=True)
OPENING = bot.Action(bid=100)


@dataclass(frozen=True, slots=True)
class Run:
    """What one run of a contestant took, in seconds."""

    decisions: int
    wall: float
    cpu: float

    @property
    def rate(self) -> float:
        """Decisions per second."""
        return self.decisions / self.wall

    @property
    def cpu_us(self) -> float:
        """Microseconds of CPU per decision."""
        return 1e6 * self.cpu / self.decisions


Contestant = Callable[[], Run]


class Meter:
    """Wall and CPU time since its making, of this process and of others that run."""

    def __init__(self, *processes: subprocess.Popen[str]) -> None:
        self._pids = [process.pid for process in processes]
        self._wall, self._cpu = time.perf_counter(), self._used()

    def _used(self) -> float:
        return time.process_time() + sum(cpu_of(pid) for pid in self._pids)

    def run(self, decisions: int) -> Run:
        return Run(decisions, time.perf_counter() - self._wall, self._used() - self._cpu)


def cpu_of(pid: int) -> float:
    """CPU seconds of a running process."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


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


def play(companies: int, tables: int, in_flight: int, one_process: bool = False) -> Run:
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
        decisions, processes, meter = 0, [referee], Meter()
        for data in call:
            response = match.RunMatchResponse.FromString(data)
            if response.HasField("match_opened"):
                addresses = list(response.match_opened.addresses)
                processes += start_players(stack, addresses, tokens, one_process)
            elif response.HasField("player_joined"):
                meter = Meter(*processes)
            elif response.HasField("table_finished"):
                decisions += len(response.table_finished.record.decisions)
            elif response.HasField("player_faulted"):
                raise AssertionError(response)
            elif response.HasField("match_finished"):
                run = meter.run(decisions)
                requests.put(None)
    return run


def start_players(
    stack: contextlib.ExitStack, addresses: list[str], tokens: list[str], one_process: bool
) -> list[subprocess.Popen[str]]:
    pairs = list(zip(addresses, tokens, strict=True))
    if one_process:
        words = [word for pair in pairs for word in pair]
        return [stack.enter_context(child("-m", "bench.referee", "players", *words))]
    return [stack.enter_context(child("-m", "bench.referee", "player", *pair)) for pair in pairs]


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


def echo(streams: int, batch: int, connections: int = 1) -> Run:
    """Turns from here to an echo and decisions back, on so many streams of so many connections at once."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        address = f"unix:{folder}/echo"
        with child("-m", "bench.referee", "echo", address) as server:
            assert server.stdout is not None
            server.stdout.readline()
            return asyncio.run(drive_echo(server, address, streams, batch, connections))


async def drive_echo(
    server: subprocess.Popen[str], address: str, streams: int, batch: int, connections: int
) -> Run:
    turns = bot.PlayResponse.FromString(sample_turns(batch))
    own = (*OPTIONS, ("grpc.use_local_subchannel_pool", 1))
    async with contextlib.AsyncExitStack() as stack:
        channels = [
            await stack.enter_async_context(grpc.aio.insecure_channel(address, options=own))
            for _ in range(connections)
        ]
        methods = itertools.cycle(
            channel.stream_stream(
                "/bench.Echo/Play",
                request_serializer=bot.PlayResponse.SerializeToString,
                response_deserializer=bot.PlayRequest.FromString,
            )
            for channel in channels
        )

        async def stream(end: float) -> int:
            call, count = next(methods)(), 0
            while time.perf_counter() < end:
                await call.write(turns)
                decisions = await call.read()
                count += len(decisions.decisions.decisions)
            await call.done_writing()
            return count

        await drive(stream, streams, 0.2)
        meter = Meter(server)
        return meter.run(await drive(stream, streams, ECHO_S))


async def drive(stream: Callable[[float], Awaitable[int]], streams: int, seconds: float) -> int:
    end = time.perf_counter() + seconds
    return sum(await asyncio.gather(*[stream(end) for _ in range(streams)]))


def pipes() -> Run:
    """A line of JSON down and one up, four processes, each driven by a thread."""
    turn: dict[str, object] = {
        "table": 7,
        "turn": 1234,
        "kind": "play",
        "hand": "SA SK SQ SJ ST S9 H7 H7 C2 CA CK CQ CJ",
    }
    turn |= {"events": [[seat, "ST"] for seat in range(4)], "fallback": ["ST"]}

    def exchange(process: subprocess.Popen[str], end: float, counts: list[int]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        count = 0
        while time.perf_counter() < end:
            process.stdin.write(json.dumps(turn) + "\n")
            process.stdin.flush()
            json.loads(process.stdout.readline())
            count += 1
        counts.append(count)

    with contextlib.ExitStack() as stack:
        processes = [stack.enter_context(child("-m", "bench.referee", "lines")) for _ in range(4)]
        for process in processes:
            exchange(process, time.perf_counter() + 0.05, [])
        counts: list[int] = []
        meter, end = Meter(*processes), time.perf_counter() + ECHO_S
        threads = [threading.Thread(target=exchange, args=(process, end, counts)) for process in processes]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return meter.run(sum(counts))


def lines_process() -> None:
    for line in sys.stdin:
        turn = json.loads(line)
        sys.stdout.write(json.dumps({"turn": turn["turn"], "play": turn["fallback"]}) + "\n")
        sys.stdout.flush()


CONTESTANTS: dict[str, Contestant] = {
    "echo, 16 streams": lambda: echo(16, 1),
    "echo, 16 connections": lambda: echo(16, 1, connections=16),
    "echo, batch of 128": lambda: echo(1, 128),
    "JSON lines over pipes": pipes,
    "referee, batched": lambda: play(1, TABLES, IN_FLIGHT),
    "referee, 16 tables in flight": lambda: play(1, TABLES // 16, 16),
    "referee, 16 tables one at a time": lambda: play(16, TABLES // 32, 1, one_process=True),
}


def main() -> None:
    """Run everything and print medians and ratios."""
    runs: dict[str, list[Run]] = {name: [] for name in CONTESTANTS}
    for _ in range(ROUNDS):
        for name, contestant in CONTESTANTS.items():
            runs[name].append(contestant())
    rates = {name: statistics.median(run.rate for run in done) for name, done in runs.items()}
    costs = {name: statistics.median(run.cpu_us for run in done) for name, done in runs.items()}
    for name, done in runs.items():
        span = f"{min(run.rate for run in done):.0f}–{max(run.rate for run in done):.0f}"
        print(f"{name:34} {rates[name]:9.0f}/s   ({span})   {costs[name]:7.1f} µs CPU")
    for name, peer, goal in GOALS:
        ratio = rates[name] / rates[peer]
        verdict = "reached" if ratio >= goal else "missed"
        by_cpu = costs[peer] / costs[name]
        print(f"{name} / {peer}: {ratio:.2f} (goal {goal:g}, {verdict}; by CPU time {by_cpu:.2f})")
    from bench import overhead  # it plays with the players of this module

    overhead.main()


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
