"""Players that come, go, come back or stay away: whose fault that is, and what is played on."""

import pytest

from erqiwang.rules import FaultCause
from erqiwang.v1 import bot_service_pb2 as bot
from erqiwang_referee.exits import Exit
from erqiwang_referee.match import Outcome
from erqiwang_referee.player import Presence
from erqiwang_referee.settings import Limits
from stage import assert_sound, causes


@pytest.mark.parametrize(
    ("end", "cause"),
    [
        (Exit(code=1), "CRASHED"),
        (Exit(signal=11), "CRASHED"),
        (Exit(code=0), "LEFT"),
    ],
)
def test_an_exit_is_named_by_what_the_launcher_knows(make_stage, end: Exit, cause: str) -> None:
    stage = make_stage(3)
    stage.join_all()
    stage.actors[1].vanish()
    stage.advance(0.3)
    assert stage.faults == []
    stage.match.exited(1, end)
    stage.match.exited(1, end)
    stage.play(1)
    assert causes(stage) == [(1, None, cause)]
    assert stage.end == (Outcome.COMPLETED, "3 tables")
    assert_sound(stage, 3)
    assert stage.forfeits == {0: [1], 1: [0], 2: [3]}
    for number in (0, 2, 3):
        assert len(stage.actors[number].over) == 3
        assert stage.actors[number].match_over is not None


@pytest.mark.parametrize("end", [Exit(signal=9, by_us=True), Exit(signal=9, out_of_memory=True)])
def test_what_the_platform_did_voids_the_match(make_stage, end: Exit) -> None:
    stage = make_stage(3)
    stage.join_all()
    stage.match.exited(1, end)
    assert stage.faults == []
    assert stage.end is not None
    assert stage.end[0] is Outcome.VOID
    assert all(actor.match_over.aborted and actor.goodbye for actor in stage.actors)


def test_a_stream_that_stays_broken_is_a_disconnect(make_stage) -> None:
    stage = make_stage(2)
    stage.join_all()
    stage.actors[1].vanish()
    stage.play(1)
    stage.advance(4.9)
    assert stage.faults == []
    stage.advance(0.3)
    stage.play(1)
    assert causes(stage) == [(1, None, "DISCONNECTED")]
    assert_sound(stage, 2)


def test_a_leave_message_is_a_fault_at_once(make_stage) -> None:
    stage = make_stage(2)
    stage.join_all()
    stage.actors[1].say(bot.PlayRequest(leave=bot.Leave(reason="tired")))
    stage.match.exited(1, Exit(code=0))
    stage.play(1)
    assert causes(stage) == [(1, None, "LEFT")]
    assert stage.actors[1].goodbye == "left: left: tired"
    assert_sound(stage, 2)


def test_a_return_brings_the_tables_the_history_and_the_same_turns(make_stage) -> None:
    stage = make_stage(2)
    stage.join_all()
    player = stage.actors[1]
    stage.play(1)
    owed = dict(player.turns)
    assert len(owed) == 2
    stage.advance(0.9)
    player.vanish()
    player.turns.clear()
    player.inbox.clear()
    stage.advance(3.0)
    assert stage.match.may_resume(1)
    stage.match.resume(1, player)
    assert [message.WhichOneof("response") for message in player.inbox] == ["tables_opened", "turns"]
    assert set(player.turns) == set(owed)
    assert all(turn.events[0].HasField("dealt") for turn in player.turns.values())
    stage.advance(0.9)
    stage.play()
    assert stage.faults == []
    assert_sound(stage, 2)


def test_returns_are_counted(make_stage) -> None:
    stage = make_stage(1, Limits(resumes=2))
    stage.join_all()
    for _ in range(2):
        stage.actors[1].vanish()
        assert stage.match.may_resume(1)
        stage.match.resume(1, stage.actors[1])
    stage.actors[1].vanish()
    assert not stage.match.may_resume(1)
    stage.advance(0.7)
    assert causes(stage) == [(1, None, "DISCONNECTED")]


