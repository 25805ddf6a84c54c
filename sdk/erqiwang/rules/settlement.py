"""The score of a table (R-35, R-37 to R-49).

>>> from erqiwang.rules.catalogue import get_profile
>>> play_scores(get_profile("classic"), declarer=0, bid=80, points=180)
(-18, 6, 6, 6)
"""

from __future__ import annotations

from erqiwang.rules.card import Card, points_of
from erqiwang.rules.order import Order
from erqiwang.rules.profile import Profile
from erqiwang.rules.shape import largest_unit


def is_made(bid: int, points: int) -> bool:
    """Whether the declarer made a bid against so many points (R-45)."""
    return points < bid or (bid == 0 and points == 0)


def steps_of(profile: Profile, bid: int, points: int) -> int:
    """Return how many steps a contract is won or lost by (R-41, R-43, R-44, R-46 to R-49)."""
    by_points = abs(points - bid) // profile.step_points + 1
    if not is_made(bid, points):
        return by_points if profile.down_steps_max is None else min(by_points, profile.down_steps_max)
    steps = [by_points if profile.made_by_steps else 1]
    steps += [
        tier.steps
        for tier in profile.made_tiers
        if tier.bid_from <= bid <= tier.bid_to
        and points <= tier.points_to
        and (not tier.half_bid or 2 * points <= bid)
    ]
    return max(steps)


def play_scores(profile: Profile, *, declarer: int, bid: int, points: int, room: int = 1) -> tuple[int, ...]:
    """Return the score of the play by seat (R-42): each defender one unit, the declarer all of them."""
    unit = profile.bid_multiplier(bid) * steps_of(profile, bid, points) * room
    return _shared(profile, declarer, unit if is_made(bid, points) else -unit)


def surrender_scores(profile: Profile, *, declarer: int, bid: int, room: int = 1) -> tuple[int, ...]:
    """Return the score of a surrender by seat; no bid multiplier (R-35)."""
    steps = next(band.value for band in profile.surrender_bands if bid >= band.floor)
    return _shared(profile, declarer, -steps * room)


def kitty_multiplier(profile: Profile, order: Order, play: tuple[Card, ...], by_defender: bool) -> int:
    """Return what the kitty counts for, given the winning play of the last trick (R-37 to R-39b)."""
    once, twice = order.masks(play)
    suit = order.suit_at[once.bit_length()]
    if not by_defender or (profile.kitty_needs_trump and not suit.is_trump):
        return 0
    multipliers = profile.kitty_multipliers
    return multipliers[min(largest_unit(suit, twice), len(multipliers) - 1)]


def captured_points(multiplier: int, buried: tuple[Card, ...]) -> int:
    """Return the points that a captured kitty adds (R-40)."""
    return multiplier * points_of(buried)


def next_opener(profile: Profile, declarer: int, made: bool) -> int:
    """Return who opens the next deal of a session (R-05, R-36)."""
    return declarer if made else (declarer + 1) % profile.seats


def level_of(profile: Profile, score: int) -> int:
    """Return the number of the level reached with a cumulative score, from 1 (R-75); 0 without levels."""
    return sum(level.threshold <= max(score, 0) for level in profile.levels)


def _shared(profile: Profile, declarer: int, unit: int) -> tuple[int, ...]:
    return tuple(unit * profile.defenders if seat == declarer else -unit for seat in range(profile.seats))
