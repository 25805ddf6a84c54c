"""Databases of older versions keep what they hold."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import text

from erqiwang_runner import store
from erqiwang_runner.store import planning, tournaments
from erqiwang_runner.store.claims import take
from erqiwang_runner.store.engine import Database
from erqiwang_runner.store.extension import extend
from erqiwang_runner.store.migrate import upgrade
from erqiwang_runner.store.settlement import settle
from erqiwang_runner.store.tournaments import Progress

_ROWS = (
    "INSERT INTO contestants VALUES (1, 'a', '1', 'h', '[\"true\"]', 1, 0.0)",
    "INSERT INTO contestants VALUES (2, 'b', '1', 'i', '[\"true\"]', 1, 0.0)",
    "INSERT INTO tournaments VALUES (1, 't', 'running', 'seeded', 's', 'classic', '{}', 1, 'zero', 'pair22', "
    "4, 2, 'normal', 'forfeit', 'none', 64, '1.0.0', 1, 4, 0.0, 0.0, NULL)",
    "INSERT INTO entries VALUES (1, 0, 1, '{}', 'contestant', 0), (1, 1, 2, '{}', 'contestant', 0)",
    "INSERT INTO groups VALUES (1, 0, 0, '[0, 1]')",
    "INSERT INTO matches (id, tournament_id, epoch, group_no, first_n, end_n, state, fence, attempts, "
    "idle_attempts) VALUES (1, 1, 0, 0, 0, 2, 'open', 0, 0, 0)",
    "INSERT INTO slots VALUES (1, 0, 0, 0, 0, 0, 'finished', NULL, 1, 0.0)",
    "INSERT INTO slots VALUES (1, 0, 0, 1, 0, 1, 'planned', NULL, 1, NULL)",
    "INSERT INTO slot_seeds VALUES (1, 0, 0, 1, 0, 4, x'00', x'')",
)


def upgrade_to(database: Database, revision: str) -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(store.__file__).parent / "migrations"))
    config.set_main_option("path_separator", "os")
    with database.write() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)


def test_a_tournament_that_was_begun_before_is_played_on(tmp_path, worker):
    database = Database(f"sqlite:///{tmp_path / 'erqi.sqlite3'}")
    upgrade_to(database, "0003")
    with database.write() as connection:
        for row in _ROWS:
            connection.execute(text(row))
    upgrade(database)
    with database.read() as connection:
        row = tournaments.find(connection, "t")
        assert tournaments.progress(connection, row) == Progress(4, 1, 0)
        assert connection.scalar(text("PRAGMA foreign_keys")) == 1
    settle(database, row)
    assert extend(database, row, 2) == 1
    claim = take(database, 1, worker)
    assert claim is not None
    assert [entry.contestant.name for entry in claim.group] == ["a", "b"]
    assert [slot.slot.n for slot in claim.slots] == [1]
    assert [match for match, _ in planning.waiting(database, row.id)] == [2]
    with database.read() as connection:
        assert tournaments.find(connection, "t").settled == 1
    database.close()
