"""A referee that follows a script, over real gRPC: for what the real one does never, or not on demand."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import grpc

from erqiwang import wire
from erqiwang.deals import board_seed, deal_board, master_key
from erqiwang.rules import Bid, Dealt, TurnKind, get_profile
from erqiwang.settings import Settings
from erqiwang.v1 import bot_service_pb2

HAND = deal_board(get_profile("classic"), board_seed(master_key("client"), 0)).hands[0]


@contextmanager
def referee(folder, script):
    """Serve `script(requests, context)`, a generator of responses, on a socket of its own."""
    method = grpc.stream_stream_rpc_method_handler(
        script,
        request_deserializer=bot_service_pb2.PlayRequest.FromString,
        response_serializer=lambda response: (
            response if isinstance(response, bytes) else response.SerializeToString()
        ),
    )
    handler = grpc.method_handlers_generic_handler("erqiwang.v1.BotService", {"Play": method})
    server = grpc.server(ThreadPoolExecutor(4), handlers=[handler])
    target = f"unix:{folder}/bot.sock"
    server.add_insecure_port(target)
    server.start()
    try:
        yield Settings(referee=target, token="secret", connect_timeout_s=5)
    finally:
        server.stop(None).wait()


def joined(resume_token="again", profile="classic"):
    return bot_service_pb2.PlayResponse(
        joined=bot_service_pb2.Joined(session_id="s", resume_token=resume_token, profile=profile)
    )


def opened(table_id=1, seat=0):
    table = bot_service_pb2.TableOpened(table_id=table_id, seat=seat, room=1, seed=bytes(32))
    return bot_service_pb2.PlayResponse(tables_opened=bot_service_pb2.TablesOpened(tables=[table]))


def goodbye():
    return bot_service_pb2.PlayResponse(goodbye=bot_service_pb2.Goodbye(reason="done"))


def turn(table_id=1, turn_id=7):
    wanted = wire.WantedTurn(
        table_id=table_id,
        turn_id=turn_id,
        kind=TurnKind.BID,
        may_surrender=False,
        hand=HAND,
        events=[wire.encode_event(Dealt(opener=0, redeal=0))],
        fallback=Bid(None),
        move_limit_ms=1000,
    )
    return wire.encode_turn(wanted)


def first_turn(table_id=1, turn_id=7):
    """Ask for the first bid of a table."""
    return wire.encode_turns([turn(table_id, turn_id)])


def environment(settings):
    return {**os.environ, "ERQI_REFEREE": settings.referee, "ERQI_TOKEN": settings.token}


def run_bot(settings, body="class B(LowestBot): pass"):
    """Run a program whose bot is the class `B`."""
    code = "from erqiwang import AsyncBot, BatchBot, run\nfrom erqiwang.rules import Bid, Play\n"
    code += "from erqiwang.bots.lowest import LowestBot\n"
    return subprocess.run(
        [sys.executable, "-c", f"{code}{body}\nrun(B)"],
        capture_output=True,
        text=True,
        env=environment(settings),
        timeout=60,
    )


def waiting():
    return bot_service_pb2.PlayResponse(waiting=bot_service_pb2.Waiting(name="ann"))


def match_over():
    return bot_service_pb2.PlayResponse(match_over=bot_service_pb2.MatchOver(tables=1))
