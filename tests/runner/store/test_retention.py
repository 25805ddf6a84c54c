"""What is thrown away of ended tournaments, and what stays: everything that ratings rest on."""

from __future__ import annotations

import json

import pytest
from sqlalchemy import func, insert, select, update

from erqiwang_runner.errors import UsageError
from erqiwang_runner.export import source
from erqiwang_runner.janitor import Janitor
from erqiwang_runner.standings import read_standings
from erqiwang_runner.standings_text import to_object
from erqiwang_runner.store import retention, schema, tournaments, usage
from erqiwang_runner.store.reader import SqlResults
from erqiwang_runner.store.retention import Policy
from erqiwang_runner.store.states import TournamentState
from erqiwang_runner.store.summary import summarise

DAY = 86_400.0
NOW = 1_800_000_000.0
ON_SQLITE = pytest.mark.parametrize("database", ["sqlite"], indirect=True)


@pytest.fixture
def played(database, season, make_spec):
    """Play a tournament that ended so many days ago, with a log and a fault with a log."""

    def play(name="t", *, days=10.0, boards=2, state=TournamentState.FINISHED):
        with database.write() as connection:
            key = tournaments.create(connection, make_spec(name, boards=boards, boards_per_match=1))
            tournaments.start(connection, key)
        season.play(name)
        with database.write() as connection:
            attempt = connection.scalar(select(func.max(schema.attempts.c.id)))
            connection.execute(
                insert(schema.player_logs).values(
                    contestant_id=1,
                    attempt_id=attempt,
                    entry=0,
                    table_no=0,
                    column_no=0,
                    text="x" * 1000,
                    stored_at=0.0,
                )
            )
            connection.execute(
                insert(schema.faults).values(
                    tournament_id=key,
                    attempt_id=attempt,
                    entry=0,
                    cause="crashed",
                    detail="exit code 1",
                    counted=True,
                    log="y" * 100,
                    happened_at=0.0,
                )
            )
            connection.execute(
                update(schema.tournaments)
                .filter_by(id=key)
                .values(finished_at=NOW - days * DAY, state=state.value)
            )
        return key

    return play


@pytest.fixture
def keep(database):
    def set_policy(**values):
        with database.write() as connection:
            retention.set_policy(connection, Policy(**values))
        return {each.tournament: (each.records, each.logs) for each in retention.run(database, NOW)}

    return set_policy


def kinds(database):
    with database.read() as connection:
        return {each.kind: each.items for each in usage.measure(connection)}


def standings(database, name):
    return json.dumps(to_object(read_standings(SqlResults(database), name)))


def test_standings_and_results_survive(database, played, keep):
    played(boards=3)
    before, counted = standings(database, "t"), kinds(database)
    assert counted["records"] == 12
    assert keep(record_days=5, log_days=5) == {"t": (12, 2)}
    after = kinds(database)
    assert (after["records"], after["player_logs"], after["fault_logs"]) == (0, 0, 0)
    assert standings(database, "t") == before
    with database.read() as connection:
        assert connection.scalar(select(func.count()).select_from(schema.table_results)) == 12
        (fault,) = connection.execute(select(schema.faults)).all()
        (pruned,) = retention.prunings(connection, 1)
    assert (fault.cause, fault.detail, fault.log) == ("crashed", "exit code 1", None)
    assert pruned.bytes > 1100
    assert keep(record_days=5, log_days=5) == {}


@ON_SQLITE
def test_an_export_and_the_status_say_what_is_gone(database, played, keep):
    played()

    def first_line():
        tournament = SqlResults(database).tournament("t")
        with database.read() as connection:
            header, *others = source.lines(connection, tournaments.find(connection, "t"), tournament)
        return header, [each for each in others if each["kind"] == "table"]

    assert "pruned" not in first_line()[0]
    assert "thrown away" not in summarise(database, "t").text()
    keep(record_days=5, log_days=5)
    header, tables = first_line()
    assert header["pruned"] == {"records": 8, "logs": 2, "at": NOW}
    assert {each["record"] for each in tables} == {None}
    assert "8 records and 2 logs were thrown away by retention" in summarise(database, "t").text()


@ON_SQLITE
def test_only_what_is_old_and_ended_goes(database, played, keep):
    played("old")
    played("young", days=2)
    played("paused", state=TournamentState.PAUSED)
    played("cancelled", state=TournamentState.CANCELLED)
    # The last: a coordinator would finish it.
    played("running", state=TournamentState.RUNNING)
    assert keep(record_days=5) == {"old": (8, 0), "cancelled": (8, 0)}
    assert keep(log_days=1) == {"old": (8, 2), "young": (0, 2), "cancelled": (8, 2)}


@ON_SQLITE
def test_beyond_a_number_of_bytes_the_oldest_go_first(database, played, keep):
    for days in (3, 9, 6):
        played(f"d{days}", days=days)
    with database.read() as connection:
        whole = usage.prunable_bytes(connection)
    assert keep(max_bytes=whole) == {}
    assert keep(max_bytes=whole - 1) == {"d9": (8, 2)}
    assert keep(max_bytes=whole // 2) == {"d6": (8, 2)}
    assert keep(max_bytes=0) == {"d3": (8, 2)}
    with database.read() as connection:
        assert usage.prunable_bytes(connection) == 0


@ON_SQLITE
def test_what_is_played_is_never_thrown_away_for_room(played, keep):
    played("running", state=TournamentState.RUNNING)
    assert keep(max_bytes=0) == {}


@ON_SQLITE
def test_nothing_goes_without_a_policy_but_all_is_measured(database, played, keep):
    played()
    assert keep() == {}
    with database.read() as connection:
        found = {each.kind: each for each in usage.kept(connection)}
        assert retention.current(connection).ran_at == NOW
    assert found["records"].items == 8
    assert found["records"].bytes > 0
    assert found["player_logs"].bytes == 1000
    assert found["database"].bytes > found["records"].bytes


@ON_SQLITE
def test_it_runs_once_an_hour_beside_the_play(database, played):
    class Clock:
        now = NOW

        def __call__(self):
            return self.now

    clock = Clock()
    janitor = Janitor(database, clock=clock)

    def ran_at():
        janitor.look()
        janitor.join()
        with database.read() as connection:
            return retention.current(connection).ran_at

    played()
    with database.write() as connection:
        retention.set_policy(connection, Policy(record_days=1))
    assert ran_at() is None
    clock.now += 61
    assert ran_at() == NOW + 61
    assert kinds(database)["records"] == 0
    clock.now += 600
    assert ran_at() == NOW + 61
    clock.now += 3600
    assert ran_at() == NOW + 4261


@ON_SQLITE
def test_a_run_that_fails_says_so_and_does_not_count(database, played, keep, monkeypatch):
    played()

    def fail(*_words):
        raise OSError("no room")

    monkeypatch.setattr(retention, "_drop", fail)
    with pytest.raises(OSError, match="no room"):
        keep(record_days=1)
    with database.read() as connection:
        found = retention.current(connection)
    assert (found.ran_at, found.error) == (None, "OSError: no room")
    monkeypatch.undo()
    assert keep(record_days=1) == {"t": (8, 0)}
    with database.read() as connection:
        assert retention.current(connection).error == ""


def test_impossible_policies_are_refused():
    with pytest.raises(UsageError, match="days are 0 or more"):
        Policy(log_days=-1)
    with pytest.raises(UsageError, match="bytes are 0 or more"):
        Policy(max_bytes=-1)
