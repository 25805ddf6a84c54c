"""How a player is received: which versions are served, and what it is told when its session opens."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from erqiwang.rules import RULES_VERSION, is_house
from erqiwang.v1 import bot_service_pb2
from erqiwang.wire import profile_to_wire
from erqiwang_referee.plan import MatchPlan
from erqiwang_referee.player import Terms
from erqiwang_referee.tokens import KnownToken

PROTOCOL_VERSION = 1
_CLIENT_MAX = 64


@dataclass(frozen=True, slots=True)
class Pass:
    """Who a remote bot is, and what it asked for when it came; holds for each of its matches."""

    token: KnownToken
    max_tables: int
    full_history: bool
    client: str

    @classmethod
    def of(cls, token: KnownToken, join: bot_service_pb2.Join) -> Pass:
        """Take what a join says."""
        return cls(token, join.max_tables, join.full_history, client_text(join))


def version_refusal(join: bot_service_pb2.Join) -> str | None:
    """Say why a player of these versions cannot be served, None if it can."""
    if join.protocol_version != PROTOCOL_VERSION:
        return (
            f"protocol version {join.protocol_version} is not served; this referee speaks {PROTOCOL_VERSION}"
        )
    major = RULES_VERSION.partition(".")[0]
    if join.rules_version and join.rules_version.partition(".")[0] != major:
        return f"rules version {join.rules_version} is not served; this referee plays {RULES_VERSION}"
    return None


def client_text(join: bot_service_pb2.Join) -> str:
    """Give what a player says of its library, fit for a log."""
    return "".join(letter for letter in join.client[:_CLIENT_MAX] if letter.isprintable())


def joined(plan: MatchPlan, terms: Terms, resume_token: str) -> bot_service_pb2.Joined:
    """Make the message that opens a session, with a new identity."""
    return bot_service_pb2.Joined(
        session_id=secrets.token_hex(8),
        resume_token=resume_token,
        profile=plan.profile.slug,
        switches=plan.switches,
        rules_version=RULES_VERSION,
        move_limit_ms=plan.clock.move_limit_ms,
        max_tables=terms.max_tables,
        definition=profile_to_wire(plan.profile) if is_house(plan.profile) else None,
    )
