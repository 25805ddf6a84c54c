from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from erqiwang import wire
from erqiwang.errors import WireError
from erqiwang.rules import (
    Announced,
    Announcement,
    Bid,
    BidMade,
    Buried,
    Bury,
    Card,
    Dealt,
    DecidedBy,
    DecisionTime,
    Event,
    Fault,
    FaultCause,
    FaultPoint,
    KittyShown,
    NameTrump,
    PassedDeal,
    PassedOut,
    PassOut,
    Phase,
    Play,
    Played,
    Reason,
    Record,
    RuleViolation,
    Settled,
    Surrender,
    Surrendered,
    Trick,
    TrickWon,
    Trump,
    TrumpNamed,
    TrumpReport,
    TurnKind,
    parse_cards,
)
from erqiwang.v1 import bot_service_pb2, cards_pb2, events_pb2, faults_pb2, record_pb2

seats = st.integers(0, 3)
counts = st.integers(0, 300)
scores = st.lists(st.integers(-(2**31), 2**31 - 1), max_size=4).map(tuple)
cards = st.lists(st.sampled_from(Card), max_size=33).map(tuple)
reports = st.lists(st.builds(TrumpReport, seats, counts, st.booleans()), max_size=4).map(tuple)
some_seats = st.lists(seats, max_size=4).map(tuple)
bids = st.none() | st.integers(0, 120)

actions = st.one_of(
    st.builds(Bid, bids),
    st.builds(NameTrump, st.sampled_from(Trump)),
    st.builds(Bury, cards),
    st.builds(Play, cards),
    st.just(Surrender()),
)
settled = st.builds(Settled, counts, counts, cards, scores, scores, scores, seats)
events: st.SearchStrategy[Event] = st.one_of(
    st.builds(Dealt, seats, counts),
    st.builds(BidMade, seats, bids),
    st.just(PassedOut()),
    st.builds(KittyShown, seats, counts, cards),
    st.builds(TrumpNamed, st.sampled_from(Trump)),
    st.just(Surrendered()),
    st.just(Buried()),
    st.builds(Played, seats, cards, cards),
    st.builds(Announced, some_seats, reports),
    st.builds(TrickWon, seats, counts),
    settled,
)
points = st.builds(FaultPoint, st.sampled_from(Phase), counts, counts)
faults = st.builds(
    Fault, seats, st.sampled_from(FaultCause), st.none() | st.sampled_from(Reason), points, st.text()
)
auctions = st.lists(st.builds(BidMade, seats, bids), max_size=6).map(tuple)
hands = st.lists(cards, max_size=4).map(tuple)
times = st.integers(0, 2**32 - 1).map(lambda micros: micros / 1000)
records = st.builds(
    Record,
    profile=st.text(),
    switches=st.dictionaries(st.text(), st.text(), max_size=2),
    rules_version=st.text(),
    room=counts,
    pass_out=st.sampled_from(PassOut),
    id=st.text(),
    opener=seats,
    hands=hands,
    kitty=cards,
    redeals=st.lists(st.builds(PassedDeal, seats, hands, cards, auctions), max_size=2).map(tuple),
    auction=auctions,
    declarer=st.none() | seats,
    bid=bids,
    trump=st.none() | st.sampled_from(Trump),
    buried=st.none() | cards,
    surrender=st.booleans(),
    tricks=st.lists(st.builds(Trick, seats, hands, seats), max_size=3).map(tuple),
    announcements=st.lists(st.builds(Announcement, counts, counts, some_seats, reports), max_size=2).map(
        tuple
    ),
    kitty_multiplier=counts,
    defender_points=counts,
    play_scores=scores,
    bonus_scores=scores,
    scores=scores,
    next_opener=seats,
    charm=scores,
    faults=st.lists(faults, max_size=2).map(tuple),
    decisions=st.lists(st.builds(DecisionTime, seats, times, st.sampled_from(DecidedBy)), max_size=3).map(
        tuple
    ),
)
encoded_events = st.lists(events, max_size=6)
wanted_turns = st.builds(
    wire.WantedTurn,
    table_id=st.integers(0, 2**32 - 1),
    turn_id=st.integers(0, 2**64 - 1),
    kind=st.sampled_from(TurnKind),
    may_surrender=st.booleans(),
    hand=cards,
    events=encoded_events.map(lambda each: [wire.encode_event(event) for event in each]),
    fallback=actions,
    move_limit_ms=st.integers(0, 2**32 - 1),
    bank_ms=st.none() | st.integers(0, 2**32 - 1),
)


