"""Bringing a database to the schema of this version."""

from pathlib import Path

from alembic import command
from alembic.config import Config

from erqiwang_runner.store.engine import Database


def upgrade(database: Database) -> None:
    """Apply the migrations that are missing; harmless if there are none, or if others do the same."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.set_main_option("path_separator", "os")
    with database.write() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
