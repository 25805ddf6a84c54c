"""What the defenders' points at the end of a table are worth to the declarer."""

from __future__ import annotations

from functools import lru_cache

from erqiwang.rules import Profile
from erqiwang.rules.settlement import play_scores

POINT_STEP = 5


@lru_cache(maxsize=256)
def prospects(profile: Profile, bid: int, slope: float) -> tuple[float, ...]:
    """Return a declarer's score for 0, 5, 10, … points, for one defender's share of it.

    Scores go by wide steps. `slope` says what share of a step each point is worth within it, so that of
    plays that lead to the same score the one nearer to the next step is preferred.
    """
    per_point = slope * profile.bid_multiplier(bid) / profile.step_points
    return tuple(
        play_scores(profile, declarer=0, bid=bid, points=points)[0] / profile.defenders - per_point * points
        for points in range(0, 3 * profile.deck_points, POINT_STEP)
    )
