"""Priorities, and tournaments that are regression tests."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0006"


def upgrade() -> None:
    """Apply."""
    op.add_column("tournaments", sa.Column("priority", sa.Integer(), nullable=False, server_default="0"))
    op.create_table(
        "regression_tests",
        sa.Column("tournament_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("question", sa.String(16), nullable=False),
        sa.Column("delta", sa.Float(), nullable=False),
        sa.Column("max_sets", sa.Integer(), nullable=False),
        sa.Column("new", sa.Text(), nullable=False),
        sa.Column("old", sa.Text(), nullable=False),
        sa.Column("command", sa.Text(), nullable=False),
        sa.Column("judged", sa.Integer(), nullable=False),
        sa.Column("decided_by", sa.Integer()),
        sa.Column("report", sa.JSON()),
        sa.ForeignKeyConstraint(
            ["tournament_id"],
            ["tournaments.id"],
            name="fk_regression_tests_tournament_id_tournaments",
        ),
        sa.PrimaryKeyConstraint("tournament_id", name="pk_regression_tests"),
    )
    op.create_index("ix_regression_tests_key", "regression_tests", ["key"])
