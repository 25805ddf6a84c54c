"""A remote bot between its matches, with a scripted referee."""

import grpc
import pytest

from erqiwang.bots.lowest import LowestBot
from erqiwang.client import play_session
from erqiwang.errors import RefusedError
from scripted_referee import first_turn, goodbye, joined, match_over, opened, referee, waiting


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
