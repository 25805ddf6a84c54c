"""Claims of measured size: bounded, and of no consequence."""

from __future__ import annotations

import time

import pytest
from sqlalchemy import select, update

from erqiwang_runner.store import schema
from erqiwang_runner.store.claim_size import claim_size, measured_speed
from erqiwang_runner.tournament_spec import AUTOMATIC


def size(season):
    with season.database.read() as connection:
        return claim_size(connection, season.row("t"))


def took(season, seconds):
    """Let every finished attempt have taken so long."""
    with season.database.write() as connection:
        now = time.time()
        connection.execute(update(schema.attempts).values(started_at=now - seconds, ended_at=now))


def test_before_anything_is_measured_a_claim_is_small(running, season):
    running(boards=60, boards_per_match=AUTOMATIC)
    assert size(season) == 6


@pytest.mark.parametrize(("seconds", "boards"), [(2.0, 9), (60.0, 1), (0.01, 24)])
def test_a_claim_is_three_seconds_of_work(seconds, boards, running, season):
    running(boards=60, boards_per_match=AUTOMATIC)
    season.play("t", times=1)
    took(season, seconds)
    with season.database.read() as connection:
        assert measured_speed(connection, season.row("t").id) == pytest.approx(6 / seconds)
    assert size(season) == boards


def test_all_workers_together_hold_half_of_what_is_decided_ahead(running, season):
    running(boards=600, boards_per_match=AUTOMATIC)
    season.play("t", times=1)
    took(season, 0.01)
    with season.database.write() as connection:
        table = schema.matches
        for match in connection.scalars(select(table.c.id)).all():
            connection.execute(
                update(table).filter_by(id=match).values(state="leased", lease_owner=f"worker {match}")
            )
        workers = len(connection.execute(select(table.c.id)).all())
    assert workers > 1
    assert size(season) == 64 // (2 * workers)


def test_a_given_size_is_kept(running, season):
    running(boards=60, boards_per_match=7)
    season.play("t", times=1)
    took(season, 0.01)
    assert size(season) == 7


def test_measuring_changes_no_result(running, season):
    running(name="a", boards=30, boards_per_match=AUTOMATIC)
    season.play("a")
    running(name="b", boards=30, boards_per_match=AUTOMATIC)
    for _ in range(8):
        season.play("b", times=1)
        took(season, 40.0)
    season.play("b")
    assert season.plan("a") == season.plan("b")
    assert matches(season, "a") != matches(season, "b")


def matches(season, name):
    table = schema.matches
    with season.database.read() as connection:
        key = season.row(name).id
        rows = connection.execute(select(table.c.first_n, table.c.end_n).filter_by(tournament_id=key))
        return [tuple(row) for row in rows]
