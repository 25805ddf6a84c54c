"""Workers and coordinator must be of one version: of the package, of the rules and of the schema.

The coordinator notes what it is; a worker of another version takes nothing and says so. The latest
coordinator counts: after an upgrade it is the workers that are behind.
"""

from importlib.metadata import version
from pathlib import Path

from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, delete, insert, inspect, select, text

from erqiwang.rules import RULES_VERSION
from erqiwang_runner.errors import UnavailableError
from erqiwang_runner.store import schema
from erqiwang_runner.store.engine import Database, one_at_a_time


def note(database: Database) -> bool:
    """Say that a coordinator of this version decides; tells whether another one did before."""
    table = schema.installation
    mine = {"package_version": version("erqiwang"), "rules_version": RULES_VERSION}
    with database.read() as connection:
        row = connection.execute(select(table)).one_or_none()
    if row is not None and (row.package_version, row.rules_version) == tuple(mine.values()):
        return False
    with database.write() as connection:
        one_at_a_time(connection, table)
        connection.execute(delete(table))
        connection.execute(insert(table).values(id=1, **mine))
    return row is not None


def refusal(connection: Connection) -> str | None:
    """Say why a worker of this version may take nothing; None if it may, or no coordinator said anything."""
    row = connection.execute(select(schema.installation)).one_or_none()
    if row is None:
        return None
    for what, mine, theirs in (
        ("erqiwang", version("erqiwang"), row.package_version),
        ("rules", RULES_VERSION, row.rules_version),
    ):
        if mine != theirs:
            return f"this worker is {what} {mine}, the coordinator {what} {theirs}: install the same version"
    return None


def check(database: Database) -> None:
    """Refuse to work on a database of another schema, or for a coordinator of another version.

    Raises UnavailableError.
    """
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.set_main_option("path_separator", "os")
    mine = ScriptDirectory.from_config(config).get_current_head()
    with database.read() as connection:
        found = None
        if inspect(connection).has_table("alembic_version"):
            found = connection.scalar(text("SELECT version_num FROM alembic_version"))
        if found != mine:
            raise UnavailableError(_other_schema(mine, found))
        if (why := refusal(connection)) is not None:
            raise UnavailableError(why)


def _other_schema(mine: str | None, found: str | None) -> str:
    if found is None:
        return "the database has no tables yet: `erqi db upgrade` makes them"
    behind = (
        "install the same version here" if (mine or "") < found else "`erqi db upgrade` brings it up to date"
    )
    return f"the database has schema {found}, this version {mine}: {behind}"
