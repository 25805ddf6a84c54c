"""Offences against the rules.

`RuleViolation` is the one exception that an action can meet.
"""

from __future__ import annotations

from enum import Enum

from erqiwang.rules.card import Card, format_cards


class Reason(Enum):
    """Which rule an illegal action broke; the numbers are those of the wire."""

    WRONG_PHASE = 1
    OUT_OF_TURN = 2
    ALREADY_PASSED = 3
    BID_OUT_OF_RANGE = 4
    BID_TOO_HIGH = 5
    NO_TRUMP_NOT_ALLOWED = 6
    SURRENDER_NOT_ALLOWED = 7
    WRONG_COUNT = 8
    CARDS_NOT_HELD = 9
    MIXED_SUIT_LEAD = 10
    SIDE_SUIT_THROW = 11
    THROW_NOT_ALLOWED = 12
    SUIT_NOT_EXHAUSTED = 13
    PAIR_OWED = 14
    TRACTOR_OWED = 15


class RuleViolation(Exception):
    """An action that the rules refuse; nothing has changed (R-74).

    `detail` lets a bot's author mend the bot, `owed` holds cards that would have been legal where the rule
    names any, `ruling` is the clause of the rule book.
    """

    def __init__(self, reason: Reason, detail: str, owed: tuple[Card, ...] = (), ruling: str = "") -> None:
        super().__init__(reason, detail, owed, ruling)
        self.reason = reason
        self.detail = detail
        self.owed = owed
        self.ruling = ruling

    def __str__(self) -> str:
        owed = f": {format_cards(self.owed)}" if self.owed else ""
        ruling = f" ({self.ruling})" if self.ruling else ""
        return f"{self.reason.name.lower()}: {self.detail}{owed}{ruling}"
