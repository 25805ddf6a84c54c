"""Bots are kept with their files, and what their players write."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Apply."""
    with op.batch_alter_table("contestants") as contestants:
        contestants.add_column(sa.Column("traits", sa.JSON(), nullable=False, server_default="{}"))
        contestants.add_column(sa.Column("retired_at", sa.Float()))
    op.create_table(
        "artefacts",
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("archive", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("digest", name="pk_artefacts"),
    )
    op.create_table(
        "player_logs",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("contestant_id", sa.Integer(), nullable=False),
        sa.Column("attempt_id", sa.Integer(), nullable=False),
        sa.Column("entry", sa.Integer(), nullable=False),
        sa.Column("table_no", sa.Integer(), nullable=False),
        sa.Column("column_no", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("stored_at", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["attempt_id"], ["attempts.id"], name="fk_player_logs_attempt_id_attempts"),
        sa.ForeignKeyConstraint(
            ["contestant_id"], ["contestants.id"], name="fk_player_logs_contestant_id_contestants"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_player_logs"),
    )
    op.create_index("ix_player_logs_contestant_id", "player_logs", ["contestant_id"])
