"""The score of a record as a sum that a person can check."""

from __future__ import annotations

from collections.abc import Iterator

from erqiwang.rules import PROFILES, Profile, Record, get_profile, points_of
from erqiwang.rules.settlement import is_made, steps_of

_NAMES = {1: "plain", 2: "小光", 3: "大光"}


def arithmetic(record: Record, profile: Profile | None = None) -> tuple[str, ...]:
    """Explain the scores, a step a line; empty for a table that was passed out.

    `profile` is that of the record where it is not one of the platform's; without it such a record is not
    explained.
    """
    if record.declarer is None or record.bid is None or (profile is None and record.profile not in PROFILES):
        return ()
    rules = profile or get_profile(record.profile, record.switches)
    return (*_play(record, rules, record.declarer, record.bid), *_bonus(record))


def _play(record: Record, rules: Profile, declarer: int, bid: int) -> Iterator[str]:
    unit = max(map(abs, record.play_scores)) // rules.defenders
    total = unit * rules.defenders
    room = f" × {record.room} room" if rules.has_room else ""
    if record.surrender:
        steps = unit // record.room
        cost = f"{_steps(steps)}{room} × {rules.defenders} defenders = {total}"
        yield f"surrender at {bid}: {cost}, no bid multiplier"
        yield _shares("play", record.play_scores)
        return
    yield _points(record, declarer)
    made = is_made(bid, record.defender_points)
    yield f"{'made' if made else 'down'} at {bid}: {_why(rules, bid, record.defender_points)}"
    factors = (
        f"bid multiplier {rules.bid_multiplier(bid)} × {_steps(steps_of(rules, bid, record.defender_points))}"
    )
    yield f"{factors}{room} × {rules.defenders} defenders = {total}"
    yield _shares("play", record.play_scores)


def _points(record: Record, declarer: int) -> str:
    taken = sum(trick.points for trick in record.tricks if trick.winner != declarer)
    kitty = points_of(record.buried or ())
    if not record.kitty_multiplier:
        return f"defenders' points: {taken} in tricks, kitty of {kitty} not captured"
    return (
        f"defenders' points: {taken} in tricks + {kitty} in the kitty × {record.kitty_multiplier}"
        f" = {record.defender_points}"
    )


def _why(rules: Profile, bid: int, points: int) -> str:
    """Say how many steps the result is, and which rule gave the most."""
    steps = steps_of(rules, bid, points)
    gap = abs(points - bid)
    by_gap = gap // rules.step_points + 1
    name = _NAMES.get(steps, "")
    named = f" ({name})" if name else ""
    if is_made(bid, points) and not (rules.made_by_steps and by_gap == steps):
        tier = "" if steps == 1 else f", {points} points are a tier of their own"
        return f"{points} is {gap} under{tier}: {_steps(steps)}{named}"
    side = "under" if is_made(bid, points) else "over"
    capped = f", {steps} at most" if by_gap > steps else ""
    rounded = f"{gap} ÷ {rules.step_points} + 1, rounded down{capped}"
    return f"{points} is {gap} {side}, {rounded}: {_steps(steps)}{named}"


def _bonus(record: Record) -> Iterator[str]:
    if not any(record.bonus_scores):
        return
    holder = max(range(len(record.bonus_scores)), key=lambda seat: record.bonus_scores[seat])
    others = len(record.bonus_scores) - 1
    yield f"bonus 冲关: seat {holder} wins {record.bonus_scores[holder] // others} from each of {others}"
    yield _shares("bonus", record.bonus_scores)


def _shares(name: str, scores: tuple[int, ...]) -> str:
    return f"{name} scores by seat: " + " ".join(f"{score:+d}" for score in scores)


def _steps(steps: int) -> str:
    return f"{steps} step{'' if steps == 1 else 's'}"
