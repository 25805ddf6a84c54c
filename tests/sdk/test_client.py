"""What the client does with a referee that the real one never is: a scripted one, over real gRPC."""

import grpc
import pytest

from erqiwang.bot import Bot
from erqiwang.bots.lowest import LowestBot
from erqiwang.client import play_session
from erqiwang.comeback import join_request
from erqiwang.errors import RefusedError, UnavailableError, WireError
from erqiwang.settings import Settings
from erqiwang.v1 import bot_service_pb2
from scripted_referee import first_turn, goodbye, joined, opened, referee


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


def test_a_join_with_a_resume_token_carries_no_other():
    join = bot_service_pb2.PlayRequest.FromString(join_request(resume_token="again")).join
    assert (join.token, join.resume_token) == ("", "again")


def test_an_abstract_bot_cannot_play():
    with pytest.raises(TypeError, match="abstract"):
        Bot()
