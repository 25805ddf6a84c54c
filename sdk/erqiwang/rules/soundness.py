"""Whether a profile can be played: the combinations of its fields that make no game."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import cast

from erqiwang.rules.card import CARD_POINTS, RANKS
from erqiwang.rules.profile import Band, NoTrumpTractors, Profile

_MAX_SEATS = 4
_MAX_COPIES = 2
_MAX_BID = 1000
_OFF_PAIRS = 3
"""Pairs of sevens, or of twos, that are not of the trump suit."""

MOST = 2**31 - 1
"""The largest number that every message and table of results holds."""

ROOM_MAX = 10_000
"""The largest room multiplier (R-44): the scores of every profile with rooms fit into `MOST` with it."""


def check_profile(profile: Profile) -> None:
    """Raise `ValueError` naming the first field of a profile that cannot be, and why."""
    fault = next(_faults(profile), None)
    if fault is not None:
        raise ValueError(f"profile {profile.slug}: {fault}")


def check_room(profile: Profile, room: int) -> None:
    """Raise `ValueError` if a profile has no such room multiplier (R-44)."""
    if room < 1 or (room > 1 and not profile.has_room):
        raise ValueError(f"profile {profile.slug} has no room multiplier {room}")
    if room > ROOM_MAX:
        raise ValueError(f"the room multiplier {room} is above {ROOM_MAX}")


def most_points(profile: Profile) -> int:
    """Return a bound of the defenders' points: all of the deck, and the best kitty multiplied (R-39, R-40).

    The play that captures the kitty holds at most as many pairs as a hand.
    """
    pairs = profile.hand_size // 2 if profile.copies == 2 else 0
    kitty = sorted((CARD_POINTS[card] for card in profile.deck), reverse=True)[: profile.kitty_size]
    return profile.deck_points + sum(kitty) * max(profile.kitty_multipliers[: pairs + 1])


def most_score(profile: Profile, room: int) -> int:
    """Return a bound of the score of any seat at a table, either way (R-42, R-52)."""
    steps = max(most_points(profile), profile.bid_high) // profile.step_points + 1
    steps = max(steps, *(tier.steps for tier in profile.made_tiers), 0)
    play = steps * max(band.value for band in profile.bid_bands)
    surrender = max((band.value for band in profile.surrender_bands), default=0)
    bonus = max((row.value for row in profile.bonus_rows), default=0)
    bonus += 2 * max((extra.value for extra in profile.bonus_extras), default=0)
    return profile.defenders * (max(play, surrender) * room + bonus * (room if profile.room_on_bonus else 1))


def _faults(profile: Profile) -> Iterator[str]:
    """Yield what is wrong; only the first is sure to make sense, as the others may follow from it."""
    yield from _deck_faults(profile)
    yield from _auction_faults(profile)
    yield from _play_faults(profile)
    yield from _score_faults(profile)
    yield from _bonus_faults(profile)
    yield from _number_faults(profile)
    yield from _size_faults(profile)


def _deck_faults(profile: Profile) -> Iterator[str]:
    if profile.ranks != "".join(rank for rank in RANKS if rank in profile.ranks):
        yield f"ranks {profile.ranks!r} are not some of {RANKS}, each once and in this order"
    for rank in "72":
        if rank not in profile.ranks:
            yield f"ranks {profile.ranks!r} lack the {rank}, which is always trump"
    if not set(profile.ranks) - set("72"):
        yield "ranks hold nothing but trumps"
    if not 1 <= profile.copies <= _MAX_COPIES:
        yield f"copies is {profile.copies}, but there are one or two of each card"
    if not 3 <= profile.seats <= _MAX_SEATS:
        yield f"seats is {profile.seats}, but three or four play"
    for name in ("hand_size", "kitty_size"):
        if getattr(profile, name) < 1:
            yield f"{name} is {getattr(profile, name)}, but at least one card is dealt"
    dealt = profile.seats * profile.hand_size + profile.kitty_size
    if dealt != len(profile.deck):
        yield (
            f"{profile.seats} hands of {profile.hand_size} and a kitty of {profile.kitty_size} are {dealt} "
            f"cards, but the deck has {len(profile.deck)}"
        )


def _auction_faults(profile: Profile) -> Iterator[str]:
    low, high, step = profile.bid_low, profile.bid_high, profile.bid_step
    if step < 1:
        yield f"bid_step is {step}, but bids go down"
    if high > _MAX_BID:
        yield f"bid_high is {high}, but no bid is above {_MAX_BID}"
    if not 0 <= low <= high:
        yield f"bids from {high} down to {low} are none"
    for name in ("bid_low", "bid_high"):
        if getattr(profile, name) % step:
            yield f"{name} {getattr(profile, name)} is no multiple of bid_step {step}"
    if profile.forced_bid is not None and profile.forced_bid not in profile.bids:
        yield f"forced_bid {profile.forced_bid} is no bid from {high} down to {low} by {step}"
    yield from _band_faults("bid_bands", profile.bid_bands)
    if not profile.bid_bands or profile.bid_bands[-1].floor > low:
        yield f"bid_bands leave the bid {low} without a multiplier"


def _band_faults(name: str, bands: tuple[Band, ...]) -> Iterator[str]:
    floors = [band.floor for band in bands]
    if floors != sorted(set(floors), reverse=True):
        yield f"{name} are not given from the highest floor down: {', '.join(map(str, floors))}"
    if any(band.value < 1 for band in bands):
        yield f"{name} have a value below 1"


def _play_faults(profile: Profile) -> Iterator[str]:
    if not 1 <= profile.void_reports <= profile.seats:
        yield f"void_reports is {profile.void_reports}, but there are {profile.seats} seats"
    if profile.no_trump_tractors is not NoTrumpTractors.LADDER and not profile.no_trump:
        yield f"no_trump_tractors is {profile.no_trump_tractors.value}, but no_trump is not allowed"
    if profile.copies == 1:
        if profile.no_trump_tractors is not NoTrumpTractors.LADDER:
            yield f"no_trump_tractors is {profile.no_trump_tractors.value}, but one deck has no pairs"
        if not profile.tractor_owed:
            yield "tractor_owed is false, but one deck has no tractors"


def _score_faults(profile: Profile) -> Iterator[str]:
    if not profile.kitty_multipliers:
        yield "kitty_multipliers are empty"
    if any(multiplier < 0 for multiplier in profile.kitty_multipliers):
        yield "kitty_multipliers have a value below 0"
    if profile.step_points < 1:
        yield f"step_points is {profile.step_points}, but a step is worth at least one point"
    if any(tier.steps < 1 for tier in profile.made_tiers):
        yield "made_tiers have a tier of less than one step"
    for tier in profile.made_tiers:
        if tier.bid_from > tier.bid_to:
            yield f"made_tiers: no bid is from {tier.bid_from} to {tier.bid_to}"
    if profile.down_steps_max is not None and profile.down_steps_max < 1:
        yield f"down_steps_max is {profile.down_steps_max}, but a contract is lost by at least one step"
    yield from _band_faults("surrender_bands", profile.surrender_bands)
    if profile.forfeit_points < 0:
        yield f"forfeit_points is {profile.forfeit_points}, but it is given as a positive number"
    if profile.room_on_bonus and not profile.has_room:
        yield "room_on_bonus is true, but has_room is false"
    thresholds = [level.threshold for level in profile.levels]
    if thresholds and (thresholds[0] != 0 or thresholds != sorted(set(thresholds))):
        yield "levels do not rise from 0"


def _bonus_faults(profile: Profile) -> Iterator[str]:
    jokers = 2 * profile.copies
    for row in profile.bonus_rows:
        if not 3 <= row.jokers <= jokers:
            yield f"bonus_rows ask for {row.jokers} jokers; a bonus takes three, and the deck has {jokers}"
        if max(row.off7, row.off2) > _OFF_PAIRS:
            yield f"bonus_rows ask for {max(row.off7, row.off2)} off-suit pairs, but there are {_OFF_PAIRS}"
    for extra in profile.bonus_extras:
        if not 2 * extra.pairs <= extra.cards <= 4 * profile.copies:
            yield f"bonus_extras: no hand has {extra.cards} sevens with {extra.pairs} pairs among them"
    for held, _ in profile.bonus_bids:
        if not 3 <= held <= jokers:
            yield f"bonus_bids name {held} jokers; a bonus takes three, and the deck has {jokers}"
    if profile.bonus_extras and not profile.bonus_rows:
        yield "bonus_extras add to bonus_rows, which are empty"
    if profile.bonus_bids and not profile.bonus_rows:
        yield "bonus_bids restrict bonus_rows, which are empty"


def _number_faults(profile: Profile) -> Iterator[str]:
    for field in fields(profile):
        if field.name == "charm":
            numbers = [abs(points) for _, points in profile.charm]
        else:
            numbers = list(_numbers(getattr(profile, field.name)))
        if wrong := [number for number in numbers if not 0 <= number <= MOST]:
            yield f"{field.name}: {wrong[0]} is outside 0 to {MOST}"


def _numbers(value: object) -> Iterator[int]:
    if isinstance(value, int):
        yield value
    elif isinstance(value, tuple):
        for item in cast("tuple[object, ...]", value):
            yield from _numbers(item)
    elif is_dataclass(value):
        for field in fields(value):
            yield from _numbers(getattr(value, field.name))


def _size_faults(profile: Profile) -> Iterator[str]:
    points = most_points(profile)
    if points > MOST:
        yield f"kitty_multipliers: the defenders could have {points} points, more than {MOST}"
    room = ROOM_MAX if profile.has_room else 1
    score = most_score(profile, room)
    if score > MOST:
        where = f" in a room of {room}" if room > 1 else ""
        yield f"a seat could score {score} at one table{where}, more than {MOST}: lower its multipliers"
