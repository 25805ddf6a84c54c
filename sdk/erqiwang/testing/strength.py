"""How strong bots are against each other: duplicate boards, every bot in every seat of every board.

`python -m erqiwang.testing.strength counter cautious lowest random --boards 100`
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from itertools import permutations
from statistics import fmean, stdev

from erqiwang.bot import Bot, BotFactory
from erqiwang.rules import Profile, get_profile
from erqiwang.testing.table import play_board


@dataclass(frozen=True, slots=True)
class Strength:
    """The points of a bot for each of its plays, with the standard error over boards."""

    name: str
    points: float
    error: float
    boards: int


def measure(
    bots: Mapping[str, BotFactory], boards: int, *, profile: Profile | None = None, seed: str = "strength"
) -> list[Strength]:
    """Play boards with as many bots as there are seats, each board once for every rotation of seats.

    The order of the bots round the table changes from board to board, so that nobody always acts behind one
    neighbour. The error is that of the mean over boards, since tables of one board share their cards.
    """
    rules = profile or get_profile("classic")
    if len(bots) != rules.seats:
        raise ValueError(f"{rules.slug} has {rules.seats} seats, not {len(bots)}")
    totals: dict[str, list[float]] = {name: [] for name in bots}
    first, *others = bots
    orders = [(first, *order) for order in permutations(others)]
    for board in range(boards):
        points = dict.fromkeys(bots, 0.0)
        for names in _rotations(orders[board % len(orders)]):
            finished = play_board([bots[name] for name in names], board, profile=rules, seed=seed)
            for name, score in zip(names, finished.scores, strict=True):
                points[name] += score / rules.seats
        for name, mean in points.items():
            totals[name].append(mean)
    return [
        Strength(name, fmean(means), stdev(means) / boards**0.5 if boards > 1 else 0.0, boards)
        for name, means in totals.items()
    ]


def starter(name: str) -> type[Bot]:
    """Return a house bot by its name; raises `ValueError` if there is none."""
    if name not in ("random", "lowest", "cautious", "counter", "montecarlo"):
        raise ValueError(f"no starter bot is called {name!r}")
    module = import_module(f"erqiwang.bots.{name}")
    found: type[Bot] = getattr(module, f"{name.capitalize()}Bot")
    return found


def _rotations(names: Sequence[str]) -> Iterator[tuple[str, ...]]:
    for shift in range(len(names)):
        yield (*names[shift:], *names[:shift])


def main() -> None:
    """Measure the bots that the command line names."""
    parser = argparse.ArgumentParser(prog="python -m erqiwang.testing.strength", description=__doc__)
    parser.add_argument("bots", nargs="+", help="house bots, one a seat; a name may be given twice")
    parser.add_argument("--boards", type=int, default=100)
    parser.add_argument("--profile", default="classic")
    parser.add_argument("--seed", default="strength")
    arguments = parser.parse_args()
    bots = {f"{index} {name}": starter(name) for index, name in enumerate(arguments.bots)}
    profile = get_profile(arguments.profile)
    for strength in measure(bots, arguments.boards, profile=profile, seed=arguments.seed):
        print(f"{strength.name:12} {strength.points:+8.3f} ± {strength.error:.3f} points a play")


if __name__ == "__main__":
    main()
