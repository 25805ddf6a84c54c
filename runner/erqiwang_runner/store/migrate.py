"""Bringing a database to the schema of this version."""

from pathlib import Path
from typing import Final

from alembic import command
from alembic.config import Config
from sqlalchemy import func, select

from erqiwang_runner.store.engine import Database

_LOCK: Final = 0x6572_7169
"""Held on PostgreSQL while migrating: an arbitrary number that nobody else uses."""


def upgrade(database: Database) -> None:
    """Apply the migrations that are missing; harmless if there are none, or if others do the same."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.set_main_option("path_separator", "os")
    with database.write_schema() as connection:
        if connection.dialect.name == "postgresql":
            # SQLite has one writer anyway.
            connection.execute(select(func.pg_advisory_xact_lock(_LOCK)))
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
