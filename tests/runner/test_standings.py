import io
import json
import random
from math import isnan

import pytest
from rich.console import Console

from erqiwang.rules import FaultCause
from erqiwang_runner.cli.standings import show
from erqiwang_runner.errors import UsageError
from erqiwang_runner.exit_codes import ExitCode
from erqiwang_runner.results import Entry, EntryRole, FaultPolicy, Tournament
from erqiwang_runner.scoring import raw_tallies
from erqiwang_runner.standings import read_standings, standings_of
from erqiwang_runner.standings_text import notes, to_object

TOURNAMENT = Tournament("cup", "classic", "klein4", "pool", FaultPolicy.FORFEIT, 24)
ENTRIES = [Entry(number, f"bot{number}@1") for number in range(8)]


def noisy(seed, strength=(0, 1, 2, 3, 4, 5, 6, 7)):
    """Integer points by strength and luck; the hand luck of a board is the same at each of its tables."""

    def points(n, table, entries):
        hand = random.Random(f"{seed}/{n}")
        luck = random.Random(f"{seed}/{n}/{table}")
        raw = [hand.randint(-9, 9) + luck.randint(-3, 3) + strength[entry] for entry in entries]
        return [len(raw) * each - sum(raw) for each in raw]

    return points


@pytest.fixture
def cup(play_set):
    return [play_set("klein4", (0, 1, 2, 3), n, noisy(1)) for n in range(60)]


class Reader:
    """A store in memory."""

    def __init__(self, boards, entries=ENTRIES, faults=None, tournament=TOURNAMENT):
        self._boards, self._entries, self._faults, self._tournament = (
            boards,
            entries,
            faults or {},
            tournament,
        )

    def tournament(self, tournament):
        if tournament not in (None, self._tournament.id):
            raise LookupError(f"there is no tournament {tournament!r}")
        return self._tournament

    def entries(self, tournament):
        return self._entries

    def board_sets(self, tournament):
        return iter(self._boards)

    def faults(self, tournament):
        return self._faults


def printed(reader, **options):
    console = Console(file=io.StringIO(), width=160)
    code = show(reader, None, console, **options)
    return code, console.file.getvalue()


def test_the_stronger_bot_is_first_in_every_column(cup):
    (table,) = standings_of(TOURNAMENT, ENTRIES, cup, {}).tables
    assert [row.entry.id for row in table.rows] == [3, 2, 1, 0]
    assert [row.rank for row in table.rows] == [1, 2, 3, 4]
    for above, below in zip(table.rows, table.rows[1:], strict=False):
        assert above.points.value > below.points.value
        assert above.elo.value > below.elo.value
        assert 0.5 < above.superiority <= 1
        assert above.best_rank <= above.rank <= above.worst_rank
    assert isnan(table.rows[-1].superiority)
    assert all(row.points.count == row.record.boards == 60 for row in table.rows)


def test_order_of_arrival_changes_nothing(cup):
    expected = to_object(standings_of(TOURNAMENT, ENTRIES, cup, {}))
    for seed in range(3):
        shuffled = random.Random(seed).sample(cup, len(cup))
        assert to_object(standings_of(TOURNAMENT, list(reversed(ENTRIES)), shuffled, {})) == expected


def test_points_rating_is_mean_points_in_a_balanced_schedule(cup):
    (table,) = standings_of(TOURNAMENT, ENTRIES, cup, {}).tables
    for row in table.rows:
        assert row.points_rating.value == pytest.approx(row.points.value)


def test_anchors_are_the_origin_and_fillers_are_left_out(cup):
    roles = {0: EntryRole.ANCHOR, 1: EntryRole.FILLER}
    entries = [Entry(n, f"bot{n}@1", roles.get(n, EntryRole.CONTESTANT)) for n in range(4)]
    found = standings_of(TOURNAMENT, entries, cup, {})
    (table,) = found.tables
    assert table.anchors == ("bot0@1",)
    assert {row.entry.id: row for row in table.rows}[0].elo.value == pytest.approx(1500)
    assert {row.entry.id for row in table.rows} == {0, 2, 3}
    assert "relative to the mean of bot0@1 = 1500" in "\n".join(notes(found))


def test_groups_that_never_met_are_in_tables_of_their_own(play_set):
    boards = [play_set("klein4", (0, 1, 2, 3), n, noisy(2)) for n in range(12)]
    boards += [play_set("klein4", (4, 5, 6, 7), n, noisy(3), group_id=1) for n in range(12)]
    found = standings_of(TOURNAMENT, ENTRIES, boards, {})
    assert [sorted(row.entry.id for row in table.rows) for table in found.tables] == [
        [0, 1, 2, 3],
        [4, 5, 6, 7],
    ]
    assert not found.is_connected
    code, text = printed(Reader(boards))
    assert code is ExitCode.INVALID_DATA
    assert "share no scale" in text
    assert printed(Reader(boards), allow_disconnected=True)[0] is ExitCode.YES


def test_a_bot_that_never_lost_is_printed_as_a_bound(play_set):
    boards = [play_set("pair22", (0, 1), n, noisy(4, (0, 500))) for n in range(6)]
    code, text = printed(Reader(boards, ENTRIES[:2]))
    assert code is ExitCode.YES
    assert "<" in text
    assert "bound" in text


