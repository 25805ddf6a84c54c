"""Rows of webhooks and of their outbox."""

from __future__ import annotations

import hashlib
import time
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

from sqlalchemy import Connection, Row, case, delete, func, insert, select, update

from erqiwang_runner.errors import UsageError
from erqiwang_runner.store import schema
from erqiwang_runner.webhook.address import parse_address

FIRST_WAIT_S: Final = 5.0
LONGEST_WAIT_S: Final = 3600.0
GIVE_UP_S: Final = 3 * 86_400.0
"""An event that did not arrive for so long is given up, which `erqi webhook list` and the metrics show."""

LEASE_S: Final = 120.0
"""Whoever sends an event keeps others from it for so long; much longer than a request takes."""

_KEPT_S: Final = 30 * 86_400.0
_AT_ONCE: Final = 50


class DeliveryState(Enum):
    """Where an event is on its way to a webhook."""

    WAITING = "waiting"
    DELIVERED = "delivered"
    FAILED = "failed"
    """Given up; the error stands beside it."""


@dataclass(frozen=True, slots=True)
class Webhook:
    """An address that events are sent to, with what became of them; `error` is the latest."""

    id: int
    url: str
    secret_name: str
    added_at: float
    delivered: int
    waiting: int
    failed: int
    error: str


@dataclass(frozen=True, slots=True)
class Delivery:
    """An event on its way; `due_at` is when it may be tried, and whose turn it is to try."""

    id: int
    webhook_id: int
    url: str
    secret_name: str
    event_id: str
    kind: str
    body: str
    tries: int
    due_at: float
    happened_at: float


def add(connection: Connection, url: str, secret_name: str) -> int:
    """Add a webhook; raises UsageError for an address that cannot be, or is there already."""
    parse_address(url)
    table = schema.webhooks
    if connection.scalar(select(table.c.id).filter_by(url=url)) is not None:
        raise UsageError(f"there is a webhook for {url} already")
    row = {"url": url, "secret_name": secret_name, "added_at": time.time()}
    key = connection.execute(insert(table).values(row)).inserted_primary_key
    assert key is not None
    return int(key[0])


def remove(connection: Connection, text: str) -> Webhook:
    """Remove a webhook by its number or address, and what was still to be sent; raises UsageError."""
    found = find(connection, text)
    connection.execute(delete(schema.deliveries).filter_by(webhook_id=found.id))
    connection.execute(delete(schema.webhooks).filter_by(id=found.id))
    return found


def find(connection: Connection, text: str) -> Webhook:
    """Look a webhook up by its number or address; raises UsageError."""
    for each in every(connection):
        if text in (str(each.id), each.url):
            return each
    raise UsageError(f"there is no webhook {text!r}; `erqi webhook list` shows them")


def every(connection: Connection) -> list[Webhook]:
    """List the webhooks, oldest first."""
    hooks, table = schema.webhooks, schema.deliveries
    counts = [
        func.sum(case((table.c.state == state.value, 1), else_=0)).label(state.value)
        for state in DeliveryState
    ]
    latest = (
        select(table.c.error)
        .where(table.c.webhook_id == hooks.c.id, table.c.error != "")
        .order_by(table.c.id.desc())
        .limit(1)
        .correlate(hooks)
        .scalar_subquery()
    )
    rows = connection.execute(
        select(hooks, latest.label("error"), *counts)
        .outerjoin(table, table.c.webhook_id == hooks.c.id)
        .group_by(*hooks.c)
        .order_by(hooks.c.id)
    )
    return [_webhook(row) for row in rows]


def due(connection: Connection, now: float) -> list[Delivery]:
    """List what may be sent now, in the order in which it happened."""
    table, hooks = schema.deliveries, schema.webhooks
    rows = connection.execute(
        select(table, hooks.c.url, hooks.c.secret_name)
        .join(hooks, hooks.c.id == table.c.webhook_id)
        .where(table.c.state == DeliveryState.WAITING.value, table.c.due_at <= now)
        .order_by(table.c.id)
        .limit(_AT_ONCE)
    )
    return [
        Delivery(
            id=row.id,
            webhook_id=row.webhook_id,
            url=row.url,
            secret_name=row.secret_name,
            event_id=row.event_id,
            kind=row.kind,
            body=row.body,
            tries=row.tries,
            due_at=row.due_at,
            happened_at=row.happened_at,
        )
        for row in rows
    ]


def claim(connection: Connection, delivery: Delivery, now: float) -> bool:
    """Keep others from sending it for a while; tells whether nobody else was faster."""
    return _move(connection, delivery, due_at=now + LEASE_S)


def delivered(connection: Connection, delivery: Delivery, now: float) -> None:
    """Note that an event arrived."""
    table = schema.deliveries
    connection.execute(
        update(table)
        .where(table.c.id == delivery.id)
        .values(state=DeliveryState.DELIVERED.value, tries=table.c.tries + 1, error="", ended_at=now)
    )


def failed(connection: Connection, delivery: Delivery, error: str, now: float) -> DeliveryState:
    """Note that an event did not arrive: it is tried again later, or given up after `GIVE_UP_S`."""
    table = schema.deliveries
    is_over = now - delivery.happened_at >= GIVE_UP_S
    state = DeliveryState.FAILED if is_over else DeliveryState.WAITING
    connection.execute(
        update(table)
        .where(table.c.id == delivery.id, table.c.state == DeliveryState.WAITING.value)
        .values(
            state=state.value,
            tries=delivery.tries + 1,
            due_at=now + wait_s(delivery.event_id, delivery.tries + 1),
            error=error,
            ended_at=now if is_over else None,
        )
    )
    return state


def wait_s(event_id: str, tries: int) -> float:
    """Give the wait after so many tries, in [½, 3/2] of 5, 10, 20, … s up to an hour.

    The jitter comes from the event and the try, so that a crowd of events does not come back together.
    """
    digest = hashlib.sha256(f"{event_id}/{tries}".encode()).digest()
    jitter = 0.5 + int.from_bytes(digest[:4], "big") / (1 << 32)
    return jitter * min(LONGEST_WAIT_S, FIRST_WAIT_S * 2.0 ** min(tries - 1, 20))


def forget(connection: Connection, now: float) -> int:
    """Throw away what was delivered or given up long ago; gives how many."""
    table = schema.deliveries
    gone = connection.execute(
        delete(table).where(table.c.state != DeliveryState.WAITING.value, table.c.ended_at < now - _KEPT_S)
    )
    return gone.rowcount


def counts(connection: Connection) -> dict[str, int]:
    """Count deliveries by state; every state is there."""
    table = schema.deliveries
    rows = connection.execute(select(table.c.state, func.count()).group_by(table.c.state))
    return {state.value: 0 for state in DeliveryState} | {row[0]: int(row[1]) for row in rows}


def _move(connection: Connection, delivery: Delivery, **values: object) -> bool:
    table = schema.deliveries
    moved = connection.execute(
        update(table)
        .where(
            table.c.id == delivery.id,
            table.c.due_at == delivery.due_at,
            table.c.state == DeliveryState.WAITING.value,
        )
        .values(values)
    )
    return moved.rowcount == 1


def _webhook(row: Row[Any]) -> Webhook:
    return Webhook(
        id=row.id,
        url=row.url,
        secret_name=row.secret_name,
        added_at=row.added_at,
        delivered=row.delivered or 0,
        waiting=row.waiting or 0,
        failed=row.failed or 0,
        error=row.error or "",
    )
