"""Whom a ladder seats next: pure, from the ratings so far and a stream of random numbers.

One step: the bot i with the largest SE(R_i), doubled while it has fewer than 30 boards, is seated; its
opponents are drawn one by one with the weights::

    w_j = exp(-((R_j - R_i) / 200)² / 2) · 1 / (1 + n_ij) · SE_ij²

n_ij being the boards that i and j met on. One group in ten has opponents drawn evenly: that keeps the bots
connected and shows intransitivity. A newcomer meets an anchor or a long-rated bot in each of its first
boards. A bot below its share of the boards goes first, so that nobody starves. Choosing opponents by their
ratings does not bias a maximum-likelihood estimate, but it does bias mean points: a ladder is ranked by
rating.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import exp, isfinite, sqrt
from typing import Final

from erqiwang.deals import below

WIDTH: Final = 200.0
"""Elo by which an opponent may differ and still be a likely one."""

SETTLING_BOARDS: Final = 30
"""Boards below which a bot is preferred."""

NEWCOMER_BOARDS: Final = 12
"""Boards in each of which a newcomer meets an anchor or a long-rated bot."""

LONG_RATED_BOARDS: Final = 100
SMALLEST_SHARE: Final = 0.01
BOARDS_OF_A_GROUP: Final = 3
REFIT_EVERY: Final = 50
"""Board sets after which the ratings are fitted anew, in the order of the slots."""

_LARGEST_ERROR: Final = 400.0
"""Stands for an error that is not known yet, and for that of one board."""

_EVEN_ONE_IN: Final = 10
_STEPS: Final = 1 << 32


@dataclass(frozen=True, slots=True)
class Ranked:
    """A bot of the ladder as it stands; `error` is infinite without results.

    Of its `boards` so many as `earlier` are from earlier epochs: its share is that of the boards of this one.
    """

    entry: int
    rating: float
    error: float
    boards: int
    is_anchor: bool = False
    earlier: int = 0

    @property
    def is_reliable(self) -> bool:
        """Whether it ties a newcomer to the scale."""
        return self.is_anchor or self.boards >= LONG_RATED_BOARDS

    @property
    def recent(self) -> int:
        """How many boards it was given in this epoch."""
        return self.boards - self.earlier


@dataclass(frozen=True, slots=True)
class Standing:
    """The ladder so far: `meetings` and `pair_error` of two entries, and the `board_sets` of this epoch."""

    bots: tuple[Ranked, ...]
    board_sets: int
    meetings: Callable[[int, int], int]
    pair_error: Callable[[int, int], float]


def next_group(ladder: Standing, size: int, words: Iterator[int]) -> tuple[int, ...]:
    """Choose the next group of `size` entries, the one that needs it first.

    The same ladder and the same random words give the same group.
    """
    if len(ladder.bots) < size:
        raise ValueError(f"a ladder of {len(ladder.bots)} bots cannot seat {size}")
    chosen = [_neediest(ladder, size)]
    weigh = _evenly if below(words, _EVEN_ONE_IN) == 0 else _by_interest(ladder, chosen[0])
    if chosen[0].boards < NEWCOMER_BOARDS:
        chosen.extend(_draw([bot for bot in ladder.bots if bot.is_reliable], chosen, weigh, words))
    while len(chosen) < size:
        chosen.extend(_draw(ladder.bots, chosen, weigh, words))
    return tuple(bot.entry for bot in chosen)


def next_groups(
    ladder: Standing, size: int, number: int, boards: int, words: Iterator[int]
) -> Iterator[tuple[int, ...]]:
    """Choose `number` groups of `size` entries, `boards` boards each, before the ratings are fitted anew.

    Each group counts what those before it will play: the errors shrink by it, as they would by results.
    """
    planned, met, board_sets = Counter[int](), Counter[tuple[int, int]](), ladder.board_sets

    def meetings(first: int, second: int) -> int:
        return ladder.meetings(first, second) + met[min(first, second), max(first, second)]

    for _ in range(number):
        bots = tuple(
            replace(
                bot,
                boards=bot.boards + planned[bot.entry],
                error=error_after(bot.error, bot.boards, bot.boards + planned[bot.entry]),
            )
            for bot in ladder.bots
        )
        group = next_group(Standing(bots, board_sets, meetings, ladder.pair_error), size, words)
        yield group
        planned.update(dict.fromkeys(group, boards))
        met.update(dict.fromkeys(combinations(sorted(group), 2), boards))
        board_sets += boards


def error_after(error: float, boards: int, later: int) -> float:
    """Foresee the error of a rating after `later` boards, from that after `boards`: as 1 / √boards.

    >>> error_after(40.0, 25, 100)
    20.0
    """
    if boards and isfinite(error):
        return error * sqrt(boards / later)
    return _LARGEST_ERROR / sqrt(later) if later else error


def _neediest(ladder: Standing, size: int) -> Ranked:
    """Take the bot furthest below its share of the boards or, if there is none, the one known least."""
    share = min(SMALLEST_SHARE, size / len(ladder.bots) / 2)
    starving = [bot for bot in ladder.bots if bot.recent < share * ladder.board_sets]
    if starving:
        return min(starving, key=lambda bot: (bot.recent, bot.entry))
    return max(ladder.bots, key=lambda bot: (_need(bot), -bot.entry))


def _need(bot: Ranked) -> float:
    return _known(bot.error) * (2 if bot.boards < SETTLING_BOARDS else 1)


def _known(error: float) -> float:
    return min(error, _LARGEST_ERROR) if isfinite(error) else _LARGEST_ERROR


def _evenly(_bot: Ranked) -> float:
    return 1.0


def _by_interest(ladder: Standing, first: Ranked) -> Callable[[Ranked], float]:
    def weight(bot: Ranked) -> float:
        distance = (bot.rating - first.rating) / WIDTH
        met = ladder.meetings(first.entry, bot.entry)
        return (
            exp(-distance * distance / 2) / (1 + met) * _known(ladder.pair_error(first.entry, bot.entry)) ** 2
        )

    return weight


def _draw(
    bots: Sequence[Ranked], taken: list[Ranked], weigh: Callable[[Ranked], float], words: Iterator[int]
) -> list[Ranked]:
    """Draw one bot that is not taken, with the given weights; none if all are taken."""
    seated = {bot.entry for bot in taken}
    free = [bot for bot in bots if bot.entry not in seated]
    if not free:
        return []
    weights = [max(weigh(bot), 1e-12) for bot in free]
    mark = next(words) / _STEPS * sum(weights)
    for bot, weight in zip(free, weights, strict=True):
        mark -= weight
        if mark < 0:
            return [bot]
    return [free[-1]]
