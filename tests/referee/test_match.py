"""Whole matches on the synchronous core: what players, runner and record see."""

import pytest

from erqiwang.rules import DecidedBy, FaultCause, Phase, Reason
from erqiwang.v1 import bot_service_pb2 as bot
from erqiwang_referee.match import Outcome
from erqiwang_referee.settings import Limits
from stage import Stage, assert_sound, causes, decided, make_spec


def test_a_match_is_played_to_its_end(make_stage) -> None:
    stage = make_stage(6)
    stage.join_all()
    assert stage.joined == [0, 1, 2, 3]
    stage.play()
    assert stage.end == (Outcome.COMPLETED, "6 tables")
    assert_sound(stage, 6)
    assert stage.faults == []
    assert decided(stage, DecidedBy.BOT) == sum(len(record.decisions) for record in stage.records.values())
    for number, actor in enumerate(stage.actors):
        assert actor.is_closed
        assert actor.breach is None
        assert actor.goodbye == "the match is over"
        assert sorted(over.table_id for over in actor.over) == list(range(1, 7))
        points = sum(record.scores[(number - table) % 4] for table, record in stage.records.items())
        assert actor.match_over == bot.MatchOver(tables=6, points=points, aborted=False)


def test_the_same_decisions_give_the_same_records(make_stage) -> None:
    def played():
        stage = make_stage(3, companies=2)
        stage.join_all()
        stage.play()
        return [stage.records[table].to_json() for table in range(6)]

    assert played() == played()


def test_the_record_carries_the_identity_and_the_seats_its_players(make_stage) -> None:
    stage = make_stage(2)
    stage.join_all()
    assert [stage.actors[1].opened[table].seat for table in (1, 2)] == [1, 0]
    assert stage.actors[1].opened[2].seed == bytes([1, 0] * 16)
    stage.play()
    assert [stage.records[table].id for table in (0, 1)] == ["t/0/g/0/0/0", "t/0/g/1/0/0"]


def test_of_a_followed_table_the_runner_hears_what_its_players_hear() -> None:
    spec = make_spec(3)
    spec.tables[1].followed = True
    stage = Stage(spec, Limits())
    stage.join_all()
    stage.play()
    assert list(stage.followed) == [1]
    told = [event for moved in stage.followed[1] for event in moved.events]
    assert len(stage.followed[1]) == len(stage.records[1].decisions) + 1, "at once, not at the end"
    actor = stage.actors[0]
    heard = [
        event
        for response in actor.inbox
        for each in (*response.turns.turns, *response.tables_over.tables)
        if each.table_id == 2
        for event in each.events
    ]
    assert told == heard


def test_nobody_is_shown_the_cards_of_another(make_stage) -> None:
    stage = make_stage(3)
    stage.join_all()
    stage.play()
    for number, actor in enumerate(stage.actors):
        for response in actor.inbox:
            for turn in response.turns.turns:
                record = stage.records[turn.table_id - 1]
                own = [*record.hands[(number - turn.table_id + 1) % 4], *record.kitty]
                assert all(list(turn.hand).count(card) <= own.count(card) for card in turn.hand)
            for over in response.tables_over.tables:
                assert over.events[-1].HasField("settled")


def test_events_are_told_once_and_completely(make_stage) -> None:
    stage = make_stage(1)
    stage.join_all()
    stage.play()
    histories = []
    for actor in stage.actors:
        turns = [turn for response in actor.inbox for turn in response.turns.turns]
        events = [event for turn in turns for event in turn.events]
        histories.append([event.SerializeToString() for event in [*events, *actor.over[0].events]])
    assert histories[0] == histories[1] == histories[2] == histories[3]


def test_full_history_repeats_the_table_from_its_beginning(make_stage) -> None:
    stage = make_stage(1)
    stage.join_all(full_history=True)
    stage.play()
    for actor in stage.actors:
        for response in actor.inbox:
            for turn in response.turns.turns:
                assert turn.events[0].HasField("dealt")


def test_a_player_that_takes_one_table_gets_one_at_a_time(make_stage) -> None:
    stage = make_stage(5)
    for actor in stage.actors:
        actor.join(max_tables=1 if actor.index == 2 else 0)
    stage.play()
    assert stage.end == (Outcome.COMPLETED, "5 tables")
    open_tables = 0
    for response in stage.actors[2].inbox:
        assert len(response.turns.turns) <= 1
        open_tables += len(response.tables_opened.tables) - len(response.tables_over.tables)
        assert open_tables <= 2  # the next may open before the message that the last is over


