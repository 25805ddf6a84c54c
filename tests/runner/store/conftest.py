"""Databases of both kinds, and what is needed to fill them without a referee."""

from __future__ import annotations

import getpass
import json
import os
import shutil
import subprocess
import tempfile
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import and_, select, text

from erqiwang.deals import deal_hash, deals_of_board
from erqiwang.rules import PassOut, apply, fallback, open_table, record_of
from erqiwang_runner.broker import BrokerDown
from erqiwang_runner.contestants import Contestant
from erqiwang_runner.coordinator import Coordinator
from erqiwang_runner.liveness import process_name
from erqiwang_runner.played import PlayedSet, PlayedTable
from erqiwang_runner.results import TableResult
from erqiwang_runner.store import claims, schema, tournaments, webhooks
from erqiwang_runner.store.claims import Worker
from erqiwang_runner.store.engine import Database
from erqiwang_runner.store.migrate import upgrade
from erqiwang_runner.store.states import TournamentState
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
                tuple(claim.group[conditions.set_type.place(column)].number for column in row),
                row,
                record.scores,
                record.declarer,
                (False,) * len(row),
            )
            hashed = deal_hash(conditions.profile, slot.board_seed).hex()
            tables.append(PlayedTable(result, record, hashed))
        return PlayedSet(slot.slot, slot.generation, tuple(tables))

    return play


class Queue:
    """A queue in memory that can be emptied and broken."""

    def __init__(self) -> None:
        self.matches: list[int] = []
        self.is_down = False
        self._marked = False

    def enqueue(self, match_id, limits):
        self._check()
        self.matches.append(match_id)

    def length(self):
        self._check()
        return len(self.matches)

    def was_emptied(self):
        self._check()
        marked, self._marked = self._marked, True
        return not marked

    def empty(self):
        self.matches.clear()
        self._marked = False

    def _check(self):
        if self.is_down:
            raise BrokerDown("gone")


@pytest.fixture
def queue():
    return Queue()


@pytest.fixture
def told(database):
    """The events that are told, by kind and data, from now on."""
    with database.write() as connection:
        webhooks.add(connection, "http://127.0.0.1:9/", "webhook-0")

    def events():
        table = schema.deliveries
        with database.read() as connection:
            rows = connection.execute(select(table.c.kind, table.c.body).order_by(table.c.id))
            return [(row.kind, json.loads(row.body)["data"]) for row in rows]

    yield events
    # Coordinators of the test tried to send them.
    for thread in threading.enumerate():
        if thread.name == "webhooks":
            thread.join()


class Season:
    """Plays whole tournaments without bots: the entry with the higher number has more points."""

    def __init__(self, database, queue, worker, play_out) -> None:
        self.database, self.queue, self.worker, self._play_out = database, queue, worker, play_out
        self._model: PlayedTable | None = None

    def play(
        self, name, *, coordinators=1, window=4, pick=-1, forfeits=lambda entry, slot: False, times=10**6
    ):
        """Bring a tournament to its end, or play so many matches; `pick` is the next one in the queue.

        `forfeits` tells whether an entry's process ends on a board, and so which tables it forfeits.
        """
        team = [Coordinator(self.database, self.queue, window=window) for _ in range(coordinators)]
        while times and self.row(name).state is TournamentState.RUNNING:
            for each in team:
                each.step()
            if not self.queue.matches:
                continue
            self.play_match(self.queue.matches.pop(pick), forfeits)
            times -= 1

    def play_match(self, match_id, forfeits):
        """Play one match, if it may be taken."""
        claim = claims.take(self.database, match_id, self.worker)
        if claim is not None:
            for slot in claim.slots:
                claims.store_set(self.database, claim, self._board(claim, slot, forfeits))
            claims.complete(self.database, claim)

    def _board(self, claim, slot, forfeits):
        if self._model is None:
            self._model = self._play_out(claim, slot).tables[0]
        tables = []
        for number, row in enumerate(claim.conditions.set_type.square(slot.slot.n)):
            entries = tuple(claim.group[claim.conditions.set_type.place(column)].number for column in row)
            mean = sum(entries) // len(entries)
            scores = [entry - mean for entry in entries]
            scores[0] -= sum(scores)
            lost = tuple(number == 0 and forfeits(entry, slot.slot) for entry in entries)
            place = (slot.slot.epoch, slot.slot.group, slot.slot.n, slot.generation, number)
            result = TableResult(*place, entries, row, tuple(scores), None, lost)
            tables.append(replace(self._model, result=result))
        return PlayedSet(slot.slot, slot.generation, tuple(tables))

    def plan(self, name):
        """Give everything that must not depend on time: who played which slot with which deal."""
        with self.database.read() as connection:
            row = tournaments.find(connection, name)
            slots, table = schema.slots, schema.table_results
            same = [table.c[each] == slots.c[each] for each in schema.SLOT_KEY]
            played = connection.execute(
                select(slots.c.position, slots.c.deal_index, slots.c.state, table.c.entries)
                .outerjoin(table, and_(*same, table.c.table_no == 0))
                .where(slots.c.tournament_id == row.id)
                .order_by(slots.c.position, slots.c.generation)
            )
            return [(each.position, each.deal_index, each.state, each.entries) for each in played]

    def row(self, name):
        with self.database.read() as connection:
            return tournaments.find(connection, name)

    def progress(self, name):
        with self.database.read() as connection:
            return tournaments.progress(connection, tournaments.find(connection, name))


@pytest.fixture
def season(database, queue, worker, play_out):
    return Season(database, queue, worker, play_out)
