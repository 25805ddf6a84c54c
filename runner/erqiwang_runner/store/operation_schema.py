"""The tables of running a platform: what is told to others, what is thrown away, and how much is kept."""

from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    Text,
    true,
)

from erqiwang_runner.store.metadata import metadata

webhooks: Final = Table(
    "webhooks",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("url", Text, nullable=False),
    Column("secret_name", String(64), nullable=False),
    Column("added_at", Float, nullable=False),
)

deliveries: Final = Table(
    "deliveries",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("webhook_id", Integer, ForeignKey("webhooks.id"), nullable=False, index=True),
    Column("event_id", String(32), nullable=False),
    Column("kind", String(32), nullable=False),
    Column("body", Text, nullable=False),
    Column("state", String(16), nullable=False),
    Column("tries", Integer, nullable=False),
    Column("due_at", Float, nullable=False),
    Column("error", Text, nullable=False),
    Column("happened_at", Float, nullable=False),
    Column("ended_at", Float),
    Index(None, "state", "due_at"),
)

retention: Final = Table(
    "retention",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("log_days", Float),
    Column("record_days", Float),
    Column("max_bytes", BigInteger),
    Column("ran_at", Float),
    Column("error", Text, nullable=False),
)

prunings: Final = Table(
    "prunings",
    metadata,
    Column("tournament_id", Integer, ForeignKey("tournaments.id"), primary_key=True, autoincrement=False),
    Column("records", Integer, nullable=False),
    Column("logs", Integer, nullable=False),
    Column("bytes", BigInteger, nullable=False),
    Column("pruned_at", Float, nullable=False),
    Column("has_records", Boolean, nullable=False, server_default=true()),
)

usages: Final = Table(
    "usages",
    metadata,
    Column("kind", String(16), primary_key=True),
    Column("items", BigInteger, nullable=False),
    Column("bytes", BigInteger, nullable=False),
    Column("measured_at", Float, nullable=False),
)
