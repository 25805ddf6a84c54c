"""Sessions: who opens next, and the levels that cumulative scores reach."""

from __future__ import annotations

from random import Random

import pytest

from erqiwang.rules import Settled, get_profile, level_of, open_session, record_of
from strategies import finished_at_random


def settled(scores, next_opener):
    return Settled(0, 0, (), scores, (0,) * len(scores), scores, next_opener)


def test_scores_add_up_and_the_opener_follows():
    session = open_session(get_profile("classic"), 3)
    assert (session.opener, session.scores, session.tables) == (3, (0, 0, 0, 0), 0)
    session = session.after(settled((6, -2, -2, -2), 0)).after(settled((1, 1, -3, 1), 3))
    assert (session.opener, session.scores, session.tables) == (3, (7, -1, -5, -1), 2)
    assert session.levels == (0, 0, 0, 0)
    assert session.titles == ()


def test_a_table_of_another_number_of_seats_is_none_of_the_session():
    with pytest.raises(ValueError, match="shorter"):
        open_session(get_profile("classic"), 0).after(settled((4, -2, -2), 0))


@pytest.mark.parametrize("name", ["classic", "mobile", "qq"])
def test_a_record_counts_as_its_table_did(name):
    profile = get_profile(name)
    state = finished_at_random(profile, Random(3))
    session = open_session(profile, 0)
    assert session.after(record_of(state)) == session.after(state.settled)


def test_levels_of_the_cumulative_score():
    profile = get_profile("qq")
    session = open_session(profile, 0)
    assert [title.name for title in session.titles] == [profile.levels[0].name] * 4
    second = profile.levels[1].threshold
    session = session.after(settled((second - 1, -second, 1, 0), 0))
    assert session.levels == (1, 1, 1, 1)
    session = session.after(settled((1, -1, 0, 0), 0))
    assert session.levels == (2, 1, 1, 1)
    assert session.titles[0] is profile.levels[1]


def test_every_level_begins_at_its_threshold():
    profile = get_profile("qq")
    assert len(profile.levels) == 25
    for number, level in enumerate(profile.levels, 1):
        assert level_of(profile, level.threshold) == number
        if level.threshold:
            assert level_of(profile, level.threshold - 1) == number - 1
    assert level_of(profile, 10**9) == 25
