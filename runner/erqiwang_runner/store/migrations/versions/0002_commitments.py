"""Committed deals."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "commitments",
        sa.Column("tournament_id", sa.Integer(), nullable=False),
        sa.Column("manifest", sa.Text(), nullable=False),
        sa.Column("commitment", sa.String(length=64), nullable=False),
        sa.Column("entropy_source", sa.Text(), nullable=True),
        sa.Column("entropy", sa.Text(), nullable=True),
        sa.Column("secret", sa.String(length=64), nullable=True),
        sa.Column("committed_at", sa.Float(), nullable=False),
        sa.Column("entropy_at", sa.Float(), nullable=True),
        sa.Column("revealed_at", sa.Float(), nullable=True),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.id"], name=op.f("fk_commitments_tournament_id_tournaments")
        ),
        sa.PrimaryKeyConstraint("tournament_id", name=op.f("pk_commitments")),
    )
