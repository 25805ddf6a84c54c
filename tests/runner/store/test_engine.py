from __future__ import annotations

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import text

from erqiwang_runner.errors import UsageError
from erqiwang_runner.store import engine, schema
from erqiwang_runner.store.engine import Database, file_system_of
from erqiwang_runner.store.migrate import upgrade


def test_the_migrations_make_the_schema(database):
    with database.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), schema.metadata) == []


def test_upgrading_twice_is_harmless(database):
    upgrade(database)


def test_sqlite_keeps_its_promises(tmp_path):
    database = Database(f"sqlite:///{tmp_path / 'a' / 'erqi.sqlite3'}")
    with database.read() as connection:
        assert connection.scalar(text("PRAGMA journal_mode")) == "wal"
        assert connection.scalar(text("PRAGMA synchronous")) == 2
        assert connection.scalar(text("PRAGMA foreign_keys")) == 1
        assert connection.scalar(text("PRAGMA busy_timeout")) == 10_000
    database.close()


def test_a_failed_transaction_leaves_nothing(database):
    def stop_half_way() -> None:
        with database.write() as connection:
            connection.execute(text("CREATE TABLE half (id INTEGER)"))
            raise RuntimeError("half way")

    with pytest.raises(RuntimeError, match="half way"):
        stop_half_way()
    with database.read() as connection, pytest.raises(Exception, match="half"):
        connection.execute(text("SELECT * FROM half"))


def test_a_network_file_system_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(engine, "file_system_of", lambda _path, _mounts: "nfs4")
    with pytest.raises(UsageError, match="network file system"):
        Database(f"sqlite:///{tmp_path / 'erqi.sqlite3'}")


@pytest.mark.parametrize(
    ("path", "kind"),
    [("/", "ext4"), ("/srv/x", "nfs4"), ("/srv", "nfs4"), ("/srvx", "ext4"), ("/a b", "tmpfs")],
)
def test_the_longest_mount_decides(tmp_path, path, kind):
    mounts = tmp_path / "mountinfo"
    mounts.write_text(
        "27 1 254:0 / / rw,relatime - ext4 /dev/vda rw\n"
        "30 27 0:40 / /srv rw,relatime shared:1 - nfs4 host:/srv rw\n"
        "31 27 0:41 / /a\\040b rw - tmpfs tmpfs rw\n"
    )
    assert file_system_of(type(tmp_path)(path), mounts) == kind


def test_other_databases_and_memory_are_refused():
    with pytest.raises(UsageError, match="mysql"):
        Database("mysql+pymysql://localhost/x")
    with pytest.raises(UsageError, match="must be a file"):
        Database("sqlite://")
