"""Tournaments of house profiles, and tournaments that a public referee plays."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Apply."""
    op.add_column("tournaments", sa.Column("definition", sa.JSON()))
    op.add_column("tournaments", sa.Column("referee", sa.Text(), nullable=False, server_default=""))
    op.add_column("tournaments", sa.Column("trouble", sa.Text()))
    with op.batch_alter_table("tournaments") as tournaments:
        tournaments.alter_column("profile", type_=sa.String(64), existing_nullable=False)
