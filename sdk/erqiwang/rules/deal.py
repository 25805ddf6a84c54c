"""The cards as they were dealt."""

from __future__ import annotations

from dataclasses import dataclass

from erqiwang.rules.card import Card


@dataclass(frozen=True, slots=True)
class Deal:
    """Hands by seat, the kitty, and the seat that opens the auction."""

    hands: tuple[tuple[Card, ...], ...]
    kitty: tuple[Card, ...]
    opener: int
