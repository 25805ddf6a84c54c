"""Ladders: their members, epochs, hash chains, ratings over time, and what bots are told."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Apply."""
    op.add_column("tournaments", sa.Column("rated", sa.Boolean(), nullable=False, server_default=sa.true()))
    op.create_table(
        "ladders",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.Column("challenges", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.Column("closed_at", sa.Float()),
        sa.PrimaryKeyConstraint("id", name="pk_ladders"),
        sa.UniqueConstraint("name", name="uq_ladders_name"),
    )
    op.create_table(
        "ladder_members",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("ladder_id", sa.Integer(), nullable=False),
        sa.Column("contestant_id", sa.Integer(), nullable=False),
        sa.Column("role", sa.String(16), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("joined_at", sa.Float(), nullable=False),
        sa.Column("deadline", sa.Float(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("validation_id", sa.Integer()),
        _reference("ladder_members", "ladder_id", "ladders"),
        _reference("ladder_members", "contestant_id", "contestants"),
        _reference("ladder_members", "validation_id", "tournaments"),
        sa.PrimaryKeyConstraint("id", name="pk_ladder_members"),
        sa.UniqueConstraint("ladder_id", "contestant_id", name="uq_ladder_members_ladder_id_contestant_id"),
    )
    op.create_table(
        "ladder_chains",
        sa.Column("ladder_id", sa.Integer(), nullable=False),
        sa.Column("first_epoch", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("length", sa.Integer(), nullable=False),
        sa.Column("tip", sa.String(64), nullable=False),
        sa.Column("committed_at", sa.Float(), nullable=False),
        _reference("ladder_chains", "ladder_id", "ladders"),
        sa.PrimaryKeyConstraint("ladder_id", "first_epoch", name="pk_ladder_chains"),
    )
    op.create_table(
        "ladder_epochs",
        sa.Column("ladder_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("tournament_id", sa.Integer(), nullable=False),
        sa.Column("opened_at", sa.Float(), nullable=False),
        sa.Column("ends_at", sa.Float()),
        sa.Column("drains_until", sa.Float()),
        sa.Column("closed_at", sa.Float()),
        _reference("ladder_epochs", "ladder_id", "ladders"),
        _reference("ladder_epochs", "tournament_id", "tournaments"),
        sa.PrimaryKeyConstraint("ladder_id", "number", name="pk_ladder_epochs"),
        sa.UniqueConstraint("tournament_id", name="uq_ladder_epochs_tournament_id"),
    )
    op.create_table(
        "ladder_ratings",
        sa.Column("ladder_id", sa.Integer(), nullable=False),
        sa.Column("epoch", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("member_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("rating", sa.Float(), nullable=False),
        sa.Column("error", sa.Float()),
        sa.Column("boards", sa.Integer(), nullable=False),
        sa.Column("points", sa.Float(), nullable=False),
        _reference("ladder_ratings", "ladder_id", "ladders"),
        _reference("ladder_ratings", "member_id", "ladder_members"),
        sa.PrimaryKeyConstraint("ladder_id", "epoch", "member_id", name="pk_ladder_ratings"),
    )
    op.create_table(
        "notices",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("contestant_id", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("written_at", sa.Float(), nullable=False),
        _reference("notices", "contestant_id", "contestants"),
        sa.PrimaryKeyConstraint("id", name="pk_notices"),
    )
    op.create_index("ix_notices_contestant_id", "notices", ["contestant_id"])


def _reference(table: str, column: str, other: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], [f"{other}.id"], name=f"fk_{table}_{column}_{other}")
