"""Events: what happened, written to the outbox of every webhook in the transaction in which it happened."""

from __future__ import annotations

import json
import secrets
import time
from datetime import UTC, datetime
from enum import Enum

from sqlalchemy import Connection, insert, select

from erqiwang_runner.store import schema

WAITING = "waiting"
"""The state of what is not delivered yet."""


class EventKind(Enum):
    """What may happen; the words are the published contract."""

    COMPETITION_ANNOUNCED = "competition.announced"
    COMPETITION_PHASE = "competition.phase"
    COMPETITION_PROBLEM = "competition.problem"
    SUBMISSION_RECEIVED = "submission.received"
    SUBMISSION_DECIDED = "submission.decided"
    TOURNAMENT_STARTED = "tournament.started"
    TOURNAMENT_PAUSED = "tournament.paused"
    TOURNAMENT_FINISHED = "tournament.finished"
    TOURNAMENT_CANCELLED = "tournament.cancelled"
    BOARDS_GIVEN_UP = "boards.given_up"
    BOT_SUSPENDED = "bot.suspended"
    HOST_QUARANTINED = "host.quarantined"
    HOST_RELEASED = "host.released"
    TEST_DECIDED = "test.decided"
    WEBHOOK_TEST = "webhook.test"


def emit(connection: Connection, kind: EventKind, **data: str | int | None) -> None:
    """Tell every webhook of an event; without one it costs a look and nothing is kept.

    `data` are names, numbers and reasons: nothing that a competition hides, and no secret.
    """
    hooks = connection.scalars(select(schema.webhooks.c.id)).all()
    if not hooks:
        return
    now = time.time()
    event_id, body = body_of(kind, now, **data)
    connection.execute(
        insert(schema.deliveries),
        [
            {
                "webhook_id": hook,
                "event_id": event_id,
                "kind": kind.value,
                "body": body,
                "state": WAITING,
                "tries": 0,
                "due_at": now,
                "error": "",
                "happened_at": now,
            }
            for hook in hooks
        ],
    )


def body_of(kind: EventKind, now: float, **data: str | int | None) -> tuple[str, str]:
    """Give the id and the JSON text of an event."""
    event_id = secrets.token_hex(16)
    at = datetime.fromtimestamp(now, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return event_id, json.dumps(
        {"id": event_id, "kind": kind.value, "at": at, "data": data}, ensure_ascii=False, sort_keys=True
    )
