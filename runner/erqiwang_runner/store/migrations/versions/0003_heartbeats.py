"""Workers say that they live."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Apply."""
    with op.batch_alter_table("matches") as matches:
        matches.add_column(sa.Column("heartbeat_at", sa.Float()))
