from fractions import Fraction
from itertools import permutations
from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from erqiwang_runner.comparisons import comparisons_of
from erqiwang_runner.points_table import Share, mean_of, points_table
from erqiwang_runner.ratings import rate
from erqiwang_runner.results import BoardSet, EntryRole, FaultPolicy, Slot, TableResult
from erqiwang_runner.scoring import ScoringRule, raw_tallies, score_set
from erqiwang_runner.seating import SET_TYPES

RULE = ScoringRule(FaultPolicy.FORFEIT, 24)
COMPLETE = sorted(SET_TYPES)


def hand_luck(seats):
    """A game in which the cards decide everything: the declarer's seat wins by an amount of the board."""

    def points(n, table, entries):
        prize = 1 + n % 3
        return [(seats - 1) * prize if seat == n % seats else -prize for seat in range(seats)]

    return points


def by_strength(strength):
    """Each entry gains its lead over the mean of the table, times the seats to stay integer."""

    def points(n, table, entries):
        total = sum(strength[entry] for entry in entries)
        return [len(entries) * strength[entry] - total for entry in entries]

    return points


@pytest.mark.parametrize("name", COMPLETE)
def test_pure_luck_draws_every_comparison_exactly(name, play_set):
    each = SET_TYPES[name]
    group = tuple(range(10, 10 + each.entries))
    for n in range(2 * each.cycle):
        scored = score_set(play_set(name, group, n, hand_luck(each.seats)), {}, RULE)
        assert len(scored.comparisons) == each.entries * (each.entries - 1) // 2
        assert all(pair.difference == 0 and pair.half_points == 1 for pair in scored.comparisons)


@pytest.mark.parametrize("name", ["klein4", "pair22", "cyc3", "pair21"])
def test_pure_luck_gives_equal_ratings(name, play_set):
    each = SET_TYPES[name]
    group = tuple(range(each.entries))
    sets = [score_set(play_set(name, group, n, hand_luck(each.seats)), {}, RULE) for n in range(6)]
    (scale,) = rate(comparisons_of(sets))
    assert scale.elo.values == pytest.approx([1500] * each.entries)
    assert scale.elo.pair_errors() == pytest.approx(0)
    assert [record.draws for record in scale.records] == [6 * (each.entries - 1)] * each.entries


def test_advantage_of_a_seat_cancels(play_set):
    for n in range(6):
        board = play_set("klein4", (1, 2, 3, 4), n, lambda *_: (3, -1, -1, -1))
        assert {tally.total for tally in raw_tallies(board).values()} == {0}


@pytest.mark.parametrize("name", COMPLETE)
def test_strength_shows_as_the_difference_of_means(name, play_set):
    each = SET_TYPES[name]
    strength = {entry: entry * entry for entry in range(each.entries)}
    scored = score_set(play_set(name, tuple(range(each.entries)), 0, by_strength(strength)), {}, RULE)
    for pair in scored.comparisons:
        if name not in ("double3", "field8"):  # whose opponents' means differ between entries
            assert (pair.difference > 0) == (strength[pair.first] > strength[pair.second])
        assert pair.score == {0: 0.0, 1: 0.5, 2: 1.0}[pair.half_points]


def test_names_of_contestants_only_permute_the_result(play_set):
    strength = [0, 1, 3, 7]
    base = raw_tallies(play_set("klein4", (0, 1, 2, 3), 1, by_strength(strength)))
    for names in permutations(range(4)):
        renamed = {names[entry]: strength[entry] for entry in range(4)}
        totals = raw_tallies(play_set("klein4", names, 1, by_strength(renamed)))
        assert {names[entry]: base[entry].total for entry in range(4)} == {
            e: t.total for e, t in totals.items()
        }


@given(st.lists(st.integers(-50, 50), min_size=16, max_size=16))
def test_outcome_is_the_sign_of_the_exact_margin(values):
    tables = tuple(
        TableResult(0, 0, 0, 0, t, entries, (0, 1, 2, 3), (a, b, c, -a - b - c), None, (False,) * 4)
        for t, (entries, a, b, c) in enumerate(
            (entries, *values[4 * k : 4 * k + 3])
            for k, entries in enumerate([(1, 1, 2, 3), (2, 1, 3, 3), (3, 2, 1, 2)])
        )
    )
    board = BoardSet(Slot(0, 0, 0), 0, tables)
    tallies = raw_tallies(board)
    for pair in score_set(board, {}, RULE).comparisons:
        one, two = tallies[pair.first], tallies[pair.second]
        margin = Fraction(one.total, one.plays) - Fraction(two.total, two.plays)
        assert Fraction(pair.difference, pair.scale) == margin
        assert pair.half_points == 1 + (margin > 0) - (margin < 0)


def test_weight_is_two_over_the_rated_entries(play_set):
    board = play_set("klein4", (1, 2, 3, 4), 0, hand_luck(4))
    assert score_set(board, {}, RULE).weight == 0.5
    filled = score_set(board, {4: EntryRole.FILLER}, RULE)
    assert filled.weight == pytest.approx(2 / 3)
    assert {(pair.first, pair.second) for pair in filled.comparisons} == {(1, 2), (1, 3), (2, 3)}
    assert [tally.entry for tally in filled.tallies] == [1, 2, 3]
    pair = score_set(play_set("pair22", (1, 2), 0, hand_luck(4)), {}, RULE)
    assert pair.weight == 1.0


