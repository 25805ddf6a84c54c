"""Phases follow from the time, the calendar and what is done, and none is skipped."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from erqiwang_runner.competition.calendar import (
    BY_HAND,
    Calendar,
    Phase,
    instant_of,
    parse_instant,
    say,
)
from erqiwang_runner.competition.phases import Facts, Place, due, following, waits_for
from erqiwang_runner.errors import UsageError

OPENS, CLOSES, VALIDATION, PLAY, FINALS, REVEALS = 100.0, 200.0, 210.0, 220.0, 300.0, 400.0
CALENDAR = Calendar(
    {
        Phase.OPEN: OPENS,
        Phase.CLOSED: CLOSES,
        Phase.VALIDATION: VALIDATION,
        Phase.PLAY: PLAY,
        Phase.FINALS: FINALS,
        Phase.REVEALED: REVEALS,
    }
)
SHORT = Calendar({Phase.OPEN: OPENS, Phase.CLOSED: CLOSES})
DONE = Facts(finals=2, undecided=0, is_played=True)
ALL = [
    Place(Phase.ANNOUNCED),
    Place(Phase.OPEN),
    Place(Phase.CLOSED),
    Place(Phase.VALIDATION),
    Place(Phase.PLAY),
    Place(Phase.FINALS, 0),
    Place(Phase.FINALS, 1),
    Place(Phase.REVEALED),
]


def walk(now, calendar=CALENDAR, facts=DONE):
    place, seen = Place(Phase.ANNOUNCED), []
    while (after := due(now, calendar, place, facts)) is not None:
        place = after
        seen.append(place)
    return seen


def test_after_a_pause_of_days_every_phase_is_passed_in_order():
    assert walk(REVEALS + 10 * 86_400) == ALL[1:]


@pytest.mark.parametrize(
    ("now", "reached"),
    [(OPENS, 1), (CLOSES, 2), (VALIDATION, 3), (PLAY, 4), (FINALS, 6), (REVEALS, 7)],
)
def test_a_phase_begins_at_its_instant_and_not_before(now, reached):
    assert walk(math.nextafter(now, 0))[-1:] != [ALL[reached]]
    assert walk(now)[-1] == ALL[reached]


def test_without_an_instant_a_phase_begins_when_the_one_before_is_done():
    assert walk(OPENS, SHORT) == ALL[1:2]
    assert walk(CLOSES, SHORT) == ALL[1:]


@pytest.mark.parametrize(
    ("place", "facts"),
    [
        (Place(Phase.VALIDATION), replace(DONE, undecided=3)),
        (Place(Phase.PLAY), replace(DONE, is_played=False)),
        (Place(Phase.FINALS, 1), replace(DONE, is_played=False)),
    ],
)
def test_what_is_not_done_is_waited_for_whatever_the_time(place, facts):
    assert due(math.inf, CALENDAR, place, facts) is None
    assert due(math.inf, CALENDAR, place, DONE) is not None


def test_what_comes_by_hand_comes_at_no_time():
    calendar = CALENDAR.moved({Phase.REVEALED: BY_HAND})
    assert walk(1e12, calendar)[-1] == Place(Phase.FINALS, 1)
    assert "by hand" in waits_for(calendar, Place(Phase.FINALS, 1), DONE)
    assert walk(1e12, calendar.moved({Phase.REVEALED: 500.0}))[-1] == Place(Phase.REVEALED)


def test_finals_without_a_stage_are_a_phase_all_the_same():
    assert walk(REVEALS, facts=replace(DONE, finals=0)) == [*ALL[1:6], ALL[7]]


@pytest.mark.parametrize("phase", [Phase.REVEALED, Phase.CANCELLED])
def test_nothing_follows_the_end(phase):
    assert following(Place(phase), 2) is None
    assert due(math.inf, CALENDAR, Place(phase), DONE) is None


@pytest.mark.parametrize(
    ("place", "facts", "said"),
    [
        (Place(Phase.OPEN), DONE, "closed, at 1970-01-01 00:03:20 UTC"),
        (Place(Phase.VALIDATION), replace(DONE, undecided=3), "the validation of 3 submissions"),
        (Place(Phase.PLAY), replace(DONE, is_played=False), "the end of its tournament"),
        (Place(Phase.FINALS, 0), DONE, "final 2, as soon as a coordinator runs"),
        (Place(Phase.REVEALED), DONE, "nothing: it is over"),
    ],
)
def test_status_says_what_is_waited_for(place, facts, said):
    assert waits_for(CALENDAR, place, facts) == said


@pytest.mark.parametrize(
    ("times", "said"),
    [
        ({Phase.CLOSED: OPENS}, "nobody could submit"),
        ({Phase.CLOSED: OPENS - 1}, "closed (1970-01-01 00:01:39 UTC) begins before open"),
        ({Phase.FINALS: PLAY - 1}, "finals (1970-01-01 00:03:39 UTC) begins before play"),
        ({Phase.PLAY: BY_HAND}, "finals (1970-01-01 00:05:00 UTC) begins before play (by hand)"),
    ],
)
def test_an_impossible_calendar_is_refused(times, said):
    with pytest.raises(UsageError) as refused:
        CALENDAR.moved(times)
    assert said in str(refused.value)


def test_instants_name_their_zone():
    assert (
        parse_instant("2027-01-15T09:00:00+01:00") == parse_instant("2027-01-15T08:00:00Z") == 1_800_000_000
    )
    assert say(1_800_000_000) == "2027-01-15 08:00:00 UTC"
    for text in ("2027-01-15T08:00:00", "2027-01-15", "tomorrow"):
        with pytest.raises(UsageError, match="no instant"):
            parse_instant(text)
    with pytest.raises(ValueError, match="no date with a time"):
        instant_of("2027-01-15T08:00:00Z")
