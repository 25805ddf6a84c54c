"""The starter bots and the real referee, every one a process of its own."""

import pytest

from erqiwang import wire
from erqiwang.rules import FaultCause, get_profile, verify_record
from erqiwang.testing import play_board
from erqiwang.testing.strength import starter
from erqiwang.v1 import match_service_pb2
from launched_match import SEED, match_spec, play_match, records_of

NAMES = ("counter", "cautious", "lowest", "random")


@pytest.mark.parametrize("slug", ["classic", "mobile"])
def test_a_match_ends_as_the_same_bots_would_end_it_in_one_process(referee_target, slug):
    profile = get_profile(slug)
    names = NAMES[: profile.seats]
    boards = range(8)
    told, exits = play_match(
        referee_target,
        match_spec(boards, profile.seats, slug),
        [f"-m erqiwang.bots.{name}" for name in names],
    )
    assert told[-1].match_finished.outcome == match_service_pb2.MATCH_OUTCOME_COMPLETED
    records = records_of(told)
    assert sorted(records) == list(boards)
    for board, record in records.items():
        here = play_board([starter(name) for name in names], board, profile=profile, seed=SEED)
        assert verify_record(record) is None
        assert record.scores == here.scores
        assert [trick.plays for trick in record.tricks] == [trick.plays for trick in here.tricks]
        assert not record.faults
    assert exits == [(0, "", "")] * profile.seats


@pytest.mark.parametrize(
    ("how", "cause"),
    [
        ("crash", FaultCause.CRASHED),
        ("exit0", FaultCause.LEFT),
        ("leaves", FaultCause.LEFT),
        ("hang", FaultCause.TIMED_OUT_MOVE),
        ("deaf", FaultCause.TIMED_OUT_MOVE),
        ("slow", FaultCause.TIMED_OUT_MOVE),
        ("garbage", FaultCause.MALFORMED),
        ("malformed", FaultCause.MALFORMED),
        ("illegal", FaultCause.ILLEGAL),
        ("flood", FaultCause.FLOODED),
        ("joins_twice", FaultCause.PROTOCOL),
        ("noisy", None),
    ],
)
def test_a_bad_bot_commits_its_own_fault_and_the_others_play_on(referee_target, how, cause):
    limits = {"move_limit_ms": 200 if cause is FaultCause.TIMED_OUT_MOVE else 20_000}
    good = ["-m erqiwang.bots.lowest"] * 3
    told, exits = play_match(
        referee_target, match_spec(range(2), **limits), [f"-m erqiwang.testing.bad {how}", *good]
    )
    assert told[-1].match_finished.outcome == match_service_pb2.MATCH_OUTCOME_COMPLETED
    records = records_of(told)
    assert sorted(records) == [0, 1]
    assert all(verify_record(record) is None for record in records.values())
    faults = [
        wire.fault_from_wire(each.player_faulted.fault) for each in told if each.HasField("player_faulted")
    ]
    blamed = {each.player_faulted.player for each in told if each.HasField("player_faulted")}
    assert {fault.cause for fault in faults} == ({cause} if cause else set())
    if cause is FaultCause.TIMED_OUT_MOVE:  # a busy machine may keep a good bot from so short a limit too
        assert 0 in blamed
    else:
        assert blamed == ({0} if cause else set())
    assert [code for code, _, _ in exits[1:]] == [0, 0, 0]
