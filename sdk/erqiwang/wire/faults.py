"""Faults and broken rules, on the wire."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeVar

from erqiwang.errors import WireError
from erqiwang.rules import Card, Fault, FaultCause, FaultPoint, Phase, Reason, RuleViolation
from erqiwang.v1 import bot_service_pb2, faults_pb2
from erqiwang.wire.cards import cards_to_wire

_Value = TypeVar("_Value")

_CAUSES: dict[int, FaultCause] = {cause.value: cause for cause in FaultCause}
_REASONS: dict[int, Reason] = {reason.value: reason for reason in Reason}
_PHASES: dict[int, Phase] = {phase.value: phase for phase in Phase}


def cause_to_wire(cause: FaultCause) -> faults_pb2.FaultCause.ValueType:
    """Give the number of a cause."""
    return faults_pb2.FaultCause.ValueType(cause.value)


def cause_from_wire(number: int) -> FaultCause:
    """Give the cause of a number; raises `WireError` for an unknown one."""
    return _known(_CAUSES, number, "cause of a fault")


def reason_to_wire(reason: Reason | None) -> faults_pb2.ViolationReason.ValueType:
    """Give the number of a broken rule, 0 for none."""
    return faults_pb2.ViolationReason.ValueType(0 if reason is None else reason.value)


def reason_from_wire(number: int) -> Reason | None:
    """Give the broken rule of a number, None for 0; raises `WireError` for an unknown one."""
    return _known(_REASONS, number, "rule") if number else None


def fault_to_wire(fault: Fault) -> faults_pb2.Fault:
    """Build the message of a fault."""
    at = faults_pb2.FaultPoint(
        phase=faults_pb2.Phase.ValueType(fault.at.phase.value), trick=fault.at.trick, play=fault.at.play
    )
    return faults_pb2.Fault(
        seat=fault.seat,
        cause=cause_to_wire(fault.cause),
        reason=reason_to_wire(fault.reason),
        at=at,
        detail=fault.detail,
    )


def fault_from_wire(message: faults_pb2.Fault) -> Fault:
    """Read the fault of a message; raises `WireError` for an unknown cause, rule or phase."""
    phase = _known(_PHASES, message.at.phase, "phase")
    return Fault(
        seat=message.seat,
        cause=cause_from_wire(message.cause),
        reason=reason_from_wire(message.reason),
        at=FaultPoint(phase, message.at.trick, message.at.play),
        detail=message.detail,
    )


def rejection_to_wire(
    turn_id: int,
    cause: FaultCause,
    detail: str,
    *,
    reason: Reason | None = None,
    owed: Iterable[Card] = (),
) -> bot_service_pb2.Rejection:
    """Build the message that says why a decision was not applied."""
    return bot_service_pb2.Rejection(
        turn_id=turn_id,
        cause=cause_to_wire(cause),
        reason=reason_to_wire(reason),
        detail=detail,
        owed=cards_to_wire(owed),
    )


def illegal_to_wire(turn_id: int, violation: RuleViolation) -> bot_service_pb2.Rejection:
    """Build the rejection of an action that broke a rule."""
    return rejection_to_wire(
        turn_id, FaultCause.ILLEGAL, violation.detail, reason=violation.reason, owed=violation.owed
    )


def _known(values: Mapping[int, _Value], number: int, what: str) -> _Value:
    try:
        return values[number]
    except KeyError:
        raise WireError(f"no {what} has the number {number}") from None
