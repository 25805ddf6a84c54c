"""The tables of docs/rules.md that speak of numbers are written from the profiles themselves."""

import re
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path

import pytest

from erqiwang.rules import PROFILES, Profile
from erqiwang.rules.house import read_profile
from erqiwang.rules.profile import ThrowRule
from erqiwang.rules.settlement import steps_of
from erqiwang.rules.switches import SWITCHES

BOOK = (Path(__file__).parents[2] / "docs" / "rules.md").read_text(encoding="utf-8")

Column = Callable[[Profile], str]


def yes(value: bool) -> str:
    return "yes" if value else "no"


def multipliers(profile: Profile) -> str:
    lines, top = [], profile.bid_high
    for band in profile.bid_bands:
        bids = f"{top}–{band.floor}" if top > band.floor else str(top)
        lines.append(f"{bids}: ×{band.value}")
        top = band.floor - profile.bid_step
    return ", ".join(lines)


def surrender(profile: Profile) -> str:
    if not profile.surrender_bands:
        return "not allowed"
    lines, top = [], profile.bid_high
    for band in profile.surrender_bands:
        lines.append(f"{top}–{band.floor}: {band.value}")
        top = band.floor - profile.bid_step
    return ", ".join(lines)


def made(profile: Profile) -> str:
    """The steps of a made contract, as conditions; the highest that holds counts."""
    lines = [f"1 + one per {profile.step_points} below the bid" if profile.made_by_steps else "1"]
    for tier in profile.made_tiers:
        conditions = []
        if tier.bid_from and tier.bid_to < profile.bid_high:
            conditions.append(
                f"bid {tier.bid_to}" if tier.bid_from == tier.bid_to else f"bid {tier.bid_to}–{tier.bid_from}"
            )
        elif tier.bid_from:
            conditions.append(f"bid ≥ {tier.bid_from}")
        elif tier.bid_to < profile.bid_high:
            conditions.append(f"bid ≤ {tier.bid_to}")
        if tier.half_bid:
            conditions.append("points ≤ bid/2")
        elif tier.points_to < 1000:
            conditions.append(f"points ≤ {tier.points_to}" if tier.points_to else "no points")
        lines.append(f"{tier.steps} if {' and '.join(conditions)}")
    return "; ".join(lines)


def down(profile: Profile) -> str:
    most = "" if profile.down_steps_max is None else f", at most {profile.down_steps_max}"
    return f"1 + one per {profile.step_points} from the bid up{most}"


def kitty(profile: Profile) -> str:
    factors = profile.kitty_multipliers
    if len(factors) == 1:
        return f"×{factors[0]} always"
    if factors == tuple(2**pairs for pairs in range(len(factors))):
        return "×1 single, doubled for each pair of the unit: ×2, ×4, ×8, …"
    single, pair, tractor = factors
    return f"×{single} single, ×{pair} pair, ×{tractor} any tractor"


def bonus(jokers: int) -> Column:
    def column(profile: Profile) -> str:
        values = {row.value for row in profile.bonus_rows if row.jokers == jokers}
        return f"{min(values)}–{max(values)}" if values else "none"

    return column


def extras(profile: Profile) -> str:
    return (
        ", ".join(
            f"{row.cards} cards{f' with {row.pairs} pairs' if row.pairs else ''} +{row.value}"
            for row in profile.bonus_extras
        )
        or "–"
    )


def bonus_duty(profile: Profile) -> str:
    if not profile.bonus_rows:
        return "–"
    return ", ".join(
        ["one bid", *(f"≤ {highest} with {jokers} jokers" for jokers, highest in profile.bonus_bids)]
    )


def charm(profile: Profile) -> str:
    return ", ".join(f"{cause.name.lower()} {points}" for cause, points in profile.charm) or "–"


