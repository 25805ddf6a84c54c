"""Webhooks with their outbox, retention, and how much of what is kept."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "webhooks",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("secret_name", sa.String(64), nullable=False),
        sa.Column("added_at", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_webhooks"),
    )
    op.create_table(
        "deliveries",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("webhook_id", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.String(32), nullable=False),
        sa.Column("kind", sa.String(32), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("due_at", sa.Float(), nullable=False),
        sa.Column("error", sa.Text(), nullable=False),
        sa.Column("happened_at", sa.Float(), nullable=False),
        sa.Column("ended_at", sa.Float()),
        sa.ForeignKeyConstraint(["webhook_id"], ["webhooks.id"], name="fk_deliveries_webhook_id"),
        sa.PrimaryKeyConstraint("id", name="pk_deliveries"),
    )
    op.create_index("ix_deliveries_webhook_id", "deliveries", ["webhook_id"])
    op.create_index("ix_deliveries_state_due_at", "deliveries", ["state", "due_at"])
    op.create_table(
        "retention",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("log_days", sa.Float()),
        sa.Column("record_days", sa.Float()),
        sa.Column("max_bytes", sa.BigInteger()),
        sa.Column("ran_at", sa.Float()),
        sa.Column("error", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_retention"),
    )
    op.create_table(
        "prunings",
        sa.Column("tournament_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("records", sa.Integer(), nullable=False),
        sa.Column("logs", sa.Integer(), nullable=False),
        sa.Column("bytes", sa.BigInteger(), nullable=False),
        sa.Column("pruned_at", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["tournament_id"], ["tournaments.id"], name="fk_prunings_tournament_id"),
        sa.PrimaryKeyConstraint("tournament_id", name="pk_prunings"),
    )
    op.create_table(
        "usages",
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("items", sa.BigInteger(), nullable=False),
        sa.Column("bytes", sa.BigInteger(), nullable=False),
        sa.Column("measured_at", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("kind", name="pk_usages"),
    )