def test_offender_loses_to_all_and_innocents_are_void(play_set):
    board = play_set("klein4", (1, 2, 3, 4), 0, by_strength([0, 9, 1, 2, 3]), forfeits=[(2, 3)])
    (offender,) = board.offenders
    scored = score_set(board, {}, RULE)
    assert scored.is_disturbed
    assert [tally.entry for tally in scored.tallies] == [offender]
    assert scored.tallies[0].forfeit
    assert scored.tallies[0].mean <= -24
    assert len(scored.comparisons) == 3
    for pair in scored.comparisons:
        assert offender in (pair.first, pair.second)
        assert pair.score == (0.0 if pair.first == offender else 1.0)
        assert abs(pair.margin) == 24


def test_offender_keeps_a_worse_result_of_its_own(play_set):
    board = play_set("klein4", (1, 2, 3, 4), 0, by_strength([0, -99, 1, 2, 3]), forfeits=[(0, 0)])
    scored = score_set(board, {}, RULE)
    assert scored.tallies[0].total == raw_tallies(board)[1].total < -24 * 4


def test_offenders_of_one_board_are_not_compared(play_set):
    board = play_set("klein4", (1, 2, 3, 4), 0, hand_luck(4), forfeits=[(0, 0), (0, 1)])
    pairs = {(pair.first, pair.second): pair.score for pair in score_set(board, {}, RULE).comparisons}
    assert pairs == {(1, 3): 0.0, (1, 4): 0.0, (2, 3): 0.0, (2, 4): 0.0}


def test_forfeit_of_a_filler_voids_the_board(play_set):
    board = play_set("klein4", (1, 2, 3, 4), 0, hand_luck(4), forfeits=[(0, 3)])
    scored = score_set(board, {4: EntryRole.FILLER}, RULE)
    assert scored.tallies == ()
    assert scored.comparisons == ()


def test_forfeit_loses_even_where_the_penalty_is_zero(play_set):
    board = play_set("pair22", (1, 2), 0, by_strength([0, 5, 1]), forfeits=[(0, 0)])
    (pair,) = score_set(board, {}, ScoringRule(FaultPolicy.FORFEIT, 0)).comparisons
    assert pair.score == 0.0
    with pytest.raises(ValueError, match="not negative"):
        ScoringRule(FaultPolicy.FORFEIT, -1)


def test_autoplayed_tables_count_like_any_other(play_set):
    spoiled = play_set("klein4", (1, 2, 3, 4), 0, hand_luck(4), forfeits=[(0, 0)])
    clean = play_set("klein4", (1, 2, 3, 4), 0, hand_luck(4))
    rule = ScoringRule(FaultPolicy.AUTOPLAY, 24)
    assert score_set(spoiled, {}, rule) == score_set(clean, {}, rule)


def test_points_table_has_mean_error_roles_and_seats(play_set):
    boards = [play_set("klein4", (1, 2, 3, 4), n, by_strength([0, 1, 2, 3, n])) for n in range(6)]
    table = points_table((board, score_set(board, {}, RULE)) for board in boards)
    means = [raw_tallies(board)[1].total / 4 for board in boards]
    assert table[1].points.value == pytest.approx(np.mean(means))
    assert table[1].points.error == pytest.approx(np.std(means, ddof=1) / sqrt(6))
    assert table[1].points.count == 6
    assert (table[1].declarer.plays, table[1].defender.plays) == (6, 18)
    assert [share.plays for share in table[1].seats] == [6, 6, 6, 6]
    assert table[1].declarer.points + table[1].defender.points == sum(
        share.points for share in table[1].seats
    )


def test_the_errors_of_roles_and_seats_are_over_boards(play_set):
    def scores(n, table, entries):
        raw = [(7 * n + 3 * table + entry) % 11 for entry in entries]
        return [4 * each - sum(raw) for each in raw]

    boards = [play_set("klein4", (1, 2, 3, 4), n, scores) for n in range(9)]
    row = points_table((board, score_set(board, {}, RULE)) for board in boards)[1]
    on_seat = [[table.scores[2] for table in board.tables if table.entries[2] == 1] for board in boards]
    assert row.seats[2].error == pytest.approx(np.std(on_seat, ddof=1) / 3)
    # Once on every board it is the error of a mean, and two plays that agree say no more than one.
    assert Share.of([(4, 1), (1, 1), (1, 1)]).error == pytest.approx(np.std([4, 1, 1], ddof=1) / sqrt(3))
    assert Share.of([(4, 1), (0, 0), (1, 1), (1, 1)]) == Share.of([(4, 1), (1, 1), (1, 1)])
    assert Share.of([(8, 2), (2, 2), (2, 2)]).error == pytest.approx(np.std([4, 1, 1], ddof=1) / sqrt(3))
    assert np.isnan(Share.of([(4, 2)]).error)


def test_points_table_counts_a_forfeit_against_the_offender_only(play_set):
    boards = [
        play_set("klein4", (1, 2, 3, 4), 0, hand_luck(4)),
        play_set("klein4", (1, 2, 3, 4), 1, hand_luck(4), forfeits=[(0, 0)]),
    ]
    (offender,) = boards[1].offenders
    table = points_table((board, score_set(board, {}, RULE)) for board in boards)
    assert table[offender].points.value == -12
    assert table[offender].forfeits == 1
    assert {row.points.count for entry, row in table.items() if entry != offender} == {1}
    assert {row.forfeits for entry, row in table.items() if entry != offender} == {0}
    assert {share.plays for row in table.values() for share in row.seats} == {1}


def test_passed_out_tables_have_no_roles(play_set):
    board = play_set("klein4", (1, 2, 3, 4), 0, lambda *_: (0, 0, 0, 0), declarer=None)
    row = points_table([(board, score_set(board, {}, RULE))])[1]
    assert row.declarer == row.defender == Share(0, 0)
    assert np.isnan(row.declarer.mean)


def test_means_of_few_values():
    assert np.isnan(mean_of([]).value)
    assert mean_of([2.5]).value == 2.5
    assert np.isnan(mean_of([2.5]).error)
