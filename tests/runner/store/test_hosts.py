"""Workers that may take nothing: quarantined hosts and other versions."""

from __future__ import annotations

import time

import pytest
from sqlalchemy import insert, select, text, update

from erqiwang.rules import FaultCause
from erqiwang_runner.coordinator import Coordinator
from erqiwang_runner.errors import UnavailableError, UsageError, WorkerRefusedError
from erqiwang_runner.quarantine import LOOK_EVERY
from erqiwang_runner.store import claims, quarantine, schema, versions
from erqiwang_runner.store.engine import Database
from erqiwang_runner.store.extension import extend
from erqiwang_runner.store.summary import summarise


@pytest.fixture
def planned(database, running):
    """A tournament with one match that may be taken."""
    tournament = running(boards=1, boards_per_match=1)
    extend(database, tournament, 1)
    return tournament


@pytest.fixture
def attempts(database, planned):
    """Write ended attempts of hosts, two minutes apart, the latest now."""

    def write(*hosts_and_outcomes):
        now, number = time.time(), len(hosts_and_outcomes)
        with database.write() as connection:
            before = len(connection.execute(select(schema.attempts.c.id)).all())
            for place, (host, outcome) in enumerate(hosts_and_outcomes):
                ended = now - 120.0 * (number - place)
                connection.execute(
                    insert(schema.attempts).values(
                        match_id=1,
                        number=1_000 + before + place,
                        worker="w",
                        host=host,
                        run_id="r",
                        sandbox_level="none",
                        started_at=ended - 1,
                        ended_at=ended,
                        outcome=outcome,
                        sets_stored=0,
                    )
                )

    return write


BAD = [*[("bad", "void")] * 12, *[("good", "completed")] * 12]


def test_a_host_that_stands_out_takes_nothing_for_a_while(database, planned, attempts, worker):
    attempts(*BAD)
    (found,) = quarantine.look(database)
    assert found.host == "bad"
    assert "12 of its 12 attempts were bad, 0 of the 12 of other hosts" in found.reason
    there = claims.Worker(worker.process, worker.run, "bad", "none")
    with pytest.raises(WorkerRefusedError, match="this host is quarantined: 12 of its 12"):
        claims.take(database, 1, there)
    assert "host bad takes nothing until 2" in summarise(database, "t").text()
    assert claims.take(database, 1, worker) is not None


def test_what_was_before_a_quarantine_is_forgiven_and_the_next_is_longer(database, attempts):
    attempts(*BAD)
    (first,) = quarantine.look(database)
    with database.read() as connection:
        assert quarantine.of(connection, first.until + 1) == ()
    attempts(*[("good", "completed")] * LOOK_EVERY)
    assert quarantine.look(database) == ()
    with database.write() as connection:
        connection.execute(update(schema.quarantines).values(until=0.0))
    attempts(*BAD)
    now = time.time()
    (second,) = quarantine.look(database, now)
    assert second.until - now == 2 * quarantine.QUARANTINE_S


def test_a_quarantine_that_is_lifted_is_forgiven_and_forgotten(database, planned, attempts, worker, told):
    attempts(*BAD)
    quarantine.look(database)
    there = claims.Worker(worker.process, worker.run, "bad", "none")
    with database.write() as connection:
        assert quarantine.lift(connection, "bad").host == "bad"
        with pytest.raises(UsageError, match="host 'bad' is not quarantined; those that are: none"):
            quarantine.lift(connection, "bad")
    assert claims.take(database, 1, there) is not None
    attempts(*[("good", "completed")] * LOOK_EVERY)
    assert quarantine.look(database) == ()
    with database.write() as connection:
        connection.execute(update(schema.quarantines).values(until=0.0))
    attempts(*BAD)
    now = time.time()
    (again,) = quarantine.look(database, now)
    assert again.until - now == quarantine.QUARANTINE_S
    (first, _), lifted, (second, _) = told()
    assert lifted == ("host.released", {"host": "bad"})
    assert first == second == "host.quarantined"


def test_looks_are_rare(database, attempts):
    attempts(*BAD[: LOOK_EVERY - 1])
    assert quarantine.look(database) == ()
    attempts(("good", "completed"))
    assert quarantine.look(database) != ()
    assert quarantine.look(database) == ()


@pytest.mark.parametrize(
    ("late", "is_blamed"), [((0, 1), True), ((0, 0), False)], ids=["two bots", "one bot"]
)
def test_only_where_different_bots_are_late_the_host_is_blamed(database, planned, attempts, late, is_blamed):
    attempts(*[("slow", "completed")] * 12, *[("good", "completed")] * 12)
    with database.write() as connection:
        slow = connection.scalars(select(schema.attempts.c.id).filter_by(host="slow")).all()
        for attempt in slow:
            for entry in late:
                connection.execute(
                    insert(schema.faults).values(
                        tournament_id=planned.id,
                        attempt_id=attempt,
                        entry=entry,
                        cause=FaultCause.TIMED_OUT_MOVE.name.lower(),
                        detail="late",
                        counted=True,
                        happened_at=0.0,
                    )
                )
    assert [each.host for each in quarantine.look(database)] == (["slow"] if is_blamed else [])


def test_a_refused_match_is_sent_again(database, planned, attempts, worker, queue):
    coordinator = Coordinator(database, queue)
    coordinator.step()
    assert queue.matches == [1]
    attempts(*BAD)
    coordinator.step()
    there = claims.Worker(worker.process, worker.run, "bad", "none")
    with pytest.raises(WorkerRefusedError):
        claims.take(database, queue.matches.pop(), there)
    coordinator.step()
    assert queue.matches == [1]


@pytest.mark.parametrize(
    ("column", "said"), [("package_version", "erqiwang 9.9"), ("rules_version", "rules 9.9")]
)
def test_a_worker_of_another_version_takes_nothing(column, said, database, planned, worker, queue):
    Coordinator(database, queue).step()
    with database.write() as connection:
        connection.execute(update(schema.installation).values({column: "9.9"}))
    with pytest.raises(WorkerRefusedError, match=f"the coordinator {said}: install the same version"):
        claims.take(database, 1, worker)
    with pytest.raises(UnavailableError, match="install the same version"):
        versions.check(database)
    Coordinator(database, queue).step()
    versions.check(database)
    assert claims.take(database, 1, worker) is not None


def test_another_schema_is_said(database, tmp_path):
    versions.check(database)
    with database.read() as connection:
        head = connection.scalar(text("SELECT version_num FROM alembic_version"))
    for revision, said in (
        ("0001", "db upgrade` brings it up to date"),
        ("9999", "install the same version here"),
    ):
        with database.write() as connection:
            connection.execute(text("UPDATE alembic_version SET version_num = :new"), {"new": revision})
        try:
            with pytest.raises(UnavailableError, match=said):
                versions.check(database)
        finally:
            with database.write() as connection:
                connection.execute(text("UPDATE alembic_version SET version_num = :new"), {"new": head})
    empty = Database(f"sqlite:///{tmp_path / 'empty.sqlite3'}")
    with pytest.raises(UnavailableError, match="no tables yet"):
        versions.check(empty)
    empty.close()
