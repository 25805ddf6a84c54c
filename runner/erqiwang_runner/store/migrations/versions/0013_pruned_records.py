"""Whether a pruned tournament has any records left, so that nobody looks for them again."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Apply."""
    op.add_column(
        "prunings", sa.Column("has_records", sa.Boolean(), nullable=False, server_default=sa.true())
    )
