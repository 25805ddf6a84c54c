"""Competitions: phases, submissions and their tournaments."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "competitions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("times", sa.JSON(), nullable=False),
        sa.Column("phase", sa.String(16), nullable=False),
        sa.Column("stage", sa.Integer(), nullable=False),
        sa.Column("is_hidden", sa.Boolean(), nullable=False),
        sa.Column("public_boards", sa.Integer(), nullable=False),
        sa.Column("problem", sa.Text()),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_competitions"),
        sa.UniqueConstraint("name", name="uq_competitions_name"),
    )
    op.create_table(
        "competition_steps",
        sa.Column("competition_id", sa.Integer(), nullable=False),
        sa.Column("phase", sa.String(16), nullable=False),
        sa.Column("stage", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("begun_at", sa.Float(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["competition_id"], ["competitions.id"], name="fk_competition_steps_competition_id"
        ),
        sa.PrimaryKeyConstraint("competition_id", "phase", "stage", name="pk_competition_steps"),
    )
    op.create_table(
        "submissions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("competition_id", sa.Integer(), nullable=False),
        sa.Column("author", sa.String(64), nullable=False),
        sa.Column("contestant_id", sa.Integer(), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("submitted_at", sa.Float(), nullable=False),
        sa.Column("decided_at", sa.Float()),
        sa.ForeignKeyConstraint(
            ["competition_id"], ["competitions.id"], name="fk_submissions_competition_id"
        ),
        sa.ForeignKeyConstraint(["contestant_id"], ["contestants.id"], name="fk_submissions_contestant_id"),
        sa.PrimaryKeyConstraint("id", name="pk_submissions"),
    )
    op.create_index("ix_submissions_competition_id_state", "submissions", ["competition_id", "state"])
    op.create_table(
        "competition_tournaments",
        sa.Column("tournament_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("competition_id", sa.Integer(), nullable=False),
        sa.Column("phase", sa.String(16), nullable=False),
        sa.Column("stage", sa.Integer(), nullable=False),
        sa.Column("submission_id", sa.Integer()),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.id"], name="fk_competition_tournaments_tournament_id"
        ),
        sa.ForeignKeyConstraint(
            ["competition_id"], ["competitions.id"], name="fk_competition_tournaments_competition_id"
        ),
        sa.ForeignKeyConstraint(
            ["submission_id"], ["submissions.id"], name="fk_competition_tournaments_submission_id"
        ),
        sa.PrimaryKeyConstraint("tournament_id", name="pk_competition_tournaments"),
        sa.UniqueConstraint("submission_id", "stage", name="uq_competition_tournaments_submission_id_stage"),
    )
    op.create_index(
        "ix_competition_tournaments_competition_id_phase_stage",
        "competition_tournaments",
        ["competition_id", "phase", "stage"],
    )
