"""The fallback: what is done for a seat that does not decide in time. Legal, and the same for the same cards.

Pass; the suit with most trumps, ties in the order S H C D; bury and lead the least valuable cards (trump
last, points last, then by level and card number); follow with the duty owed at the lowest levels, then the
least valuable rest.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from erqiwang.rules.action import Action
from erqiwang.rules.choice import Choice

FALLBACK_VERSION = 1
"""Changes whenever the fallback would choose otherwise."""


class Deciding(Protocol):
    """A state of a table, or a seat's view of one."""

    @property
    def choice(self) -> Choice | None:
        """The decision that is wanted, if any."""
        ...

    def random_action(self, below: Callable[[int], int]) -> Action:
        """Return some legal action of the seat in turn."""
        ...


def fallback(at: Deciding) -> Action:
    """Return the fallback of the seat in turn; raise `ValueError` if no decision is wanted."""
    choice = at.choice
    if choice is None:
        raise ValueError("no decision is wanted")
    return choice.fallback()


def random_legal_action(at: Deciding, below: Callable[[int], int]) -> Action:
    """Return some legal action of the seat in turn; every one can come up.

    `below(n)` returns a random number from 0 to n - 1. Half of the calls are passes; one in sixteen chances
    to surrender is taken. Raises `ValueError` if no decision is wanted.
    """
    return at.random_action(below)