@pytest.mark.parametrize(
    ("here", "there", "prefix"),
    [
        (Card, cards_pb2.Card, "CARD_"),
        (Trump, cards_pb2.Trump, "TRUMP_"),
        (TurnKind, bot_service_pb2.TurnKind, "TURN_KIND_"),
        (FaultCause, faults_pb2.FaultCause, "FAULT_CAUSE_"),
        (Reason, faults_pb2.ViolationReason, "VIOLATION_REASON_"),
        (Phase, faults_pb2.Phase, "PHASE_"),
        (PassOut, record_pb2.PassOut, "PASS_OUT_"),
        (DecidedBy, record_pb2.DecidedBy, "DECIDED_BY_"),
    ],
)
def test_enums_have_the_names_and_numbers_of_the_schema(here, there, prefix):
    named = {prefix + member.name: member.value for member in here}
    assert {**named, f"{prefix}UNSPECIFIED": 0} == dict(there.items())


@given(cards)
def test_cards_round_trip(held):
    assert wire.cards_from_wire(wire.cards_to_wire(held)) == held


@pytest.mark.parametrize("byte", [0, 55, 255])
def test_a_byte_that_is_no_card_is_refused(byte):
    with pytest.raises(WireError, match=f"no card has the number {byte}"):
        wire.cards_from_wire(bytes([1, byte]))


@given(actions)
def test_actions_round_trip(action):
    message = bot_service_pb2.Action.FromString(wire.action_to_wire(action).SerializeToString())
    assert wire.action_from_wire(message, Bid(7)) == action


@pytest.mark.parametrize(
    ("action", "message"),
    [
        (Bid(80), bot_service_pb2.Action(bid=80)),
        (Bid(0), bot_service_pb2.Action(bid=0)),
        (NameTrump(Trump.NONE), bot_service_pb2.Action(trump=cards_pb2.TRUMP_NONE)),
        (Bury(parse_cards("SA SA")), bot_service_pb2.Action(bury=b"\1\1")),
        (Play(parse_cards("BJ")), bot_service_pb2.Action(play=b"\x35")),
        (Play(()), bot_service_pb2.Action(play=b"")),
        (Surrender(), bot_service_pb2.Action(surrender=True)),
    ],
)
def test_actions_are_written_as_the_generated_code_would(action, message):
    assert wire.encode_action(action) == message.SerializeToString()


def test_use_fallback_is_the_fallback():
    assert wire.action_from_wire(bot_service_pb2.Action(use_fallback=True), Bid(95)) == Bid(95)


@pytest.mark.parametrize(
    "message",
    [
        bot_service_pb2.Action(),
        bot_service_pb2.Action(play=b"\x63"),
        bot_service_pb2.Action(trump=cards_pb2.TRUMP_UNSPECIFIED),
        bot_service_pb2.Action.FromString(b"\x18\x09"),
    ],
)
def test_an_action_that_cannot_be_read_is_refused(message):
    with pytest.raises(WireError):
        wire.action_from_wire(message, Bid(None))


@given(events)
def test_events_round_trip(event):
    message = events_pb2.TableEvent.FromString(wire.event_to_wire(event).SerializeToString())
    assert wire.event_from_wire(message) == event


def test_an_empty_event_is_refused():
    with pytest.raises(WireError):
        wire.event_from_wire(events_pb2.TableEvent())


@given(faults)
def test_faults_round_trip(fault):
    message = faults_pb2.Fault.FromString(wire.fault_to_wire(fault).SerializeToString())
    assert wire.fault_from_wire(message) == fault


def test_unknown_causes_and_reasons_are_refused():
    with pytest.raises(WireError):
        wire.cause_from_wire(0)
    with pytest.raises(WireError):
        wire.cause_from_wire(99)
    with pytest.raises(WireError):
        wire.reason_from_wire(99)
    assert wire.reason_from_wire(0) is None
    assert wire.reason_to_wire(None) == 0


