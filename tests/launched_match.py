"""A match at the real referee, every bot a process of its own: the test is runner and launcher."""

import hashlib
import os
import subprocess
import sys
from queue import SimpleQueue
from threading import Thread

import grpc

from erqiwang import wire
from erqiwang.deals import board_seed, bot_seed, master_key
from erqiwang.v1 import match_service_pb2, match_service_pb2_grpc, record_pb2

SEED = "end to end"
KEY = master_key(SEED)


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
    """Play a match as a launcher does; `commands` are by player what follows `python`.

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
        [sys.executable, *command.split()],
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
