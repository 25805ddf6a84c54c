"""Deals that a person made, in place of those that come from a seed.

A file of them holds a JSON object a line: `{"hands": ["SA S5 ...", ...], "kitty": "H5 ...", "opener": 0}`.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from itertools import chain
from pathlib import Path
from typing import Final, TypeGuard

from erqiwang.rules import Card, Deal, Profile, parse_cards
from erqiwang.rules.contract import check_deals
from erqiwang_runner.errors import BadInputError

_KEYS: Final = ("hands", "kitty", "opener")


def read_deals(path: Path, profile: Profile) -> tuple[Deal, ...]:
    """Read a file of deals; raises BadInputError that names line and card."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise BadInputError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise BadInputError(f"{path}: not a text") from None
    deals: list[Deal] = []
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                deals.append(_read_deal(line, profile))
            except ValueError as error:
                raise BadInputError(f"{path}:{number}: {error}") from None
    if not deals:
        raise BadInputError(f"{path}: no deals")
    return tuple(deals)


def made_deal_hash(profile: Profile, deal: Deal) -> bytes:
    """Hash the deck order of a deal with SHA-256; equal cards count as the deck's copies in their order."""
    free: defaultdict[Card, list[int]] = defaultdict(list)
    for number, card in enumerate(profile.deck):
        free[card].append(number)
    order = bytes(free[card].pop(0) for card in chain(*deal.hands, deal.kitty))
    return hashlib.sha256(order).digest()


def _read_deal(line: str, profile: Profile) -> Deal:
    value: object = json.loads(line)
    if not _is_object(value):
        raise ValueError("expected an object with hands, kitty and opener")
    for key in value:
        if key not in _KEYS:
            raise ValueError(f"unknown key {key!r}; there are {', '.join(_KEYS)}")
    hands, opener = value.get("hands"), value.get("opener", 0)
    if not _is_list(hands):
        raise ValueError("hands: expected a list of texts, one a seat")
    if not isinstance(opener, int) or isinstance(opener, bool):
        raise ValueError("opener: expected a seat, 0 or more")
    deal = Deal(
        hands=tuple(_cards(f"hands[{seat}]", hand) for seat, hand in enumerate(hands)),
        kitty=_cards("kitty", value.get("kitty")),
        opener=opener,
    )
    try:
        check_deals(profile, (deal,))
    except ValueError as error:
        raise ValueError(str(error).removeprefix("deal 0: ")) from None
    return deal


def _cards(name: str, value: object) -> tuple[Card, ...]:
    if not isinstance(value, str):
        raise ValueError(f"{name}: expected a text of cards, such as 'SA H5 BJ'")
    try:
        return parse_cards(value)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


def _is_object(value: object) -> TypeGuard[dict[str, object]]:
    return isinstance(value, dict)


def _is_list(value: object) -> TypeGuard[list[object]]:
    return isinstance(value, list)
