"""Every format through the store and the coordinator: what is planned does not depend on time."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from erqiwang_runner.errors import UsageError
from erqiwang_runner.formats import Format, FormatSettings
from erqiwang_runner.results import EntryRole, FaultPolicy
from erqiwang_runner.store import planning, schema, tournaments
from erqiwang_runner.store.extension import extend
from erqiwang_runner.store.reader import SqlResults
from erqiwang_runner.store.replacement import replace_disturbed
from erqiwang_runner.store.states import TournamentState
from erqiwang_runner.store.summary import summarise
from erqiwang_runner.store.tournaments import Progress
from erqiwang_runner.tournament_spec import AUTOMATIC


def settings(name, **more):
    return FormatSettings(format=Format(name), **more)


def groups(database):
    with database.read() as connection:
        rows = connection.execute(schema.groups.select().order_by(schema.groups.c.group_no))
        return [tuple(row.entries) for row in rows]


@pytest.mark.parametrize(
    ("format_", "entries", "sets"),
    [
        (settings("round-robin"), 5, 5),
        (settings("match"), 4, 1),
        (settings("gauntlet"), 7, 2),
        (settings("gauntlet", groups=4), 7, 4),
        (settings("cyclic", cycles=1), 11, 11),
        (settings("swiss", rounds=3), 8, 6),
        (settings("bracket", force=True), 8, 3),
        (settings("ladder", groups=7), 6, 7),
    ],
    ids=lambda each: each.format.value if isinstance(each, FormatSettings) else str(each),
)
def test_a_format_is_played_to_its_end(format_, entries, sets, running, season):
    tournament = running(entries=entries, boards=2, boards_per_match=1, format=format_)
    season.play("t", window=3, pick=0)
    assert season.row("t").state is TournamentState.FINISHED
    assert season.progress("t") == Progress(2 * sets, 2 * sets, 0)
    plan = season.plan("t")
    assert [each[0] for each in plan] == list(range(2 * sets))
    assert sorted(each[1] for each in plan) == list(range(2 * sets))
    assert len(groups(season.database)) == tournament.plan.groups == sets


@pytest.mark.parametrize(
    ("format_", "boards"), [(settings("swiss", rounds=4), 3), (settings("bracket", force=True), 7)]
)
def test_rounds_are_the_same_whatever_the_order_of_play(format_, boards, running, season):
    running(name="a", entries=8, boards=boards, boards_per_match=AUTOMATIC, format=format_)
    season.play("a", window=9, pick=0)
    running(name="b", entries=8, boards=boards, boards_per_match=AUTOMATIC, format=format_)
    season.play("b", coordinators=2, window=3, pick=-1)
    assert season.plan("a") == season.plan("b")
    assert season.progress("b") == Progress(*2 * (season.row("b").plan.board_sets,), 0)


def test_swiss_brings_the_like_together(running, season, database):
    running(entries=16, boards=3, boards_per_match=3, format=settings("swiss", rounds=3))
    season.play("t")
    found = groups(database)
    assert found[:4] == [(0, 1, 2, 3), (4, 5, 6, 7), (8, 9, 10, 11), (12, 13, 14, 15)]
    met = Counter(pair for group in found for pair in combinations(sorted(group), 2))
    assert max(met.values()) <= 2
    first, second, *rest = (sum(group) for group in found[8:])
    assert first > second > max(rest)
    seated = Counter(entry for group in found for entry in group)
    assert set(seated.values()) == {3}


def test_an_incomplete_swiss_group_is_filled_by_house_bots(running, season, database):
    running(entries=6, boards=1, boards_per_match=1, format=settings("swiss", rounds=2))
    season.play("t")
    with database.read() as connection:
        roles = {each.number: each.role for each in tournaments.entries(connection, season.row("t").id)}
    for group in groups(database)[1::2]:
        assert [roles[entry] for entry in group[2:]] == [EntryRole.FILLER] * 2
    assert SqlResults(database).board_sets("t")


def test_in_a_bracket_the_stronger_two_go_on(running, season, database):
    running(entries=16, boards=2, boards_per_match=2, format=settings("bracket", force=True))
    season.play("t")
    found = groups(database)
    assert [len(group) for group in found] == [4] * 7
    for place, group in enumerate(found[:4]):
        on = {entry for later in found[4:6] for entry in later} & set(group)
        assert on == set(sorted(group)[2:]), place
    assert set(found[6]) == {entry for group in found[4:6] for entry in sorted(group)[2:]}


def test_a_round_waits_for_all_of_the_one_before(running, season, database):
    running(entries=8, boards=4, boards_per_match=1, format=settings("swiss", rounds=2))
    season.play("t", times=7)
    assert len(groups(database)) == 2
    season.play("t", times=1)
    assert len(groups(database)) == 2
    season.play("t", times=1)
    assert len(groups(database)) == 4


def test_nothing_is_planned_beyond_what_may_be_decided(running, season):
    running(boards=40, boards_per_match=1, look_back=5)
    assert extend(season.database, season.row("t"), 100) == 6
    season.play("t", times=3, pick=0, window=100)
    assert len(season.plan("t")) == 8


def test_a_million_matches_need_no_room(running, season):
    tournament = running(boards=3_000_000, boards_per_match=3)
    assert tournament.plan.stints == 1_000_000
    season.play("t", window=5, times=3)
    assert len(season.plan("t")) == 3 * 7
    plan = tournament.plan
    for number in (0, 17, 999_999):
        claim = plan.stint(number)
        assert plan.position(claim.group, claim.first_n) == 3 * number


def always(*entries):
    return lambda entry, slot: entry in entries


def test_those_who_did_nothing_wrong_get_another_board(running, season, database):
    running(boards=3, boards_per_match=3)
    season.play("t", forfeits=lambda entry, slot: entry == 2 and slot.n == 1)
    assert season.progress("t") == Progress(3, 3, 0)
    plan = season.plan("t")
    assert [(each[0], each[1], each[2]) for each in plan] == [
        (0, 0, "finished"),
        (1, 1, "forfeited"),
        (1, 4, "finished"),
        (2, 2, "finished"),
    ]
    assert sorted(plan[2][3]) == [0, 1, 3, 4]
    assert season.row("t").state is TournamentState.FINISHED


def test_who_forfeits_the_replacement_is_replaced_too(running, season):
    running(boards=1, boards_per_match=1)
    season.play("t", forfeits=always(1, 2))
    states = [each[2] for each in season.plan("t")]
    assert states == ["forfeited", "finished"]
    running(name="u", boards=1, boards_per_match=1)
    season.play("u", forfeits=lambda entry, slot: entry == 3 or entry == 4)
    assert [sorted(each[3]) for each in season.plan("u")] == [[0, 1, 2, 3], [0, 1, 2, 4], [0, 1, 2, 5]]


@pytest.mark.parametrize(
    "more",
    [{"fault_policy": FaultPolicy.AUTOPLAY}, {"set_type": "pair22", "entries": 2}],
    ids=["autoplay", "two"],
)
def test_no_replacement_where_nobody_is_owed_one(more, running, season):
    running(boards=2, boards_per_match=1, **more)
    season.play("t", forfeits=always(1))
    assert [each[2] for each in season.plan("t")] == ["finished"] * 2


def suspended(season, name="t"):
    entries = schema.entries
    with season.database.read() as connection:
        rows = connection.execute(
            entries.select().where(entries.c.tournament_id == season.row(name).id, entries.c.suspended)
        )
        return {row.number: row.suspended_at for row in rows}


def test_three_faults_in_a_row_suspend_at_the_same_slot_in_every_order(running, season):
    shape = {"boards": 12, "boards_per_match": 1, "look_back": 4}
    faulty = always(1)
    running(name="a", **shape)
    season.play("a", forfeits=faulty, window=9, pick=0)
    running(name="b", **shape)
    season.play("b", forfeits=faulty, coordinators=2, window=2)
    assert season.plan("a") == season.plan("b")
    assert suspended(season, "a") == suspended(season, "b") == {1: 3}
    seats = [1 in each[3] for each in season.plan("a") if each[2] != "finished" or each[1] < 12]
    # Three boards suspend it, and those up to the look-back were decided before.
    assert seats == [True] * 7 + [False] * 5
    assert season.progress("a") == Progress(12, 12, 0)
    assert next(each for each in SqlResults(season.database).entries("a") if each.id == 1).suspended


def test_the_last_boards_are_counted_before_the_end(running, season, database):
    tournament = running(boards=3, boards_per_match=1, set_type="pair22", entries=2)
    extend(database, tournament, 3)
    for match, _ in planning.waiting(database, tournament.id):
        season.play_match(match, always(1))
    replace_disturbed(database, tournament)
    assert planning.finish_if_complete(database, tournament)
    assert season.row("t").settled == 3
    assert suspended(season) == {1: 2}


def test_one_crash_is_one_event_however_many_boards_it_cost(running, season):
    running(boards=20, boards_per_match=10)
    season.play("t", forfeits=lambda entry, slot: entry == 1 and slot.n < 9)
    assert suspended(season) == {}


def test_boards_that_nobody_is_left_for_are_explained(running, season):
    running(boards=10, boards_per_match=1, look_back=2, set_type="pair22", entries=2)
    season.play("t", forfeits=always(0))
    assert season.progress("t") == Progress(10, 4, 6)
    assert summarise(season.database, "t").given_up == {"suspended for its faults: bot0@1": 6}
    assert season.row("t").state is TournamentState.FINISHED


def test_a_suspended_entry_does_not_go_on(running, season, database):
    running(entries=8, boards=6, boards_per_match=1, look_back=2, format=settings("bracket", force=True))
    season.play("t", forfeits=lambda entry, slot: entry == 7 and slot.n >= 3)
    assert suspended(season).keys() == {7}
    assert 7 not in groups(database)[2]


@pytest.mark.parametrize(
    ("format_", "entries", "said"),
    [
        (settings("match"), 5, "a match is of 4 entries, not 5"),
        (settings("bracket", force=True), 12, "4, 8, 16, 32, … entries, not 12"),
        (settings("bracket"), 8, "48 or more"),
    ],
)
def test_a_field_that_does_not_fit_is_refused(format_, entries, said, make_spec):
    with pytest.raises(UsageError, match=said):
        make_spec(entries=entries, format=format_)


def test_parameters_of_other_formats_are_refused():
    with pytest.raises(UsageError, match="rounds is of the format swiss, not of match"):
        settings("match", rounds=3)
    with pytest.raises(UsageError, match="cycles is 0"):
        settings("cyclic", cycles=0)


def test_three_entries_play_with_a_house_bot(running, season, database):
    running(entries=3, boards=3, boards_per_match=3, set_type="klein4h")
    season.play("t")
    assert groups(database) == [(0, 1, 2, 3)]
    with database.read() as connection:
        assert tournaments.entries(connection, season.row("t").id)[3].role is EntryRole.FILLER


def ladder(**more):
    return settings("ladder", **more)


def test_a_ladder_is_the_same_whatever_the_order_of_play(running, season):
    common = {"entries": 9, "boards": 3, "boards_per_match": AUTOMATIC, "format": ladder(groups=36)}
    running(name="a", round_look_back=64, **common)
    season.play("a", window=9, pick=0)
    running(name="b", round_look_back=64, **common)
    season.play("b", coordinators=2, window=3, pick=-1)
    assert season.plan("a") == season.plan("b")
    assert season.progress("b") == Progress(108, 108, 0)
    assert season.row("b").state is TournamentState.FINISHED


def test_a_ladder_chooses_by_results(running, season, database):
    """The bots of the season win by their numbers: like meets like once that is known."""
    running(entries=12, boards=3, boards_per_match=3, format=ladder(groups=64))
    season.play("t")
    found = groups(database)
    assert all(len(set(group)) == 4 for group in found)
    seated = Counter(entry for group in found for entry in group)
    # A hundredth of 192 boards, in groups of three.
    assert set(seated) == set(range(12))
    assert min(seated.values()) >= 6

    def spread(part):
        pairs = [abs(a - b) for group in part for a, b in combinations(group, 2)]
        return sum(pairs) / len(pairs)

    assert spread(found[48:]) < spread(found[:16])


def test_a_suspended_bot_leaves_the_ladder(running, season, database):
    running(entries=6, boards=3, boards_per_match=3, look_back=8, format=ladder(groups=24))
    season.play("t", forfeits=always(2))
    assert season.row("t").state is TournamentState.FINISHED
    found = groups(database)
    assert any(2 in group for group in found[:16])
    assert not any(2 in group for group in found[16:])
    progress = season.progress("t")
    assert progress.is_complete
