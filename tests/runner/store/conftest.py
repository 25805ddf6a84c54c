"""Databases of both kinds, and what is needed to fill them without a referee."""

from __future__ import annotations

import getpass
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest
from sqlalchemy import text

from erqiwang.deals import deal_hash, deals_of_board
from erqiwang.rules import PassOut, apply, fallback, open_table, record_of
from erqiwang_runner.contestants import Contestant
from erqiwang_runner.liveness import process_name
from erqiwang_runner.played import PlayedSet, PlayedTable
from erqiwang_runner.results import TableResult
from erqiwang_runner.store import schema, tournaments
from erqiwang_runner.store.claims import Worker
from erqiwang_runner.store.engine import Database
from erqiwang_runner.store.migrate import upgrade
from erqiwang_runner.tournament_spec import EntrySpec, TournamentSpec


@pytest.fixture(scope="session")
def postgres(require):
    """A server of our own on a Unix socket: the connection text without a database name."""
    programs = Path(require("postgres")).resolve().parent
    directory = Path(tempfile.mkdtemp(prefix="erqi-pg-"))
    # The server refuses to run as root.
    user = "postgres" if os.getuid() == 0 else getpass.getuser()
    if os.getuid() == 0:
        shutil.chown(directory, user)

    def run(program: str, *words: str) -> None:
        subprocess.run(
            [programs / program, *words],
            check=True,
            user=user if os.getuid() == 0 else None,
            cwd=directory,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    data = str(directory / "data")
    run("initdb", "-D", data, "-A", "trust", "-U", "erqi", "-N", "-E", "UTF8")
    options = f"-c listen_addresses= -c fsync=off -k {directory}"
    run("pg_ctl", "-D", data, "-w", "-l", str(directory / "log"), "-o", options, "start")
    yield f"postgresql://erqi@/{{name}}?host={directory}"
    run("pg_ctl", "-D", data, "-m", "immediate", "-w", "stop")
    shutil.rmtree(directory)


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory):
    """A database file with the schema, to copy."""
    path = tmp_path_factory.mktemp("sqlite") / "erqi.sqlite3"
    opened = Database(f"sqlite:///{path}")
    upgrade(opened)
    opened.close()
    return path


@pytest.fixture(scope="session")
def postgres_database(postgres):
    """One database with the schema."""
    opened = Database(postgres.format(name="postgres"))
    upgrade(opened)
    yield opened
    opened.close()


@pytest.fixture
def empty_postgres(postgres_database):
    """The same database without rows."""
    names = ", ".join(table.name for table in schema.metadata.sorted_tables)
    with postgres_database.write() as connection:
        connection.execute(text(f"TRUNCATE {names} RESTART IDENTITY CASCADE"))
    return postgres_database


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request, tmp_path):
    """An empty database with the schema."""
    if request.param == "postgresql":
        yield request.getfixturevalue("empty_postgres")
    else:
        path = tmp_path / "erqi.sqlite3"
        shutil.copy(request.getfixturevalue("sqlite_template"), path)
        opened = Database(f"sqlite:///{path}")
        yield opened
        opened.close()


@pytest.fixture
def make_spec():
    """Describe a tournament of four bots that never run."""

    def make(name="t", *, boards=6, boards_per_match=3, bundled=True, entries=4, **more) -> TournamentSpec:
        bots = [
            Contestant(f"bot{number}", "1", ("true",), f"{number:064}", bundled=bundled)
            for number in range(entries)
        ]
        return TournamentSpec(
            name=name,
            seed_text="seed",
            entries=tuple(EntrySpec(bot) for bot in bots),
            boards=boards,
            boards_per_match=boards_per_match,
            **more,
        )

    return make


@pytest.fixture
def running(database, make_spec):
    """Make a tournament and let it run."""

    def make(**settings):
        spec = make_spec(**settings)
        with database.write() as connection:
            number = tournaments.create(connection, spec)
            tournaments.start(connection, number)
            return tournaments.get(connection, number)

    return make


@pytest.fixture
def worker():
    """A worker that lives: this process."""
    return Worker(process_name(), process_name(), "here", "none")


@pytest.fixture
def dead_name():
    """The name of a process of this host that is gone."""
    process = subprocess.Popen(["sleep", "60"])
    name = process_name(process.pid)
    process.kill()
    process.wait()
    return name


@pytest.fixture(scope="session")
def play_out():
    """Play a board set by the fallback alone: everybody passes."""

    def play(claim, slot) -> PlayedSet:
        conditions = claim.conditions
        tables = []
        for number, row in enumerate(conditions.set_type.square(slot.slot.n)):
            deals = deals_of_board(conditions.profile, slot.board_seed, PassOut.ZERO)
            state, _ = open_table(conditions.profile, deals)
            while (turn := state.turn) is not None:
                state, _ = apply(state, turn.seat, fallback(state))
            record = record_of(state)
            result = TableResult(
                slot.slot.epoch,
                slot.slot.group,
                slot.slot.n,
                slot.generation,
                number,
                tuple(claim.group[column].number for column in row),
                row,
                record.scores,
                record.declarer,
                (False,) * len(row),
            )
            hashed = deal_hash(conditions.profile, slot.board_seed).hex()
            tables.append(PlayedTable(result, record, hashed))
        return PlayedSet(slot.slot, slot.generation, tuple(tables))

    return play
