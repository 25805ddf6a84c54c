"""A tournament of any length is planned, claimed and stored in flat memory and at a constant rate."""

from __future__ import annotations

import resource
import statistics
import time
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import func, select

from chaos.precomputed import WINDOW, play_through, spec_of
from erqiwang_runner.store import extension, schema, tournaments
from erqiwang_runner.store.engine import Database
from erqiwang_runner.store.migrate import upgrade
from erqiwang_runner.store.tournaments import Progress

MILLION = 1_000_000


def resident_kb() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() >> 10


class Run:
    """A long tournament on a database: planned in a window, claimed, stored, finished; measured in tenths."""

    def __init__(self, database: Database, matches: int) -> None:
        self.database, self.matches = database, matches
        self.seconds: list[float] = []
        self.memory_kb: list[int] = []
        self._began = time.process_time()
        play_through(database, spec_of("long", matches), self._note)

    def _note(self) -> None:
        now = time.process_time()
        self.seconds.append(now - self._began)
        self.memory_kb.append(resident_kb())
        self._began = now

    def progress(self) -> Progress:
        with self.database.read() as connection:
            return tournaments.progress(connection, tournaments.find(connection, "long"))

    def count(self, table) -> int:
        with self.database.read() as connection:
            return connection.scalar(select(func.count()).select_from(table))

    def text(self) -> str:
        first, last = self.seconds[0], self.seconds[-1]
        return (
            f"{self.matches} matches on {self.database.engine.dialect.name}: CPU of the last tenth "
            f"{last / first:.2f} of the first (median {statistics.median(self.seconds) / first:.2f}), "
            f"{1e6 * sum(self.seconds) / self.matches:.0f} us CPU a match, "
            f"memory after the first tenth {self.memory_kb[0]} kB, at the end {self.memory_kb[-1]} kB"
        )


def assert_exact(run: Run) -> None:
    assert run.progress() == Progress(run.matches, run.matches, 0)
    assert run.count(schema.table_results) == run.count(schema.records) == 4 * run.matches
    assert run.count(schema.attempts) == run.count(schema.matches) == run.matches
    assert run.count(schema.slot_seeds) == 0


@pytest.mark.nightly
def test_a_long_tournament_takes_no_more_memory_than_a_short_one(open_sqlite):
    run = Run(open_sqlite("long"), 200)
    assert_exact(run)
    assert run.memory_kb[-1] < run.memory_kb[0] + (8 << 10), run.text()


@pytest.mark.nightly
def test_fifty_thousand_matches_on_sqlite(open_sqlite):
    run = Run(open_sqlite("long"), 50_000)
    print(run.text())
    assert_exact(run)
    assert run.memory_kb[-1] < run.memory_kb[0] + (16 << 10), run.text()


@pytest.mark.nightly
def test_ten_thousand_matches_on_postgresql(postgres_server):
    with closing(Database(postgres_server.url)) as database:
        upgrade(database)
        run = Run(database, 10_000)
        print(run.text())
        assert_exact(run)
        assert run.memory_kb[-1] < run.memory_kb[0] + (16 << 10), run.text()


def test_a_plan_of_a_million_board_sets_costs_its_groups_and_its_window(open_sqlite):
    """What is written and kept in memory at the beginning does not know the length of the tournament."""
    rows, memory_kb = [], []
    for boards in (1_000, MILLION):
        database = open_sqlite(f"plan{boards}")
        with database.write() as connection:
            created = tournaments.create(connection, spec_of("plan", boards, entries=5))
            tournaments.start(connection, created)
            row = tournaments.get(connection, created)
        extension.extend(database, row, WINDOW)
        memory_kb.append(resident_kb())
        with database.read() as connection:
            counts = [
                connection.scalar(select(func.count()).select_from(table))
                for table in (schema.groups, schema.slots, schema.matches)
            ]
        rows.append(counts)
    assert row.plan.board_sets == 5 * MILLION
    assert rows[0] == rows[1]
    assert rows[1][0] == 5
    assert rows[1][1] < 2 * WINDOW
    assert memory_kb[1] < memory_kb[0] + (4 << 10)
