"""What becomes of a newcomer, what a ladder may be asked to be, and what earlier epochs weigh."""

from __future__ import annotations

import json
from dataclasses import replace
from math import inf

import pytest

from erqiwang_runner.contestants import Contestant, starter
from erqiwang_runner.errors import UsageError
from erqiwang_runner.formats import Format, FormatSettings
from erqiwang_runner.ladder_standing import Earlier, standing_of
from erqiwang_runner.ladders.epoch import challenge_spec, validation_spec
from erqiwang_runner.ladders.membership import (
    IS_OVER,
    Judgement,
    Member,
    MemberState,
    Validation,
    field_of_epoch,
    judge,
    superseded,
)
from erqiwang_runner.ladders.settings import LadderSettings
from erqiwang_runner.results import EntryRole, FaultPolicy
from erqiwang_runner.tournament_spec import DealsMode

DONE = Validation(is_finished=True, played=6, explained=0, lost=0)
STARVED = Validation(is_finished=True, played=4, explained=2, lost=0)
BEGUN = Validation(is_finished=False, played=2, explained=0, lost=0)
LOST = Validation(is_finished=False, played=2, explained=0, lost=1, fault="crashed: exit code 1")


def bot(name, version="1"):
    return Contestant(name, version, ("true",), f"{name}{version}".ljust(64, "0"))


def member(number, name="a", version="1", state=MemberState.ADMITTED, role=EntryRole.CONTESTANT, **more):
    return Member(number, bot(name, version), role, state, joined_at=0.0, deadline=10.0, **more)


@pytest.mark.parametrize(
    ("found", "now", "expected"),
    [
        (BEGUN, 9.9, None),
        (BEGUN, 10.0, Judgement(MemberState.REFUSED, IS_OVER)),
        (DONE, 9.9, Judgement(MemberState.ADMITTED, "it played 6 boards without a forfeit")),
        (DONE, 99.0, Judgement(MemberState.ADMITTED, "it played 6 boards without a forfeit")),
        (STARVED, 9.9, Judgement(MemberState.VALIDATING, "2 boards could not be played")),
        (STARVED, 10.0, Judgement(MemberState.REFUSED, IS_OVER)),
        (LOST, 0.0, Judgement(MemberState.REFUSED, "it forfeited 1 of 2 boards: crashed: exit code 1")),
        (replace(LOST, fault=""), 9.9, None),
        (replace(LOST, fault=""), 10.0, Judgement(MemberState.REFUSED, "it forfeited 1 of 2 boards")),
        (
            replace(LOST, fault="", is_finished=True),
            0.0,
            Judgement(MemberState.REFUSED, "it forfeited 1 of 2 boards"),
        ),
    ],
)
def test_how_a_validation_is_judged(found, now, expected):
    assert judge(found, 10.0, now) == expected


def test_who_plays_an_epoch_and_in_which_order():
    out = [state for state in MemberState if state is not MemberState.ADMITTED]
    members = [
        member(1, "a"),
        member(2, "b", role=EntryRole.ANCHOR),
        member(3, "c", retired=True),
        *(member(10 + place, f"x{place}", state=state) for place, state in enumerate(out)),
        member(4, "d"),
    ]
    assert [each.id for each in field_of_epoch(members)] == [2, 1, 4]


def test_only_other_versions_of_the_same_bot_are_superseded():
    newcomer = member(9, "a", "2", MemberState.VALIDATING)
    members = [
        newcomer,
        member(1, "a"),
        member(2, "b"),
        member(3, "a", "0", MemberState.SUSPENDED),
        member(4, "a", "h", role=EntryRole.ANCHOR),
    ]
    assert [each.id for each in superseded(newcomer, members)] == [1]


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"name": "-x"}, "is no name for a ladder"),
        ({"name": "x" * 41}, "is no name for a ladder"),
        ({"name": "a.b"}, "is no name for a ladder"),
        ({"boards": 0}, "boards is 0: at least 1"),
        ({"epoch_sets": 0}, "epoch_sets is 0: at least 1"),
        ({"validation_boards": 0}, "validation_boards is 0"),
        ({"epoch_hours": 0.0}, "epoch_hours is 0.0: a time above 0"),
        ({"validation_hours": inf}, "validation_hours is inf"),
        ({"set_type": "pair22"}, "needs a set type for 4 entries at 4 seats, which pair22 is not"),
        ({"set_type": "klein4h"}, "which klein4h is not"),
        ({"profile": "jiangxi-3p"}, "needs a set type for 3 entries at 3 seats"),
        ({"profile": "whist"}, "whist"),
        ({"switches": {"x": "y"}}, "profile classic has no switch 'x'"),
        ({"clock_class": "x"}, "no clock class 'x'"),
        ({"entropy_source": "x"}, "belongs to committed deals"),
    ],
)
def test_what_a_ladder_cannot_be(changes, says):
    with pytest.raises(UsageError, match=says):
        LadderSettings(**{"name": "l", "seed": "s", **changes})


