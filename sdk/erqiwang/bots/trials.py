"""Which of several options ends best in worlds drawn at random: the worse half goes after each round."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

_Option = TypeVar("_Option")
_World = TypeVar("_World")


def best_of(
    options: Mapping[_Option, float],
    draw: Callable[[], _World],
    outcome: Callable[[_World, _Option], float],
    samples: int,
    is_late: Callable[[], bool],
) -> _Option:
    """Return the option with the best mean outcome; all that are left meet the same worlds.

    `options` brings what each is worth beforehand, to be added to its mean. A round is of `samples` worlds;
    the last is between two options. When it is late, what is known by then decides.
    """
    totals = dict.fromkeys(options, 0.0)
    left = sorted(options, key=lambda option: -options[option])
    drawn = 0
    while len(left) > 1:
        for _ in range(samples):
            if is_late():
                return left[0]
            world = draw()
            for option in left:
                totals[option] += outcome(world, option)
        drawn += samples
        left.sort(key=lambda option: -(options[option] + totals[option] / drawn))
        left = left[: 1 if len(left) == 2 else (len(left) + 1) // 2]
    return left[0]
