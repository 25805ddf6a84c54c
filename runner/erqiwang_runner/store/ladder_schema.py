"""The tables of ladders, and the notices to the authors of bots."""

from typing import Final

from sqlalchemy import JSON, Column, Float, ForeignKey, Integer, String, Table, Text, UniqueConstraint

from erqiwang_runner.store.metadata import metadata

ladders: Final = Table(
    "ladders",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String(64), nullable=False, unique=True),
    Column("state", String(16), nullable=False),
    Column("settings", JSON, nullable=False),
    Column("challenges", Integer, nullable=False),
    Column("created_at", Float, nullable=False),
    Column("closed_at", Float),
)

ladder_members: Final = Table(
    "ladder_members",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("ladder_id", Integer, ForeignKey("ladders.id"), nullable=False),
    Column("contestant_id", Integer, ForeignKey("contestants.id"), nullable=False),
    Column("role", String(16), nullable=False),
    Column("state", String(16), nullable=False),
    Column("reason", Text, nullable=False),
    Column("joined_at", Float, nullable=False),
    Column("deadline", Float, nullable=False),
    Column("tries", Integer, nullable=False),
    Column("validation_id", Integer, ForeignKey("tournaments.id")),
    UniqueConstraint("ladder_id", "contestant_id"),
)

ladder_chains: Final = Table(
    "ladder_chains",
    metadata,
    Column("ladder_id", Integer, ForeignKey("ladders.id"), primary_key=True),
    Column("first_epoch", Integer, primary_key=True, autoincrement=False),
    Column("length", Integer, nullable=False),
    Column("tip", String(64), nullable=False),
    Column("committed_at", Float, nullable=False),
)

ladder_epochs: Final = Table(
    "ladder_epochs",
    metadata,
    Column("ladder_id", Integer, ForeignKey("ladders.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("tournament_id", Integer, ForeignKey("tournaments.id"), nullable=False, unique=True),
    Column("opened_at", Float, nullable=False),
    Column("ends_at", Float),
    Column("drains_until", Float),
    Column("closed_at", Float),
)

ladder_ratings: Final = Table(
    "ladder_ratings",
    metadata,
    Column("ladder_id", Integer, ForeignKey("ladders.id"), primary_key=True),
    Column("epoch", Integer, primary_key=True, autoincrement=False),
    Column("member_id", Integer, ForeignKey("ladder_members.id"), primary_key=True, autoincrement=False),
    Column("place", Integer, nullable=False),
    Column("rating", Float, nullable=False),
    Column("error", Float),
    Column("boards", Integer, nullable=False),
    Column("points", Float, nullable=False),
)

notices: Final = Table(
    "notices",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("contestant_id", Integer, ForeignKey("contestants.id"), nullable=False, index=True),
    Column("text", Text, nullable=False),
    Column("written_at", Float, nullable=False),
)
