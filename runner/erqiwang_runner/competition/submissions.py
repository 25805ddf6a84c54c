"""What becomes of submissions: pure decisions about rows that the store keeps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

TRIES: Final = 3
"""Validations that the platform may fail before a submission is out for it."""


class SubmissionState(Enum):
    """Where a submission is."""

    VALIDATING = "validating"
    """It plays against house bots."""
    VALID = "valid"
    """It takes part, unless its author sends a better one."""
    INVALID = "invalid"
    """It is out, and the reason stands beside it."""
    SUPERSEDED = "superseded"
    """A later one of its author took its place."""
    WITHDRAWN = "withdrawn"
    """Its author took it back."""


ACTIVE: Final = (SubmissionState.VALIDATING, SubmissionState.VALID)
"""What may still take part."""


@dataclass(frozen=True, slots=True)
class Tried:
    """What a validation tournament that has ended says of the bot that was tried.

    `board_sets` were played, the bot forfeited `forfeits` tables, `fault` tells its latest fault and
    `given_up` why boards were not played, each "" if there is nothing to tell.
    """

    board_sets: int
    forfeits: int
    fault: str = ""
    given_up: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What follows; `state` VALIDATING means that the validation is played again."""

    state: SubmissionState
    reason: str = ""


def judge(tried: Tried, tries: int) -> Verdict:
    """Judge a bot by its validation, the `tries`-th one.

    Out is whoever forfeited a table. Boards that the platform gave up say nothing about the bot, so without
    any other the validation is played again, `TRIES` times at most.

    >>> judge(Tried(3, 1, "crashed: exit code 1"), 1).reason
    'crashed: exit code 1'
    """
    if tried.forfeits:
        return Verdict(SubmissionState.INVALID, tried.fault or f"it forfeited {tried.forfeits} tables")
    if tried.board_sets:
        return Verdict(SubmissionState.VALID)
    why = tried.given_up or "its validation was cancelled"
    if tries < TRIES:
        return Verdict(SubmissionState.VALIDATING, why)
    return Verdict(SubmissionState.INVALID, f"no board could be played with it in {tries} validations: {why}")


def displaced(states: Sequence[SubmissionState], active: int) -> tuple[int, ...]:
    """Give the positions of an author's submissions, oldest first, that later ones displace.

    `active` of them may be valid, and as many may wait for their validation: one that is still validated
    displaces none that is valid, or a bot that fails would cost its author the place of the one before.

    >>> S = SubmissionState
    >>> displaced([S.VALID, S.VALIDATING, S.VALIDATING], 1)
    (1,)
    >>> displaced([S.VALID, S.INVALID, S.VALID], 1)
    (0,)
    """
    out: list[int] = []
    for state in ACTIVE:
        alike = [number for number, each in enumerate(states) if each is state]
        out += alike[: max(0, len(alike) - active)]
    return tuple(sorted(out))