@given(records)
def test_records_round_trip(record):
    message = record_pb2.Record.FromString(wire.record_to_wire(record).SerializeToString())
    back = wire.record_from_wire(message)
    assert back == record
    assert back.to_json() == record.to_json()


def test_every_field_of_a_record_is_on_the_wire():
    assert {field.name for field in fields(Record)} == {
        field.name for field in record_pb2.Record.DESCRIPTOR.fields
    }


def test_a_record_with_unknown_enums_is_refused():
    with pytest.raises(WireError):
        wire.record_from_wire(record_pb2.Record())
    decisions = [record_pb2.DecisionTime(seat=1)]
    with pytest.raises(WireError):
        wire.record_from_wire(record_pb2.Record(pass_out=record_pb2.PASS_OUT_ZERO, decisions=decisions))


@given(records)
def test_a_joined_record_is_the_message_of_the_generated_code(record):
    times = [wire.encode_time(each.seat, each.ms / 1000, each.by) for each in record.decisions]
    joined = wire.encode_record(record, b"".join(times))
    assert record_pb2.Record.FromString(joined) == wire.record_to_wire(record)


@given(st.lists(st.tuples(wanted_turns, encoded_events), max_size=4))
def test_joined_turns_are_the_messages_of_the_generated_code(wanted):
    turns = []
    for turn, history in wanted:
        turn = wire.WantedTurn(
            turn.table_id, turn.turn_id, turn.kind, turn.may_surrender, turn.hand,
            [wire.encode_event(event) for event in history], turn.fallback, turn.move_limit_ms, turn.bank_ms,
        )  # fmt: skip
        message = bot_service_pb2.Turn(
            table_id=turn.table_id,
            turn_id=turn.turn_id,
            kind=bot_service_pb2.TurnKind.ValueType(turn.kind.value),
            may_surrender=turn.may_surrender,
            hand=wire.cards_to_wire(turn.hand),
            events=[wire.event_to_wire(event) for event in history],
            fallback=wire.action_to_wire(turn.fallback),
            move_limit_ms=turn.move_limit_ms,
            bank_ms=turn.bank_ms,
        )
        turns.append((wire.encode_turn(turn), message))
    joined = wire.encode_turns([encoded for encoded, _ in turns])
    expected = bot_service_pb2.Turns(turns=[message for _, message in turns])
    assert bot_service_pb2.PlayResponse.FromString(joined) == bot_service_pb2.PlayResponse(turns=expected)


@given(st.lists(st.tuples(st.integers(0, 2**32 - 1), encoded_events), max_size=3))
def test_joined_table_ends_are_the_messages_of_the_generated_code(ends):
    joined = wire.encode_tables_over(
        [
            wire.encode_table_over(table, [wire.encode_event(event) for event in history])
            for table, history in ends
        ]
    )
    over = bot_service_pb2.TablesOver(
        tables=[
            bot_service_pb2.TableOver(table_id=table, events=[wire.event_to_wire(event) for event in history])
            for table, history in ends
        ]
    )
    assert bot_service_pb2.PlayResponse.FromString(joined) == bot_service_pb2.PlayResponse(tables_over=over)


@given(st.lists(st.tuples(st.integers(0, 2**64 - 1), actions), max_size=4))
def test_joined_decisions_are_the_messages_of_the_generated_code(decided):
    joined = wire.encode_decisions([wire.encode_decision(turn_id, action) for turn_id, action in decided])
    decisions = bot_service_pb2.Decisions(
        decisions=[
            bot_service_pb2.Decision(turn_id=turn_id, action=wire.action_to_wire(action))
            for turn_id, action in decided
        ]
    )
    assert bot_service_pb2.PlayRequest.FromString(joined) == bot_service_pb2.PlayRequest(decisions=decisions)


def test_an_illegal_action_is_rejected_with_its_reason_and_the_cards_owed():
    violation = RuleViolation(Reason.PAIR_OWED, "a pair of hearts is owed", parse_cards("H5 H5"), "R-61")
    assert wire.illegal_to_wire(17, violation) == bot_service_pb2.Rejection(
        turn_id=17,
        cause=faults_pb2.FAULT_CAUSE_ILLEGAL,
        reason=faults_pb2.VIOLATION_REASON_PAIR_OWED,
        detail="a pair of hearts is owed",
        owed=b"\x17\x17",
    )
