"""What the client does with a referee that the real one never is: a scripted one, over real gRPC."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import grpc
import pytest

from erqiwang import wire
from erqiwang.bot import Bot
from erqiwang.bots.lowest import LowestBot
from erqiwang.client import play_session
from erqiwang.comeback import join_request
from erqiwang.deals import board_seed, deal_board, master_key
from erqiwang.errors import RefusedError, UnavailableError, WireError
from erqiwang.rules import Dealt, TurnKind, get_profile
from erqiwang.settings import Settings
from erqiwang.v1 import bot_service_pb2

HAND = deal_board(get_profile("classic"), board_seed(master_key("client"), 0)).hands[0]


@pytest.fixture
def folder():
    path = tempfile.mkdtemp(prefix="erqi-")
    yield path
    shutil.rmtree(path)


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


def first_turn(table_id=1, turn_id=7):
    from erqiwang.rules import Bid

    turn = wire.WantedTurn(
        table_id=table_id,
        turn_id=turn_id,
        kind=TurnKind.BID,
        may_surrender=False,
        hand=HAND,
        events=[wire.encode_event(Dealt(opener=0, redeal=0))],
        fallback=Bid(None),
        move_limit_ms=1000,
    )
    return wire.encode_turns([wire.encode_turn(turn)])


def environment(settings):
    return {**os.environ, "ERQI_REFEREE": settings.referee, "ERQI_TOKEN": settings.token}


def run_bot(settings, body="pass"):
    code = "from erqiwang import run; from erqiwang.bots.lowest import LowestBot\n"
    code += f"class B(LowestBot):\n    {body}\nrun(B)"
    return subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env=environment(settings),
        timeout=30,
    )


def test_it_joins_with_its_token_and_versions_and_ends_on_goodbye(folder):
    seen = []

    def script(requests, context):
        seen.append(next(requests).join)
        yield joined()
        yield goodbye()
        seen.extend(requests)

    with referee(folder, script) as settings:
        play_session(settings, LowestBot, max_tables=3)
    assert len(seen) == 1
    assert seen[0].token == "secret"
    assert seen[0].protocol_version == 1
    assert seen[0].max_tables == 3


def test_it_answers_turns_from_the_view(folder):
    answers = []

    def script(requests, context):
        next(requests)
        yield joined()
        yield opened()
        yield first_turn(turn_id=41)
        answers.extend(next(requests).decisions.decisions)
        yield goodbye()

    with referee(folder, script) as settings:
        play_session(settings, LowestBot)
    assert [(answer.turn_id, answer.action.bid) for answer in answers] == [(41, 120)]


def test_one_object_plays_all_tables_with_the_random_source_of_each(folder):
    drawn = {}

    class Shared(LowestBot):
        def bid(self, view):
            drawn.setdefault(id(self), []).append(self.random.below(1000))

    def script(requests, context):
        next(requests)
        yield joined()
        yield opened(1)
        yield opened(2)
        yield first_turn(1, 1)
        yield first_turn(2, 2)
        next(requests)
        next(requests)
        yield goodbye()

    with referee(folder, script) as settings:
        bot = Shared()
        play_session(settings, lambda: bot)
    (draws,) = drawn.values()
    assert draws[0] == draws[1]


def test_end_of_stream_without_goodbye_is_an_end(folder):
    def script(requests, context):
        next(requests)
        yield joined()

    with referee(folder, script) as settings:
        play_session(settings, LowestBot)


@pytest.mark.parametrize(
    "code",
    [grpc.StatusCode.UNAUTHENTICATED, grpc.StatusCode.FAILED_PRECONDITION, grpc.StatusCode.INVALID_ARGUMENT],
)
def test_a_refusal_is_told_apart_from_a_missing_referee(folder, code):
    def script(requests, context):
        context.abort(code, "no such token")
        yield

    with referee(folder, script) as settings, pytest.raises(RefusedError, match="no such token"):
        play_session(settings, LowestBot)


def test_an_unreachable_referee_is_unavailable(folder):
    settings = Settings(referee=f"unix:{folder}/nobody.sock", token="t", connect_timeout_s=0.1)
    with pytest.raises(UnavailableError, match="does not answer"):
        play_session(settings, LowestBot)


def test_it_waits_for_a_referee_that_starts_late(folder):
    attempts = []

    def script(requests, context):
        attempts.append(next(requests).join)
        if len(attempts) == 1:
            context.abort(grpc.StatusCode.UNAVAILABLE, "not yet")
        yield joined()
        yield goodbye()

    with referee(folder, script) as settings:
        play_session(settings, LowestBot)
    assert [join.token for join in attempts] == ["secret", "secret"]


def test_a_broken_stream_is_taken_up_again_with_the_resume_token(folder):
    joins = []

    def script(requests, context):
        joins.append(next(requests).join)
        yield joined(resume_token=f"again {len(joins)}")
        if len(joins) < 3:
            context.abort(grpc.StatusCode.UNAVAILABLE, "cut")
        yield opened()
        yield first_turn()
        next(requests)
        yield goodbye()

    with referee(folder, script) as settings:
        play_session(settings, LowestBot)
    assert [(join.token, join.resume_token) for join in joins] == [
        ("secret", ""),
        ("", "again 1"),
        ("", "again 2"),
    ]


def test_a_referee_that_went_away_for_good_is_unavailable(folder):
    def script(requests, context):
        if next(requests).join.token:
            yield joined()
        context.abort(grpc.StatusCode.UNAVAILABLE, "cut")

    with referee(folder, script) as settings:
        short = Settings(referee=settings.referee, token="t", rejoin_timeout_s=0.1)
        with pytest.raises(UnavailableError, match="went away"):
            play_session(short, LowestBot)


@pytest.mark.parametrize("message", [opened(), first_turn()])
def test_messages_out_of_place_are_refused(folder, message):
    def script(requests, context):
        next(requests)
        yield message

    with referee(folder, script) as settings, pytest.raises(WireError):
        play_session(settings, LowestBot)


def test_a_profile_that_the_bot_does_not_know_is_refused(folder):
    def script(requests, context):
        next(requests)
        yield joined(profile="skat")

    with referee(folder, script) as settings, pytest.raises(WireError, match="skat"):
        play_session(settings, LowestBot)


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
        done = run_bot(settings, "def bid(self, view): return 1 // 0")
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
        done = run_bot(settings, body)
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


def test_a_join_with_a_resume_token_carries_no_other():
    join = bot_service_pb2.PlayRequest.FromString(join_request(resume_token="again")).join
    assert (join.token, join.resume_token) == ("", "again")


def test_an_abstract_bot_cannot_play():
    with pytest.raises(TypeError, match="abstract"):
        Bot()


def waiting():
    return bot_service_pb2.PlayResponse(waiting=bot_service_pb2.Waiting(name="ann"))


def match_over():
    return bot_service_pb2.PlayResponse(match_over=bot_service_pb2.MatchOver(tables=1))


def test_a_remote_bot_plays_match_after_match_on_one_stream(folder):
    seen = []

    def script(requests, context):
        seen.append(next(requests).join.token)
        yield waiting()
        for match in range(2):
            yield joined(f"resume-{match}")
            yield opened(1)  # the numbers begin anew
            yield first_turn(1, 1)
            seen.append(next(requests).decisions.decisions[0].turn_id)
            yield match_over()
            seen.append(next(requests).WhichOneof("request"))
            yield waiting()
        yield goodbye()

    with referee(folder, script) as settings:
        play_session(settings, LowestBot)
    assert seen == ["secret", 1, "ready", 1, "ready"]


def test_a_remote_bot_that_comes_back_too_late_returns_to_the_lobby(folder):
    joins = []

    def script(requests, context):
        join = next(requests).join
        joins.append((join.token, join.resume_token))
        if len(joins) == 1:
            yield waiting()
            yield joined("again")
            context.abort(grpc.StatusCode.UNAVAILABLE, "gone")
        if len(joins) == 2:
            context.abort(grpc.StatusCode.UNAUTHENTICATED, "too late")
        if len(joins) == 3:
            yield waiting()
            context.abort(grpc.StatusCode.UNAVAILABLE, "gone again, between matches")
        yield waiting()
        yield goodbye()

    with referee(folder, script) as settings:
        play_session(settings, LowestBot)
    assert joins == [("secret", ""), ("", "again"), ("secret", ""), ("secret", "")]


def test_a_remote_bot_whose_token_was_revoked_ends_refused(folder):
    joins = []

    def script(requests, context):
        joins.append(next(requests).join.token)
        if len(joins) == 2:
            context.abort(grpc.StatusCode.UNAUTHENTICATED, "the token is unknown")
        yield waiting()
        context.abort(grpc.StatusCode.UNAVAILABLE, "gone")

    with referee(folder, script) as settings, pytest.raises(RefusedError, match="the token is unknown"):
        play_session(settings, LowestBot)
    assert joins == ["secret", "secret"]
