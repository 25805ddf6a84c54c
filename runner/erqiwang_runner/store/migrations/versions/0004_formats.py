"""Formats with rounds, house bots and suspensions, claims of measured size."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

_POSITION = (
    "UPDATE slots SET position = group_no + n * (SELECT count(*) FROM groups "
    "WHERE groups.tournament_id = slots.tournament_id)"
)
_SEATED = (
    "UPDATE matches SET entries = (SELECT groups.entries FROM groups "
    "WHERE groups.tournament_id = matches.tournament_id AND groups.epoch = matches.epoch "
    "AND groups.group_no = matches.group_no)"
)
_ROUNDS = (
    "UPDATE tournaments SET lap = boards_per_match, group_count = "
    "(SELECT count(*) FROM groups WHERE groups.tournament_id = tournaments.id)"
)
_SLOT = ["tournament_id", "epoch", "group_no", "first_n"]


def upgrade() -> None:
    """Apply."""
    with op.batch_alter_table("tournaments") as tournaments:
        tournaments.add_column(
            sa.Column("format", sa.String(16), nullable=False, server_default="round-robin")
        )
        tournaments.add_column(sa.Column("parameters", sa.JSON(), nullable=False, server_default="{}"))
        tournaments.add_column(sa.Column("rounds", sa.JSON(), nullable=False, server_default="[]"))
        tournaments.add_column(sa.Column("group_count", sa.Integer(), nullable=False, server_default="0"))
        tournaments.add_column(sa.Column("lap", sa.Integer(), nullable=False, server_default="1"))
        tournaments.add_column(sa.Column("round_look_back", sa.Integer(), nullable=False, server_default="0"))
        tournaments.add_column(sa.Column("settled", sa.Integer(), nullable=False, server_default="0"))
        tournaments.alter_column("planned_matches", new_column_name="planned_stints")
        tournaments.drop_column("next_deal_index")
    op.execute(_ROUNDS)
    with op.batch_alter_table("matches") as matches:
        matches.add_column(sa.Column("generation", sa.Integer(), nullable=False, server_default="0"))
        matches.add_column(sa.Column("entries", sa.JSON(), nullable=False, server_default="[]"))
        matches.drop_constraint(op.f("uq_matches_tournament_id_epoch_group_no_first_n"), type_="unique")
        matches.create_unique_constraint(
            op.f("uq_matches_tournament_id_epoch_group_no_first_n_generation"), [*_SLOT, "generation"]
        )
    op.execute(_SEATED)
    with op.batch_alter_table("slots") as slots:
        slots.add_column(sa.Column("position", sa.Integer(), nullable=False, server_default="0"))
        slots.create_index(op.f("ix_slots_tournament_id_position"), ["tournament_id", "position"])
    op.execute(_POSITION)
    with op.batch_alter_table("entries") as entries:
        entries.add_column(sa.Column("fault_count", sa.JSON(), nullable=True))
        entries.add_column(sa.Column("suspended_at", sa.Integer(), nullable=True))
