"""Connections: SQLite with a write-ahead log by default, PostgreSQL by address.

Each transaction says whether it writes. Under SQLite a writer takes the write lock at once (`BEGIN
IMMEDIATE`), so that no transaction fails half way for want of it; every commit reaches the disk
(`synchronous=FULL`).
"""

import sqlite3
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, Engine, Table, create_engine, event, make_url, text
from sqlalchemy.pool import ConnectionPoolEntry

from erqiwang_runner.errors import UnavailableError, UsageError

BUSY_TIMEOUT_S: Final = 10
_WRITES: Final = "erqi_writes"

_NETWORK_FILE_SYSTEMS: Final = frozenset(
    {
        *("nfs", "nfs4", "cifs", "smb3", "smbfs", "ncpfs", "afs", "ceph", "lustre", "gpfs", "beegfs"),
        *("glusterfs", "fuse.glusterfs", "fuse.sshfs", "fuse.s3fs"),
    }
)


class Database:
    """A database and its two kinds of transactions; safe to share between threads, not over a fork."""

    def __init__(self, url: str) -> None:
        self._engine = _open_engine(url)
        is_postgresql = self._engine.dialect.name == "postgresql"
        # SQLite's readers see one state anyway.
        reading = {"isolation_level": "REPEATABLE READ"} if is_postgresql else {}
        self._reader = self._engine.execution_options(**reading)

    @property
    def engine(self) -> Engine:
        """The engine below, for migrations."""
        return self._engine

    @contextmanager
    def read(self) -> Generator[Connection]:
        """Open a transaction that sees one state of the database and changes nothing."""
        with self._reader.connect() as connection, connection.begin():
            yield connection

    @contextmanager
    def write(self) -> Generator[Connection]:
        """Open a transaction that is committed at the end of the block, or rolled back by an exception."""
        with self._engine.connect() as plain:
            connection = plain.execution_options(**{_WRITES: True})
            with connection.begin():
                yield connection

    @contextmanager
    def write_schema(self) -> Generator[Connection]:
        """Open a transaction that may put a table in the place of another.

        SQLite then takes references to the old table for broken, so they are checked at the end only.
        """
        with self._engine.connect() as plain:
            is_sqlite = plain.dialect.name == "sqlite"
            if is_sqlite:
                _set_foreign_keys(plain, on=False)
            try:
                connection = plain.execution_options(**{_WRITES: True})
                with connection.begin():
                    yield connection
                    if is_sqlite and (broken := connection.exec_driver_sql("PRAGMA foreign_key_check").all()):
                        raise UnavailableError(f"the database has broken references: {broken[0]}")
            finally:
                if is_sqlite:
                    _set_foreign_keys(plain, on=True)

    def close(self) -> None:
        """Close every connection."""
        self._engine.dispose()


def one_at_a_time(connection: Connection, table: Table) -> None:
    """Let nobody else write to a table until this transaction ends: what is looked up there stays true.

    SQLite has one writer anyway.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text(f"LOCK TABLE {table.name} IN SHARE ROW EXCLUSIVE MODE"))


def _open_engine(url: str) -> Engine:
    parsed = make_url(url)
    backend = parsed.get_backend_name()
    if backend == "sqlite":
        _check_sqlite_place(parsed.database)
        engine = create_engine(parsed, connect_args={"timeout": BUSY_TIMEOUT_S})
        event.listen(engine, "connect", _prepare_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
        return engine
    if backend == "postgresql":
        return create_engine(parsed.set(drivername="postgresql+psycopg"), pool_pre_ping=True)
    raise UsageError(f"ERQI_DATABASE_URL: {backend} is not served, only sqlite and postgresql")


def _prepare_sqlite(connection: sqlite3.Connection, _entry: ConnectionPoolEntry) -> None:
    # The driver must not open transactions of its own: ours begin in `_begin_sqlite`.
    connection.isolation_level = None
    (mode,) = connection.execute("PRAGMA journal_mode=WAL").fetchone()
    if mode != "wal":
        raise UnavailableError(
            f"SQLite cannot keep a write-ahead log here (journal mode {mode}); set ERQI_DATABASE_URL"
        )
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("PRAGMA foreign_keys=ON")


def _set_foreign_keys(connection: Connection, *, on: bool) -> None:
    # Of no effect within a transaction, and so not a statement of the connection's own.
    cursor = connection.connection.cursor()
    cursor.execute(f"PRAGMA foreign_keys={'ON' if on else 'OFF'}")
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    writes = connection.get_execution_options().get(_WRITES, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _check_sqlite_place(database: str | None) -> None:
    if not database or database == ":memory:":
        raise UsageError("the database must be a file: several processes share it")
    directory = Path(database).absolute().parent
    directory.mkdir(parents=True, exist_ok=True)
    kind = file_system_of(directory, Path("/proc/self/mountinfo"))
    if kind in _NETWORK_FILE_SYSTEMS:
        raise UsageError(
            f"{directory} is on a network file system ({kind}), where SQLite's write-ahead log is not safe; "
            "choose a local --data directory or set ERQI_DATABASE_URL to a PostgreSQL database"
        )


def file_system_of(path: Path, mountinfo: Path) -> str:
    """Name the type of the file system that a path lies on, or give "" where that cannot be told."""
    try:
        lines = mountinfo.read_text().splitlines()
    except OSError:
        return ""
    best, kind = -1, ""
    for line in lines:
        left, _, right = line.partition(" - ")
        mount = left.split()[4].replace("\\040", " ")
        # A later mount on the same place hides the earlier one.
        if path.resolve().is_relative_to(mount) and len(mount) >= best:
            best, kind = len(mount), right.split()[0]
    return kind
