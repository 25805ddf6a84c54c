import time

import pytest
from prometheus_client import CollectorRegistry, generate_latest
from sqlalchemy import insert, select, update

from erqiwang_runner.contestants import Contestant
from erqiwang_runner.exporter import RunnerCollector
from erqiwang_runner.store import schema, tournaments
from erqiwang_runner.store.engine import Database
from erqiwang_runner.store.figures import SqlFigures
from erqiwang_runner.store.leaderboard import Leaderboard, Leaderboards
from erqiwang_runner.store.reader import SqlResults
from erqiwang_runner.tournament_spec import EntrySpec, TournamentSpec


@pytest.fixture
def database(tmp_path):
    opened = Database(f"sqlite:///{tmp_path / 'erqi.sqlite3'}")
    schema.metadata.create_all(opened.engine)
    yield opened
    opened.close()


@pytest.fixture
def cup(database):
    """A running tournament of four bots with one match of six boards, none of them played."""
    entries = tuple(EntrySpec(Contestant(f"bot{k}", "1", ("true",), f"{k}" * 64)) for k in range(4))
    spec = TournamentSpec(name="cup", seed_text="x", entries=entries, boards=6, boards_per_match=6)
    with database.write() as connection:
        key = tournaments.create(connection, spec)
        tournaments.start(connection, key)
        match = {
            "id": 1,
            "tournament_id": key,
            "epoch": 0,
            "group_no": 0,
            "first_n": 0,
            "end_n": 6,
            "state": "leased",
            "fence": 1,
            "attempts": 1,
            "idle_attempts": 0,
            "lease_owner": "host/1/1",
            "generation": 0,
            "entries": [0, 1, 2, 3],
        }
        connection.execute(insert(schema.matches).values(match))
        attempt = {
            "id": 1,
            "match_id": 1,
            "number": 1,
            "worker": "w",
            "host": "h",
            "run_id": "r",
            "sandbox_level": "none",
            "started_at": 0.0,
            "outcome": "running",
            "sets_stored": 0,
        }
        connection.execute(insert(schema.attempts).values(attempt))
        slots = [
            dict(zip(schema.SLOT_KEY, (key, 0, 0, n, 0), strict=True))
            | {"deal_index": n, "position": n, "state": "planned", "match_id": 1}
            for n in range(6)
        ]
        connection.execute(insert(schema.slots), slots)
    return key


def store_set(database, key, board):
    with database.write() as connection:
        table = schema.slots
        here = (table.c.tournament_id == key) & (table.c.n == board.slot.n)
        connection.execute(update(table).where(here).values(state="finished"))
        for each in board.tables:
            row = dict(zip(schema.SLOT_KEY, (key, 0, 0, each.n, 0), strict=True)) | {
                "table_no": each.table,
                "entries": each.entries,
                "columns": each.columns,
                "scores": each.scores,
                "forfeits": each.forfeits,
                "declarer": each.declarer,
                "decisions": 100,
                "moves_hash": "m",
                "deal_hash": "d",
                "attempt_id": 1,
                "worker": "w",
                "sandbox_level": "none",
                "stored_at": 0.0,
            }
            connection.execute(insert(schema.table_results).values(row))


def play(database, key, play_set, boards):
    for n in boards:
        store_set(database, key, play_set("klein4", (0, 1, 2, 3), n, by_number))


def by_number(n, table, entries):
    """Let the higher entry gain more."""
    return [4 * entry - sum(entries) for entry in entries]


def test_an_empty_store_has_every_state_with_zero(database):
    found = SqlFigures(database).figures()
    assert found.tournaments == dict.fromkeys(("created", "running", "paused", "finished", "cancelled"), 0)
    assert found.matches == {"open": 0, "leased": 0, "retry": 0, "finished": 0}
    assert set(found.faults.values()) == {0}
    assert {"crashed", "illegal", "platform"} <= set(found.faults)
    assert (found.workers, found.decisions, found.ratings, found.leaderboard_times) == (0, 0, (), {})


def test_figures_count_what_is_there(database, cup, play_set):
    play(database, cup, play_set, range(2))
    found = SqlFigures(database).figures()
    assert found.tournaments["running"] == 1
    assert found.matches["leased"] == 1
    assert found.board_sets == {
        "planned": 4,
        "finished": 2,
        **dict.fromkeys(("replaced", "void", "disturbed", "forfeited"), 0),
    }
    assert found.tables == {"planned": 16, "finished": 8}
    assert found.decisions == 800
    assert found.workers == 1
    assert found.attempts == {"completed": 0, "void": 0, "lost": 0, "interrupted": 0}