def test_pairs_that_do_not_fit_the_ratings_are_named(play_set, cup):
    def helped(n, table, entries):
        # Entry 3 lets entry 0 win, and beats the others.
        worth = {0: 4, 1: 1, 2: 1, 3: 2}
        raw = [worth[entry] + (6 if entry == 3 and 0 not in entries else 0) for entry in entries]
        return [len(raw) * each - sum(raw) for each in raw]

    boards = [play_set("klein4", (0, 1, 2, 3), n, helped) for n in range(20)]
    boards += [
        play_set(
            "klein4",
            (4, 1, 2, 3),
            n,
            lambda n, table, entries: [9 if e == 3 else -3 for e in entries],
            group_id=1,
        )
        for n in range(60)
    ]
    boards += [
        play_set(
            "klein4",
            (0, 1, 2, 4),
            n,
            lambda n, table, entries: [-9 if e == 0 else 3 for e in entries],
            group_id=2,
        )
        for n in range(60)
    ]
    said = list(notes(standings_of(TOURNAMENT, ENTRIES, boards, {})))
    assert any(
        line.startswith("bot0@1 wins more against bot3@1 than the ratings say (z = +") for line in said
    )
    assert not any(
        "than the ratings say" in line for line in notes(standings_of(TOURNAMENT, ENTRIES, cup, {}))
    )


def test_forfeits_and_faults_are_shown_with_the_offender(play_set):
    boards = [play_set("klein4", (0, 1, 2, 3), n, noisy(5)) for n in range(12)]
    boards.append(play_set("klein4", (0, 1, 2, 3), 12, noisy(5), forfeits=[(0, 0)]))
    (offender,) = boards[-1].offenders
    found = standings_of(
        TOURNAMENT, ENTRIES, boards, {offender: {FaultCause.CRASHED: 2, FaultCause.ILLEGAL: 1}}
    )
    rows = {row.entry.id: row for row in found.tables[0].rows}
    assert rows[offender].forfeits == 1
    assert rows[offender].points.count == 13
    assert {row.points.count for entry, row in rows.items() if entry != offender} == {12}
    assert sum(rows[offender].faults.values()) == 3
    assert found.forfeited_sets == 1
    (spoiled,) = to_object(found)["spoiled_boards"]
    assert (spoiled["n"], spoiled["generation"], spoiled["offenders"]) == (12, 0, [offender])
    others = {each["entry"]: each["points_per_play"] for each in spoiled["others"]}
    assert others == {
        entry: tally.mean for entry, tally in raw_tallies(boards[-1]).items() if entry != offender
    }
    assert rows[offender].elo_without_forfeits > rows[offender].elo.value
    text = "\n".join(notes(found))
    assert f"bot{offender}@1 spoiled 1; without them its Elo would be +" in text
    assert "Below 30 boards" in text
    faults = {row["entry"]: row["faults"] for row in to_object(found)["tables"][0]["rows"]}
    assert faults[offender] == {"crashed": 2, "illegal": 1}


def test_duplicate_play_is_seen_to_help(cup):
    found = standings_of(TOURNAMENT, ENTRIES, cup, {})
    assert found.variance.ratio > 2
    assert "rough" not in "\n".join(notes(found))
    assert all(isnan(row.elo_without_forfeits) for row in found.tables[0].rows)
    assert "Variance ratio of duplicate play" in "\n".join(notes(found))


def test_equal_bots_are_ranked_by_entry_and_nothing_else(play_set):
    boards = [play_set("klein4", (3, 2, 1, 0), n, lambda *_: (3, -1, -1, -1)) for n in range(3)]
    (table,) = standings_of(TOURNAMENT, ENTRIES, boards, {}).tables
    assert [row.entry.id for row in table.rows] == [0, 1, 2, 3]
    assert {(row.best_rank, row.worst_rank) for row in table.rows} == {(1, 4)}
    assert {row.superiority for row in table.rows[:-1]} == {0.5}


def test_pairs_add_up_to_the_rows(cup):
    (table,) = standings_of(TOURNAMENT, ENTRIES, cup, {}).tables
    values = {row.entry.id: row.elo.value for row in table.rows}
    pairs = table.pairs()
    assert len(pairs) == 6
    for pair in pairs:
        assert pair.elo.value == pytest.approx(values[pair.first] - values[pair.second])
        assert pair.boards == 60


def test_json_is_readable_and_complete(cup):
    code, text = printed(Reader(cup), as_json=True)
    found = json.loads(text)
    assert code is ExitCode.YES
    assert found["format"] == "erqiwang.standings/1"
    assert found["tables"][0]["relative_to"] == "mean of the table"
    row = found["tables"][0]["rows"][0]
    assert row["bot"] == "bot3@1"
    assert row["superiority_over_next"] > 0.5
    assert found["tables"][0]["rows"][-1]["superiority_over_next"] is None
    assert len(found["tables"][0]["pairs"]) == 6


def test_no_result_yet():
    code, text = printed(Reader([]))
    assert code is ExitCode.YES
    assert "No rated board is finished yet." in text


def test_one_board_has_no_error_yet(play_set):
    code, text = printed(Reader([play_set("klein4", (0, 1, 2, 3), 0, noisy(1))]))
    assert code is ExitCode.YES
    assert "not known yet" in text
    assert json.loads(printed(Reader([play_set("klein4", (0, 1, 2, 3), 0, noisy(1))]), as_json=True)[1])


def test_unknown_tournament_is_a_usage_error(cup):
    with pytest.raises(UsageError, match="there is no tournament 'x'"):
        show(Reader(cup), "x", Console(file=io.StringIO()))
    assert read_standings(Reader(cup), "cup").tournament is TOURNAMENT