def test_tables_in_flight_are_bounded(make_stage) -> None:
    stage = make_stage(8, in_flight=3)
    stage.join_all()
    assert [len(actor.opened) for actor in stage.actors] == [3, 3, 3, 3]


def test_turns_leave_at_once_when_nothing_else_can_progress(make_stage) -> None:
    stage = make_stage(1)
    stage.join_all()
    bidder = next(actor for actor in stage.actors if actor.turns)
    bidder.answer()
    assert sum(len(actor.turns) for actor in stage.actors) == 1


def test_turns_wait_for_company_while_others_decide(make_stage) -> None:
    stage = make_stage(4)
    stage.join_all()
    first, second = stage.actors[0], stage.actors[1]
    assert [len(actor.turns) for actor in stage.actors] == [1, 1, 1, 1]
    first.answer()
    second.answer()
    assert [len(actor.turns) for actor in stage.actors] == [0, 0, 1, 1]
    stage.flush()
    assert sum(len(actor.turns) for actor in stage.actors) == 4


# Faults of a decision.


def test_one_decision_too_late_is_played_by_the_fallback(make_stage) -> None:
    stage = make_stage(1)
    stage.join_all()
    slow = next(actor for actor in stage.actors if actor.turns)
    (turn_id,) = slow.turns
    stage.advance(1.04)
    assert stage.faults == []
    stage.advance(0.1)
    assert causes(stage) == [(slow.index, 0, "TIMED_OUT_MOVE")]
    slow.decide((turn_id, bot.Action(bid=100)))
    stage.play()
    assert [rejection.cause for rejection in slow.rejections] == [5]
    assert_sound(stage, 1)
    assert decided(stage, DecidedBy.FALLBACK) == 1
    assert stage.records[0].decisions[0].ms >= 1050
    (fault,) = stage.records[0].faults
    assert (fault.cause, fault.at.phase, fault.seat) == (FaultCause.TIMED_OUT_MOVE, Phase.AUCTION, slow.index)
    assert stage.forfeits[0] == []


def test_the_fourth_timeout_forfeits_the_table(make_stage) -> None:
    stage = make_stage(1)
    stage.join_all()
    for _ in range(40):
        stage.play(2)
        if stage.end:
            break
        stage.advance(1.2)
    assert causes(stage) == [(2, 0, "TIMED_OUT_MOVE")] * 4
    assert stage.forfeits[0] == [2]
    assert_sound(stage, 1)
    assert decided(stage, DecidedBy.FALLBACK) == 3
    assert decided(stage, DecidedBy.AUTOPLAY) > 10
    assert stage.actors[2].match_over is not None


def test_only_the_oldest_turn_falls_back(make_stage) -> None:
    stage = make_stage(4)
    stage.join_all()
    stage.play(3)
    assert len(stage.actors[3].turns) == 4
    stage.advance(1.12)
    assert [player for player, _, _ in causes(stage)] == [3]
    stage.play(3)
    stage.advance(1.12)
    assert [player for player, _, _ in causes(stage)] == [3, 3]


def test_an_illegal_play_forfeits_the_table_and_nothing_else(make_stage) -> None:
    stage = make_stage(2)
    stage.join_all()
    cheat = stage.actors[0]
    stage.play(0, until=lambda: len(cheat.turns) == 2)
    turn = next(turn for turn in cheat.turns.values() if turn.table_id == 1)
    cheat.decide((turn.turn_id, bot.Action(bid=101)))
    stage.play()
    assert causes(stage) == [(0, 0, "ILLEGAL")]
    (rejection,) = cheat.rejections
    assert (rejection.cause, rejection.reason) == (7, Reason.BID_OUT_OF_RANGE.value)
    assert rejection.detail
    assert stage.forfeits == {0: [0], 1: []}
    assert_sound(stage, 2)
    assert stage.records[0].faults[0].reason is Reason.BID_OUT_OF_RANGE
    assert stage.records[1].faults == ()
    assert [len(actor.over) for actor in stage.actors] == [2, 2, 2, 2]


@pytest.mark.parametrize("action", [bot.Action(), bot.Action(play=b"\x63"), bot.Action(trump=9)])
def test_an_action_that_cannot_be_read_is_malformed(make_stage, action: bot.Action) -> None:
    stage = make_stage(1)
    stage.join_all()
    cheat = next(actor for actor in stage.actors if actor.turns)
    cheat.decide((next(iter(cheat.turns)), action))
    stage.play()
    assert causes(stage) == [(cheat.index, 0, "MALFORMED")]
    assert cheat.rejections[0].cause == 8
    assert_sound(stage, 1)