def test_settings_come_back_from_json():
    settings = LadderSettings(
        name="l",
        seed="s",
        switches={"throw_rule": "max_now"},
        fault_policy=FaultPolicy.AUTOPLAY,
        epoch_hours=2.5,
        mode=DealsMode.COMMITTED,
        entropy_source="x",
    )
    assert LadderSettings.from_object(json.loads(json.dumps(settings.to_object()))) == settings


def test_an_epoch_has_about_as_many_board_sets_as_asked():
    assert LadderSettings(name="l", seed="s", boards=3, epoch_sets=100).groups == 33
    assert LadderSettings(name="l", seed="s", boards=30, epoch_sets=1).groups == 1


def test_the_validation_of_a_house_bot_has_no_bot_twice():
    settings = LadderSettings(name="l", seed="s")
    house = Member(7, starter("random"), EntryRole.CONTESTANT, MemberState.WAITING, 0.0, 1.0, tries=2)
    spec = validation_spec(settings, house)
    assert spec.name == "l.v7.2"
    assert len({entry.contestant for entry in spec.entries}) == len(spec.entries) == 4


@pytest.mark.parametrize(("bots", "set_type"), [(2, "pair22"), (3, "klein4h"), (4, "klein4")])
def test_a_challenge_is_of_two_to_four(bots, set_type):
    settings = LadderSettings(name="l", seed="s")
    spec = challenge_spec(settings, 3, [bot(f"b{number}") for number in range(bots)], 12)
    assert (spec.name, spec.set_type, spec.rated) == ("l.c3", set_type, False)


@pytest.mark.parametrize("bots", [1, 5])
def test_a_challenge_of_other_sizes_is_refused(bots):
    with pytest.raises(UsageError, match=f"a challenge is of 2 to 4 bots, not {bots}"):
        challenge_spec(
            LadderSettings(name="l", seed="s"), 0, [bot(f"b{number}") for number in range(bots)], 1
        )


def test_a_challenge_of_a_bot_with_itself_is_refused():
    with pytest.raises(UsageError, match="different bots"):
        challenge_spec(LadderSettings(name="l", seed="s"), 0, [bot("a"), bot("a")], 1)


def test_what_earlier_epochs_know_is_stored_and_read_again():
    settings = FormatSettings(
        format=Format.LADDER, groups=3, seed="x", earlier=(Earlier(1612.5, 20.1, 99), None)
    )
    assert FormatSettings.of(Format.LADDER, json.loads(json.dumps(settings.parameters()))) == settings
    with pytest.raises(UsageError, match="earlier epochs are of a ladder, not of swiss"):
        FormatSettings(format=Format.SWISS, earlier=(None,))


def test_before_its_first_board_a_bot_stands_as_the_epochs_before_left_it():
    earlier = {0: Earlier(1700.0, 30.0, 900)}
    standing = standing_of([0, 1], [], [], [], 3, earlier)
    known, new = standing.bots
    assert (known.rating, known.error, known.boards, known.recent) == (1700.0, 30.0, 900, 0)
    assert (new.rating, new.error, new.boards) == (1500.0, inf, 0)
    later = standing_of([0, 1], [], [], [(0, 1)] * 100, 3, earlier)
    assert (later.bots[0].boards, later.bots[0].recent, later.board_sets) == (1200, 300, 300)
    assert later.bots[0].error == pytest.approx(30 * (900 / 1200) ** 0.5)
    assert later.meetings(1, 0) == 300


def test_errors_of_two_known_bots_give_that_of_their_difference():
    earlier = {0: Earlier(1700.0, 30.0, 900), 1: Earlier(1500.0, 40.0, 400)}
    standing = standing_of([0, 1, 2], [], [], [], 3, earlier)
    assert standing.pair_error(0, 1) == 50.0
    assert standing.pair_error(0, 2) == inf
