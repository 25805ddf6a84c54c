"""What an export says of who met whom is decided again from its own results, in every format."""

from __future__ import annotations

import re
from copy import deepcopy

import pytest

from erqiwang_runner.export.pairings import Pairings
from erqiwang_runner.export.played_slots import PlayedSlots
from erqiwang_runner.export.source import lines
from erqiwang_runner.formats import Format, FormatSettings
from erqiwang_runner.ladder_standing import Earlier
from erqiwang_runner.local.games_header import GamesHeader
from erqiwang_runner.results import FaultPolicy
from erqiwang_runner.store.reader import SqlResults

pytestmark = pytest.mark.parametrize("database", ["sqlite"], indirect=True)


def settings(name, **more):
    return FormatSettings(format=Format(name), **more)


def export_of(season, name="t"):
    """The lines of an export, as they would be read."""
    found = SqlResults(season.database).tournament(name)
    with season.database.read() as connection:
        return deepcopy(list(lines(connection, season.row(name), found)))


def as_read(value):
    if isinstance(value, dict):
        return {key: as_read(each) for key, each in value.items()}
    return [as_read(each) for each in value] if isinstance(value, list | tuple) else value


def pairings_of(exported):
    exported = as_read(exported)
    played = PlayedSlots()
    for each in exported[1:]:
        played.take(each)
    return Pairings.of(GamesHeader.read(exported[0]), played)


def differences(exported):
    return list(pairings_of(exported).differences())


EARLIER = (Earlier(1600.0, 20.0, 120), None, Earlier(1480.0, 60.0, 40))
FORMATS = [
    (settings("round-robin"), 5, 2),
    (settings("match"), 4, 6),
    (settings("gauntlet"), 8, 3),
    (settings("cyclic", cycles=1), 11, 1),
    (settings("swiss", rounds=3), 6, 3),
    (settings("bracket", force=True), 8, 3),
    (settings("ladder", groups=4, earlier=(*EARLIER, None, None)), 5, 3),
]


@pytest.mark.parametrize(("format_", "entries", "boards"), FORMATS)
def test_an_honest_export_of_any_format_agrees(format_, entries, boards, running, season):
    shape = {"look_back": 2, "round_look_back": 3 if format_.format is Format.LADDER else 0}
    running(entries=entries, boards=boards, boards_per_match=2, format=format_, **shape)

    def forfeits(entry, slot):
        return entry == 1 or (entry == 3 and (slot.n + slot.group) % 3 == 0)

    season.play("t", forfeits=forfeits, window=5)
    found = pairings_of(export_of(season))
    assert list(found.differences()) == []
    with season.database.read() as connection:
        rows = connection.exec_driver_sql("SELECT number, suspended_at FROM entries WHERE suspended")
        assert found.suspensions == {row[0]: row[1] for row in rows}


@pytest.mark.parametrize("policy", list(FaultPolicy))
def test_two_bots_and_either_policy(policy, running, season):
    running(entries=2, boards=9, boards_per_match=2, set_type="pair22", look_back=3, fault_policy=policy)
    season.play("t", forfeits=lambda entry, slot: entry == 1 and slot.n in (0, 1, 4))
    assert differences(export_of(season)) == []


def test_a_tournament_that_goes_on_agrees_as_far_as_it_is(running, season):
    running(entries=8, boards=4, boards_per_match=2, format=settings("swiss", rounds=3))
    for _ in range(9):
        season.play("t", times=1, pick=0)
        assert differences(export_of(season)) == []


def tables_at(exported, group, n, generation=0):
    return [
        each
        for each in exported
        if each["kind"] == "table"
        and (each["group"], each["n"], each["generation"]) == (group, n, generation)
    ]


def swap_in_round(exported):
    second, third = exported[0]["groups"][2], exported[0]["groups"][3]
    second[0], third[0] = third[0], second[0]


def other_result(exported):
    # The strongest of the first group loses all its boards, so another goes up.
    for n in range(4):
        for each in tables_at(exported, 0, n) + tables_at(exported, 0, n, 1):
            scores = dict(zip(each["entries"], each["scores"], strict=True))
            best, worst = max(scores), min(scores)
            scores[best], scores[worst] = scores[worst] - 9, scores[best] + 9
            each["scores"] = [scores[entry] for entry in each["entries"]]


def drop_replacement(exported):
    exported[:] = [each for each in exported if each.get("generation", 0) == 0]


def played_once_more(exported):
    again = deepcopy(tables_at(exported, 1, 2))
    for each in again:
        each["generation"] = 1
    exported += again


def house_bot_for_nothing(exported):
    for each in tables_at(exported, 1, 3):
        each["entries"] = [8 if entry == 5 else entry for entry in each["entries"]]


def other_house_bot(exported):
    for each in tables_at(exported, 0, 1, 1):
        each["entries"] = [9 if entry == 8 else entry for entry in each["entries"]]


def fewer_rounds(exported):
    exported[0]["schedule"]["parameters"]["rounds"] = 2


def nothing_before(exported):
    exported[:] = [each for each in exported if (each.get("group"), each.get("n")) != (0, 1)] + tables_at(
        exported, 0, 1, 1
    )


TAMPERED = (
    (swap_in_round, "round 2, group 2: .* met, but the results before it make"),
    (other_result, "round 2, group 2: "),
    (drop_replacement, "board 1 of group 0: .*, house@1.* are owed another board"),
    (played_once_more, "board 2 of group 1, generation 1: it was played, but nobody is owed it"),
    (house_bot_for_nothing, "board 3 of group 1, generation 0: table 0 seats .*house"),
    (other_house_bot, "board 1 of group 0, generation 1: table 0 seats"),
    (fewer_rounds, r"rounds of \[2, 2, 2\] groups instead of \[2, 2\]"),
    (nothing_before, "board 1 of group 0, generation 0: it is neither played nor given up"),
)


def test_what_was_tampered_with_is_found(running, season):
    running(entries=8, boards=4, boards_per_match=2, format=settings("swiss", rounds=3))
    season.play("t", forfeits=lambda entry, slot: entry == 2 and slot.n == 1 and slot.group == 0)
    honest = export_of(season)
    assert differences(honest) == []
    for tamper, said in TAMPERED:
        changed = as_read(honest)
        tamper(changed)
        found = differences(changed)
        assert any(re.search(said, each) for each in found), (tamper.__name__, found)


def test_a_suspended_bot_that_plays_on_is_found(running, season):
    running(boards=12, boards_per_match=1, look_back=4)
    season.play("t", forfeits=lambda entry, slot: entry == 1)
    exported = as_read(export_of(season))
    assert differences(exported) == []
    for each in exported[1:]:
        if each["kind"] == "table" and each["n"] == 11:
            each["entries"] = [1 if entry == 4 else entry for entry in each["entries"]]
    assert "board 11 of group 0, generation 0: table 0 seats" in differences(exported)[0]
    exported[0]["schedule"]["parameters"] = {"rounds": "many"}
    with pytest.raises(ValueError, match="schedule"):
        pairings_of(exported)