def test_only_counted_faults_are_counted(database, cup):
    fault = {"tournament_id": cup, "attempt_id": 1, "entry": 0, "detail": "", "happened_at": 0.0}
    with database.write() as connection:
        rows = [fault | {"cause": "crashed", "counted": counted} for counted in (True, True, False)]
        connection.execute(insert(schema.faults), rows)
    assert SqlFigures(database).figures().faults["crashed"] == 2


def test_leaderboard_is_as_old_as_its_ratings(database, cup, play_set):
    started = SqlFigures(database).figures().leaderboard_times["cup"]
    assert started == pytest.approx(time.time(), abs=60)
    play(database, cup, play_set, range(6))
    Leaderboard(database, "cup").refresh()
    with database.write() as connection:
        connection.execute(update(schema.ratings).values(computed_at=123.0))
    assert SqlFigures(database).figures().leaderboard_times == {"cup": 123.0}
    with database.write() as connection:
        tournaments.finish(connection, cup)
    assert SqlFigures(database).figures().leaderboard_times == {}


def test_refreshed_ratings_are_those_of_the_standings(database, cup, play_set):
    play(database, cup, play_set, range(6))
    Leaderboard(database, "cup").refresh()
    ratings = SqlFigures(database).figures().ratings
    assert [each.bot for each in ratings] == ["bot0@1", "bot1@1", "bot2@1", "bot3@1"]
    assert [each.elo for each in ratings] == sorted(each.elo for each in ratings)
    assert {each.pool for each in ratings} == {SqlResults(database).tournament("cup").pool}
    assert {each.boards for each in ratings} == {6}
    assert all(each.error >= 0 for each in ratings)


def test_unknown_error_is_left_out(database, cup, play_set):
    play(database, cup, play_set, range(1))
    Leaderboard(database, "cup").refresh()
    assert {each.error for each in SqlFigures(database).figures().ratings} == {None}


def test_refreshing_without_new_results_renews_the_time_only(database, cup, play_set):
    play(database, cup, play_set, range(3))
    leaderboard = Leaderboard(database, "cup")
    leaderboard.refresh()
    with database.write() as connection:
        connection.execute(update(schema.ratings).values(computed_at=1.0, rating=7.0))
    leaderboard.refresh()
    with database.read() as connection:
        times, values = zip(
            *connection.execute(select(schema.ratings.c.computed_at, schema.ratings.c.rating)), strict=True
        )
    assert min(times) > 1
    assert set(values) == {7.0}
    play(database, cup, play_set, range(3, 4))
    leaderboard.refresh()
    assert {each.boards for each in SqlFigures(database).figures().ratings} == {4}


def test_refreshing_keeps_to_its_share_of_time(database, cup):
    # The clock is read before and after a refresh: it takes 3 s here, so the next is due 150 s after its end.
    times = iter([0.0, 3.0, 152.9, 153.0, 153.1, 163.0, 163.2, 163.3])
    leaderboard = Leaderboard(database, "cup", clock=lambda: next(times))
    assert [leaderboard.refresh_if_due() for _ in range(5)] == [True, False, True, False, True]


def test_exporter_serves_the_figures_of_a_store(database, cup, play_set):
    play(database, cup, play_set, range(6))
    Leaderboard(database, "cup").refresh()
    registry = CollectorRegistry()
    registry.register(RunnerCollector(SqlFigures(database), None))
    text = generate_latest(registry).decode()
    assert 'erqiwang_runner_board_sets{state="finished"} 6.0' in text
    assert "erqiwang_runner_leaderboard_age_seconds{" in text
    assert text.count("erqiwang_runner_rating_elo{") == 4


def test_leaderboards_survive_what_they_cannot_compute(database, cup, play_set, caplog):
    leaderboards = Leaderboards(database)
    leaderboards.refresh("nobody")
    assert "the ratings of tournament nobody cannot be computed" in caplog.text
    play(database, cup, play_set, range(6))
    leaderboards.close("cup")
    assert len(SqlFigures(database).figures().ratings) == 4
