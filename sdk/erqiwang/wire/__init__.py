"""The only translation between the values of the rule book and the messages of `erqiwang.v1`, both ways.

Conversions are named `x_to_wire` and `x_from_wire` and lose nothing; what cannot be read raises `WireError`,
never a guess. `encode_x` gives the bytes of a message where a referee or a bot writes it many times a second
(see `erqiwang.wire.turns` for how a referee joins them).
"""

from erqiwang.wire.actions import action_from_wire, action_to_wire, encode_action
from erqiwang.wire.cards import cards_from_wire, cards_to_wire, trump_from_wire, trump_to_wire
from erqiwang.wire.events import encode_event, event_from_wire, event_to_wire
from erqiwang.wire.faults import (
    cause_from_wire,
    cause_to_wire,
    fault_from_wire,
    fault_to_wire,
    illegal_to_wire,
    reason_from_wire,
    reason_to_wire,
    rejection_to_wire,
)
from erqiwang.wire.profiles import profile_from_wire, profile_to_wire, told_profile
from erqiwang.wire.records import encode_record, encode_time, record_from_wire, record_to_wire
from erqiwang.wire.turns import (
    WantedTurn,
    encode_decision,
    encode_decisions,
    encode_table_over,
    encode_tables_over,
    encode_turn,
    encode_turn_head,
    encode_turn_kind,
    encode_turn_tail,
    encode_turns,
    join_turn,
)

__all__ = [
    "WantedTurn",
    "action_from_wire",
    "action_to_wire",
    "cards_from_wire",
    "cards_to_wire",
    "cause_from_wire",
    "cause_to_wire",
    "encode_action",
    "encode_decision",
    "encode_decisions",
    "encode_event",
    "encode_record",
    "encode_table_over",
    "encode_tables_over",
    "encode_time",
    "encode_turn",
    "encode_turn_head",
    "encode_turn_kind",
    "encode_turn_tail",
    "encode_turns",
    "event_from_wire",
    "event_to_wire",
    "fault_from_wire",
    "fault_to_wire",
    "illegal_to_wire",
    "join_turn",
    "profile_from_wire",
    "profile_to_wire",
    "reason_from_wire",
    "reason_to_wire",
    "record_from_wire",
    "record_to_wire",
    "rejection_to_wire",
    "told_profile",
    "trump_from_wire",
    "trump_to_wire",
]
