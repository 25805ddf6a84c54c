"""What several processes do to the same rows at the same moment."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from sqlalchemy import delete

from erqiwang_runner.errors import UsageError
from erqiwang_runner.store import schema, tournaments, versions

CROWD = 6


def all_at_once(action):
    """Run an action in many threads that begin together; gives results, or the UsageError of each."""
    ready = Barrier(CROWD)

    def run(_number):
        ready.wait()
        try:
            return action()
        except UsageError as error:
            return error

    with ThreadPoolExecutor(CROWD) as pool:
        return list(pool.map(run, range(CROWD)))


def test_a_tournament_is_made_once(database, make_spec):
    def create():
        with database.write() as connection:
            return tournaments.create(connection, make_spec())

    made = all_at_once(create)
    assert sum(isinstance(each, int) for each in made) == 1
    assert {str(each) for each in made if not isinstance(each, int)} == {"there is a tournament 't' already"}


def test_coordinators_that_begin_together_agree_on_the_version(database):
    for _ in range(10):
        with database.write() as connection:
            connection.execute(delete(schema.installation))
        assert all_at_once(lambda: versions.note(database)) != []
        with database.read() as connection:
            assert versions.refusal(connection) is None
