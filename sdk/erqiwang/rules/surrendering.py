"""When the declarer may give up (R-33, R-34)."""

from __future__ import annotations

from erqiwang.rules.contract import Contract
from erqiwang.rules.turn import Turn
from erqiwang.rules.violation import Reason, RuleViolation


def verify_surrender(contract: Contract, seat: int, turn: Turn) -> None:
    """Raise `RuleViolation` if a seat may not surrender at a turn after trump was named."""
    if seat != contract.declarer:
        raise RuleViolation(Reason.SURRENDER_NOT_ALLOWED, "only the declarer may surrender", ruling="R-33")
    if not contract.may_surrender:
        slug = contract.table.profile.slug
        detail = f"{slug} does not allow surrender at a bid of {contract.bid}"
        raise RuleViolation(Reason.SURRENDER_NOT_ALLOWED, detail, ruling="R-34")
    if not turn.may_surrender:
        detail = "surrender ends with the first lead"
        raise RuleViolation(Reason.SURRENDER_NOT_ALLOWED, detail, ruling="R-33")