def test_bytes_that_are_no_message_answer_the_oldest_turn(make_stage) -> None:
    stage = make_stage(1)
    stage.join_all()
    cheat = next(actor for actor in stage.actors if actor.turns)
    cheat.say_bytes(b"\xff\xff\xff")
    cheat.turns.clear()
    stage.play()
    assert causes(stage) == [(cheat.index, 0, "MALFORMED")]
    assert_sound(stage, 1)


def test_bytes_that_are_no_message_and_answer_nothing_end_the_session(make_stage) -> None:
    stage = make_stage(1)
    stage.join_all()
    cheat = next(actor for actor in stage.actors if not actor.turns)
    cheat.say_bytes(b"\xff\xff\xff")
    assert causes(stage) == [(cheat.index, None, "PROTOCOL")]
    assert cheat.is_closed
    assert cheat.breach


def test_unknown_and_repeated_turns_are_answered_and_never_applied(make_stage) -> None:
    stage = make_stage(1)
    stage.join_all()
    actor = next(actor for actor in stage.actors if actor.turns)
    (turn_id,) = actor.turns
    actor.decide((turn_id, bot.Action(bid=100)), (turn_id, bot.Action(bid=95)), (77, bot.Action(bid=90)))
    stage.play()
    assert [(one.turn_id, one.cause) for one in actor.rejections] == [(turn_id, 10), (77, 10)]
    assert "answered before" in actor.rejections[0].detail
    assert "no such turn" in actor.rejections[1].detail
    assert stage.faults == []
    assert stage.records[0].auction[0].bid == 100


def test_too_many_unknown_turns_are_a_flood(make_stage) -> None:
    stage = make_stage(1, Limits(rejections=20))
    stage.join_all()
    stage.actors[0].decide(*[(1000 + number, bot.Action(bid=100)) for number in range(50)])
    stage.play(0)
    assert causes(stage) == [(0, None, "FLOODED")]
    assert stage.forfeits[0] == [0]
    assert_sound(stage, 1)


def test_messages_without_a_decision_are_a_flood(make_stage) -> None:
    stage = make_stage(2, Limits(idle_messages=20))
    stage.join_all()
    for _ in range(30):
        stage.actors[1].say(bot.PlayRequest(decisions=bot.Decisions()))
    stage.play(1)
    assert causes(stage) == [(1, None, "FLOODED")]
    assert stage.end == (Outcome.COMPLETED, "2 tables")
    assert_sound(stage, 2)


def test_a_message_that_is_too_long_ends_the_session(make_stage) -> None:
    stage = make_stage(1, Limits(message_bytes=1000))
    stage.join_all()
    stage.actors[1].say_bytes(bytes(1001))
    assert causes(stage) == [(1, None, "PROTOCOL")]


def test_a_second_join_ends_the_session(make_stage) -> None:
    stage = make_stage(1)
    stage.join_all()
    stage.actors[1].say(bot.PlayRequest(join=bot.Join(token="again")))
    assert causes(stage) == [(1, None, "PROTOCOL")]


def test_a_player_that_does_not_read_is_given_up(make_stage) -> None:
    stage = make_stage(1, Limits(outbox_bytes=1000))
    stage.join_all()
    deaf = stage.actors[3]
    deaf.waiting_bytes = 2000
    stage.play(3)
    assert causes(stage) == [(3, None, "DISCONNECTED")]
    assert_sound(stage, 1)


# The bank.


def test_a_bank_that_ran_out_forfeits_the_table(make_stage) -> None:
    stage = make_stage(1, bank_ms=300)
    stage.join_all()
    slow = stage.actors[2]
    stage.play(2, until=lambda: bool(slow.turns))
    assert next(iter(slow.turns.values())).bank_ms == 300
    stage.advance(0.2)
    slow.answer()
    stage.flush()
    stage.play(2, until=lambda: bool(slow.turns) or stage.end is not None)
    assert 90 <= next(iter(slow.turns.values())).bank_ms <= 100
    stage.advance(0.3)
    stage.play(2)
    assert causes(stage) == [(2, 0, "TIMED_OUT_BANK")]
    assert stage.forfeits[0] == [2]
    assert_sound(stage, 1)
