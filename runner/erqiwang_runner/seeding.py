"""The order of seeds from what is known elsewhere: earlier standings, or ratings in the file of a tournament.

Entries are numbered best first; that is what Swiss, bracket and gauntlet call the order of their seeds.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from math import inf
from pathlib import Path
from typing import Final

from erqiwang_runner.errors import BadInputError, UsageError
from erqiwang_runner.export.place import games_file, read_games
from erqiwang_runner.export.verification import STANDINGS
from erqiwang_runner.formats import Format
from erqiwang_runner.local.game_lines import Fields, inside, objects, text
from erqiwang_runner.standings import read_standings
from erqiwang_runner.standings_text import FORMAT, to_object
from erqiwang_runner.tournament_spec import EntrySpec

SEEDED: Final = (Format.SWISS, Format.BRACKET, Format.GAUNTLET)
"""Formats in which the order of the entries means something."""


def read_seeds(path: Path) -> Mapping[str, float]:
    """Give the Elo of each bot, name@version, of an export, a games file or a `standings.json`.

    Raises BadInputError also where not all bots are on one scale.
    """
    file = path / STANDINGS if path.is_dir() and (path / STANDINGS).exists() else path
    if file.suffix != ".json":
        return _elo_of(games_file(path), to_object(read_standings(read_games(path))))
    try:
        found: object = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadInputError(f"{file}: {error.strerror}") from None
    except ValueError as error:
        raise BadInputError(f"{file}: {error}") from None
    return _elo_of(file, found)


def by_strength(
    format_: Format, entries: Sequence[EntrySpec], ratings: Sequence[float | None]
) -> tuple[EntrySpec, ...]:
    """Put entries in the order of their ratings; those without one come last, as they were given.

    The newcomer of a gauntlet stays the first. Raises UsageError for formats without seeds.
    """
    if all(rating is None for rating in ratings):
        return tuple(entries)
    if format_ not in SEEDED:
        known = ", ".join(each.value for each in SEEDED)
        raise UsageError(f"ratings of entries are of the formats {known}, not of {format_.value}")
    first = 1 if format_ is Format.GAUNTLET else 0
    rated = [(-inf if rating is None else rating) for rating in ratings]
    order = sorted(range(first, len(entries)), key=lambda place: -rated[place])
    return tuple(entries[place] for place in (*range(first), *order))


def rating_of(entry: EntrySpec, seeds: Mapping[str, float]) -> float | None:
    """Look the rating of an entry up: of its version, or else the best of its other versions."""
    bot = str(entry.contestant)
    others = [elo for other, elo in seeds.items() if other.partition("@")[0] == entry.contestant.name]
    return seeds.get(bot, max(others, default=None))


def _elo_of(file: Path, standings: object) -> Mapping[str, float]:
    try:
        fields = inside({"standings": standings}, "standings")
        if fields.get("format") != FORMAT:
            raise ValueError(f"not the standings of a tournament ({FORMAT})")
        tables = objects(fields, "tables")
        if len(tables) != 1:
            raise ValueError(f"its bots are on {len(tables)} scales, not on one")
        rows = [(_bot(row), _elo(row)) for row in objects(tables[0], "rows")]
    except ValueError as error:
        raise BadInputError(f"{file}: {error.args[0]}") from None
    return {bot: max(elo for other, elo in rows if other == bot) for bot, _ in rows}


def _bot(row: Fields) -> str:
    # Of a bot that was entered more than once a letter in brackets tells which entry it was.
    return text(row, "bot").partition(" ")[0]


def _elo(row: Fields) -> float:
    value = inside(row, "elo").get("value")
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise ValueError("elo: expected a number")
    return float(value)