def test_one_bot_that_never_joins_forfeits_its_tables(make_stage) -> None:
    stage = make_stage(2)
    for actor in stage.actors[:3]:
        actor.join()
    stage.advance(9.9)
    assert stage.faults == []
    stage.advance(0.8)
    stage.play(3)
    assert causes(stage) == [(3, None, "NEVER_JOINED")]
    assert stage.forfeits == {0: [3], 1: [2]}
    assert_sound(stage, 2)
    assert stage.records[0].faults[0].cause is FaultCause.NEVER_JOINED


def test_an_exit_before_the_join_is_known_at_once(make_stage) -> None:
    stage = make_stage(1)
    for actor in stage.actors[:3]:
        actor.join()
    stage.match.exited(3, Exit(code=2))
    stage.advance(0.7)
    stage.play(3)
    ((player, table, fault),) = stage.faults
    assert (player, table, fault.cause) == (3, None, FaultCause.NEVER_JOINED)
    assert fault.detail == "ended with exit code 2 before it joined"
    assert stage.end == (Outcome.COMPLETED, "1 tables")


def test_different_bots_that_never_join_are_the_platforms_fault(make_stage) -> None:
    stage = make_stage(2)
    for actor in stage.actors[:2]:
        actor.join()
    stage.advance(10.5)
    assert stage.end is not None
    assert stage.end[0] is Outcome.VOID
    assert "cat@1, dog@1" in stage.end[1]
    assert stage.actors[0].match_over.aborted


def test_copies_of_one_bot_that_never_join_are_at_fault(make_stage) -> None:
    stage = make_stage(1, labels=("ant@1", "bee@1", "cat@1", "cat@1"))
    for actor in stage.actors[:2]:
        actor.join()
    stage.advance(11.5)
    stage.play(2, 3)
    assert causes(stage) == [(2, None, "NEVER_JOINED"), (3, None, "NEVER_JOINED")]
    assert_sound(stage, 1)


def test_a_restarted_player_plays_the_tables_that_were_not_open(make_stage) -> None:
    stage = make_stage(4, in_flight=2)
    stage.join_all()
    stage.match.exited(1, Exit(code=1))
    assert stage.presence(1) is Presence.FALLEN
    stage.play(1)
    assert sorted(stage.records) == [0, 1]
    assert stage.match.restarted(1)
    stage.advance(2.0)
    stage.actors[1].turns.clear()
    stage.actors[1].over.clear()
    stage.actors[1].join()
    stage.play()
    assert causes(stage) == [(1, None, "CRASHED")]
    assert stage.forfeits == {0: [1], 1: [0], 2: [], 3: []}
    assert_sound(stage, 4)
    assert len(stage.actors[1].over) == 2


def test_a_player_that_is_not_restarted_forfeits_the_rest(make_stage) -> None:
    stage = make_stage(4, in_flight=2)
    stage.join_all()
    stage.match.exited(1, Exit(code=1))
    stage.play(1)
    stage.advance(0.6)
    assert stage.presence(1) is Presence.GONE
    stage.play(1)
    assert all(stage.forfeits[table] for table in range(4))
    assert causes(stage) == [(1, None, "CRASHED")]
    assert_sound(stage, 4)


# The platform's own time.


def test_time_faults_while_the_referee_stood_still_are_nobodys(make_stage) -> None:
    stage = make_stage(2)
    stage.join_all()
    stage.stall(30.0)
    stage.advance(0.5)
    stage.play()
    assert stage.faults == []
    assert_sound(stage, 2)


def test_an_abort_tells_everybody(make_stage) -> None:
    stage = make_stage(2)
    stage.join_all()
    stage.match.abort("the runner is gone")
    assert stage.end == (Outcome.VOID, "the runner is gone")
    assert all(actor.is_closed and actor.match_over.aborted for actor in stage.actors)
    stage.actors[0].answer()
    stage.advance(20.0)
    assert stage.records == {}
    assert len(stage.deadlines) == 0
