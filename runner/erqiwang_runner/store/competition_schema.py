"""The tables of competitions: where each is, what was submitted, and which tournaments belong to it."""

from typing import Final

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    Text,
    UniqueConstraint,
)

from erqiwang_runner.store.metadata import metadata

competitions: Final = Table(
    "competitions",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String(64), nullable=False, unique=True),
    Column("source", Text, nullable=False),
    Column("times", JSON, nullable=False),
    Column("phase", String(16), nullable=False),
    Column("stage", Integer, nullable=False),
    Column("is_hidden", Boolean, nullable=False),
    Column("public_boards", Integer, nullable=False),
    Column("problem", Text),
    Column("created_at", Float, nullable=False),
)

competition_steps: Final = Table(
    "competition_steps",
    metadata,
    Column("competition_id", Integer, ForeignKey("competitions.id"), primary_key=True),
    Column("phase", String(16), primary_key=True),
    Column("stage", Integer, primary_key=True, autoincrement=False),
    Column("begun_at", Float, nullable=False),
    Column("note", Text, nullable=False),
)

submissions: Final = Table(
    "submissions",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("competition_id", Integer, ForeignKey("competitions.id"), nullable=False),
    Column("author", String(64), nullable=False),
    Column("contestant_id", Integer, ForeignKey("contestants.id"), nullable=False),
    Column("options", JSON, nullable=False),
    Column("state", String(16), nullable=False),
    Column("reason", Text, nullable=False),
    Column("tries", Integer, nullable=False),
    Column("submitted_at", Float, nullable=False),
    Column("decided_at", Float),
    Index(None, "competition_id", "state"),
)

competition_tournaments: Final = Table(
    "competition_tournaments",
    metadata,
    Column("tournament_id", Integer, ForeignKey("tournaments.id"), primary_key=True, autoincrement=False),
    Column("competition_id", Integer, ForeignKey("competitions.id"), nullable=False),
    Column("phase", String(16), nullable=False),
    Column("stage", Integer, nullable=False),
    Column("submission_id", Integer, ForeignKey("submissions.id")),
    UniqueConstraint("submission_id", "stage"),
    Index(None, "competition_id", "phase", "stage"),
)