TABLES: dict[str, dict[str, Column]] = {
    "cards": {
        "players": lambda profile: str(profile.seats),
        "cards": lambda profile: str(len(profile.deck)),
        "without 3 and 4": lambda profile: yes("3" not in profile.ranks),
        "hand": lambda profile: str(profile.hand_size),
        "kitty": lambda profile: str(profile.kitty_size),
        "card points": lambda profile: str(profile.deck_points),
        "first opener": lambda profile: "random" if profile.random_opener else "seat 0",
    },
    "auction": {
        "bids": lambda profile: f"{profile.bid_high} down to {profile.bid_low}, by {profile.bid_step}",
        "opener's pass": lambda profile: (
            "a pass" if profile.forced_bid is None else f"a bid of {profile.forced_bid}"
        ),
        "no-trump": lambda profile: yes(profile.no_trump),
        "trump counts told from": lambda profile: f"{profile.void_reports} void",
    },
    "score": {
        "bid multiplier": multipliers,
        "steps if made: the most of": made,
        "steps if down": down,
        "room multiplier": lambda profile: yes(profile.has_room),
    },
    "kitty": {
        "surrender at a bid of: steps": surrender,
        "kitty needs trump": lambda profile: yes(profile.kitty_needs_trump),
        "kitty counts": kitty,
    },
    "bonus": {
        "three jokers": bonus(3),
        "four jokers": bonus(4),
        "for each of 7 and 2": extras,
        "the holder needs": bonus_duty,
        "levels": lambda profile: str(len(profile.levels) or "–"),
        "charm": charm,
        "least for a forfeit": lambda profile: str(profile.forfeit_points),
    },
}


def table(columns: dict[str, Column]) -> str:
    lines = [["profile", *columns], ["---"] * (len(columns) + 1)]
    lines += [
        [f"`{slug}`", *(column(profile) for column in columns.values())] for slug, profile in PROFILES.items()
    ]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def levels() -> str:
    lines = [["level", "from", "name"], ["---"] * 3]
    lines += [
        [str(number), str(level.threshold), level.name]
        for number, level in enumerate(PROFILES["qq"].levels, 1)
    ]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def in_book(name: str) -> str:
    """The table that follows a marker."""
    _, marker, rest = BOOK.partition(f"<!-- table: {name} -->\n")
    assert marker, f"docs/rules.md has no table {name}"
    return rest.partition("\n\n")[0]


@pytest.mark.parametrize("name", TABLES)
def test_a_table_says_what_the_profiles_say(name: str) -> None:
    assert in_book(name) == table(TABLES[name])


def test_the_levels_are_those_of_the_profile() -> None:
    assert in_book("levels") == levels()


def test_every_switch_is_listed_with_its_answers_and_profiles() -> None:
    rows = [line.split("|")[1:4] for line in in_book("switches").splitlines()[2:]]
    listed = {row[0].strip(): tuple(cell.strip() for cell in row[1:]) for row in rows}
    assert listed == {
        f"`{name}`": (
            ", ".join(f"`{answer}`" for answer in answers),
            ", ".join(f"`{slug}`" for slug, profile in PROFILES.items() if name in profile.questions)
            or "none",
        )
        for name, answers in SWITCHES.items()
    }


def test_every_key_of_a_house_profile_is_listed() -> None:
    rows = [line.split("|")[1] for line in in_book("house keys").splitlines()[2:]]
    listed = [key for row in rows for key in re.findall(r"`(\w+)`", row)]
    assert listed == [field.name for field in fields(Profile) if field.name in listed]
    assert {field.name for field in fields(Profile)} - set(listed) == {"slug", "switches", "questions"}


def test_the_house_profile_of_the_book_is_what_the_text_says() -> None:
    (text,) = re.findall(r"```toml\n(.*?)```", BOOK, re.S)
    profile = read_profile(text)
    assert (profile.slug, profile.bids[0], profile.throw_rule) == ("friday", 100, ThrowRule.MAX_NOW)
    assert [profile.bid_multiplier(bid) for bid in (100, 80, 45, 40, 0)] == [1, 2, 2, 5, 5]
    assert steps_of(profile, 80, 0) == 4
    assert not any(profile.may_surrender(bid) for bid in profile.bids)
