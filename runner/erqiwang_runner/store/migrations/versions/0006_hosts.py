"""What is known of hosts: their version, and those that are quarantined."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "installation",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("package_version", sa.String(64), nullable=False),
        sa.Column("rules_version", sa.String(16), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_installation"),
    )
    op.create_table(
        "looks",
        sa.Column("attempt_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint("attempt_id", name="pk_looks"),
    )
    op.create_table(
        "quarantines",
        sa.Column("host", sa.String(255), nullable=False),
        sa.Column("until", sa.Float(), nullable=False),
        sa.Column("times", sa.Integer(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("host", name="pk_quarantines"),
    )
