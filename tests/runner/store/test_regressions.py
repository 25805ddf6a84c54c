"""A regression test through the store and the coordinator: it ends at the same slot for any workers."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from erqiwang_runner.coordinator import Coordinator
from erqiwang_runner.exit_codes import ExitCode
from erqiwang_runner.export.exported_test import ExportedTest
from erqiwang_runner.export.source import lines
from erqiwang_runner.formats import Format, FormatSettings
from erqiwang_runner.regression import RegressionTest
from erqiwang_runner.sequential import Hypotheses, Question
from erqiwang_runner.store import regressions, schema, tournaments
from erqiwang_runner.store.reader import SqlResults
from erqiwang_runner.store.regressions import NEW, OLD, Compared
from erqiwang_runner.store.states import TournamentState
from erqiwang_runner.store.summary import summarise
from erqiwang_runner.tournament_spec import AUTOMATIC

DELTA = 0.2
ON_SQLITE = pytest.mark.parametrize("database", ["sqlite"], indirect=True)


@pytest.fixture
def ask(database, make_spec):
    """Submit a test of two bots that never run."""

    def make(name="t", *, boards=60, priority=0, question=Question.GAIN, boards_per_match=6):
        spec = make_spec(
            name,
            boards=boards + 2,
            boards_per_match=boards_per_match,
            entries=2,
            set_type="pair22",
            format=FormatSettings(format=Format.REGRESSION),
        )
        test = RegressionTest(NEW, OLD, 24, question, Hypotheses.asking(question, DELTA), boards)
        with database.write() as connection:
            key = regressions.create(connection, spec, test, Compared(name, "a", "b", "erqi", DELTA))
            tournaments.set_priority(connection, key, priority)
            tournaments.start(connection, key)
        return test

    return make


@pytest.fixture
def luck(season, monkeypatch):
    """Let the new version gain `lead` points a play, with luck that is the same on every deal."""

    def make(lead):
        board = season._board

        def lucky(claim, slot, forfeits):
            played = board(claim, slot, forfeits)
            rng = random.Random(slot.slot.n)
            tables = []
            for table in played.tables:
                raw = [rng.randint(-3, 3) + lead * (entry == NEW) for entry in table.result.entries]
                scores = tuple(4 * each - sum(raw) for each in raw)
                tables.append(replace(table, result=replace(table.result, scores=scores)))
            return replace(played, tables=tuple(tables))

        monkeypatch.setattr(season, "_board", lucky)

    return make


def found(database, name="t"):
    with database.read() as connection:
        stored = regressions.find(connection, name)
        return stored, regressions.report_of(connection, stored)


@pytest.mark.parametrize(
    ("database", "lead", "code"),
    [("sqlite", 2, ExitCode.YES), ("postgresql", -2, ExitCode.NO)],
    indirect=["database"],
)
def test_it_ends_at_the_same_slot_whatever_the_order_of_play(lead, code, ask, luck, season, database):
    luck(lead)
    expected = None
    for name, more in {
        "one": {"window": 1, "pick": 0},
        "many": {"window": 9, "coordinators": 2},
    }.items():
        ask(name)
        season.play(name, **more)
        stored, report = found(database, name)
        assert season.row(name).state is TournamentState.FINISHED
        assert report.exit_code is code
        assert stored.decided_by == report.slots >= 36
        assert stored.report == report.to_object()
        expected = expected or report.to_object()
        assert report.to_object() == expected
        progress = season.progress(name)
        assert progress.planned == progress.played + progress.explained == 62
        assert report.slots <= progress.played
        reason = f"the test was decided after slot {report.slots - 1}"
        assert summarise(database, name).given_up.get(reason, 0) == progress.explained
        assert progress.explained or name == "many"
    with database.read() as connection:
        assert connection.execute(schema.ratings.select()).all() == []


@ON_SQLITE
def test_its_export_names_the_question_and_is_judged_again(ask, luck, season, database, told):
    luck(2)
    ask()
    season.play("t", window=1)
    assert ("test.decided", {"test": "t", "verdict": "accepted"}) in told()
    _, report = found(database)
    with database.read() as connection:
        row = season.row("t")
        header, *rest = lines(connection, row, SqlResults(database).tournament("t"))
    said = header["regression"]
    assert (said["question"], said["delta"], said["max_board_sets"]) == ("gain", DELTA, 60)
    assert said["report"] == report.to_object()
    left = [each["n"] for each in rest if each["kind"] == "slot" and each["state"] == "void"]
    assert summarise(database, "t").line().endswith(f"played, {len(left)} not needed after the verdict")
    boards = list(SqlResults(database).board_sets("t"))
    for verdict, difference in (("accepted", None), ("rejected", "verdict is claimed to be 'rejected'")):
        said["report"]["verdict"] = verdict
        test = ExportedTest.of(header, SqlResults(database).tournament("t"))
        told = test.difference(test.report(boards, frozenset(left)))
        assert told is None if difference is None else told.startswith(difference)
    said["delta"] = 0
    with pytest.raises(ValueError, match="delta"):
        ExportedTest.of(header, SqlResults(database).tournament("t"))


@ON_SQLITE
def test_no_verdict_is_the_end_of_the_plan(ask, luck, season, database):
    luck(0)
    ask(boards=12)
    season.play("t")
    stored, report = found(database)
    assert report.exit_code is ExitCode.INCONCLUSIVE
    assert (report.judgement.sets, report.slots, stored.decided_by) == (12, 12, 12)
    assert season.progress("t").explained <= 2


@ON_SQLITE
@pytest.mark.parametrize(("spoiler", "code"), [(NEW, ExitCode.NO), (OLD, ExitCode.INVALID_DATA)])
def test_who_spoils_three_boards_ends_it_and_is_not_suspended_before(
    spoiler, code, ask, luck, season, database
):
    luck(0)
    ask()
    season.play("t", pick=0, forfeits=lambda entry, slot: entry == spoiler and slot.n in (4, 5, 9))
    _, report = found(database)
    assert report.exit_code is code
    assert report.slots == 10
    assert summarise(database, "t").suspended == ()


@ON_SQLITE
def test_a_play_under_way_when_it_is_decided_stores_nothing_more(ask, luck, season, database, queue):
    luck(3)
    ask()
    coordinator = Coordinator(database, queue, window=9)
    while season.row("t").state is TournamentState.RUNNING:
        coordinator.step()
        if queue.matches:
            season.play_match(queue.matches.pop(0), lambda entry, slot: False)
    waiting = list(queue.matches)
    assert waiting
    before = season.progress("t")
    for match in waiting:
        season.play_match(match, lambda entry, slot: False)
    assert season.progress("t") == before


@ON_SQLITE
def test_the_same_question_finds_its_test_until_that_is_cancelled(ask, database):
    ask("t")
    with database.write() as connection:
        stored = regressions.with_key(connection, "t")
        assert stored is not None
        assert stored.tournament.name == "t"
        connection.execute(schema.tournaments.update().values(state=TournamentState.CANCELLED.value))
        assert regressions.with_key(connection, "t") is None
        assert regressions.find(connection, "nobody") is None
        assert regressions.free_name(connection, "abc") == "test-abc"


@ON_SQLITE
def test_the_higher_priority_is_played_first_and_the_other_goes_on(ask, luck, season, database, queue):
    """A stint of the low one is of more matches than its share: they wait outside of the queue."""
    luck(0)
    ask("low", priority=-1, boards_per_match=AUTOMATIC)
    ask("high", priority=5)
    coordinator = Coordinator(database, queue, window=8)
    coordinator.step()
    assert len(queue.matches) == 8
    for _ in range(8):
        coordinator.step()
        season.play_match(queue.matches.pop(0), lambda entry, slot: False)
    high, low = season.progress("high").played, season.progress("low").played
    assert high > 2 * low > 0
    with database.read() as connection:
        assert [each.tournament.name for each in regressions.every(connection)] == ["high", "low"]
