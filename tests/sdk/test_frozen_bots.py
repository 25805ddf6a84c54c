"""The house bots are anchors of ratings: what a version of them plays never changes.

Whoever changes a hash here changes the scale of every ladder: that is a new version of the bot, not a mend.
"""

import hashlib
import json
from importlib import import_module

import pytest

from erqiwang.rules import get_profile, record_of
from erqiwang.testing import play_board

MOVES = ("auction", "trump", "buried", "tricks")

FROZEN = {
    ("random", "classic"): "e75bd0221a695f63",
    ("random", "jiangxi-3p"): "8e67e3eb25eb9ca1",
    ("random", "qq"): "7d1c0841e7af5569",
    ("lowest", "classic"): "ffd7733595a073d5",
    ("lowest", "jiangxi-3p"): "80af1d1178affa9a",
    ("lowest", "qq"): "b81b0fbbf245c9c0",
    ("cautious", "classic"): "3a08173b56fdf6cb",
    ("cautious", "jiangxi-3p"): "d6ea4fbc10fc2acc",
    ("cautious", "qq"): "766a9bdde3d3489b",
    ("counter", "classic"): "fa70d5d6fea7cceb",
    ("counter", "jiangxi-3p"): "2526b1fa2b85491a",
    ("counter", "qq"): "4c860cdd72282def",
    ("montecarlo", "classic-1deck"): "8adc3b72f8493496",
    ("montecarlo", "jiangxi-3p"): "2f049b9de35a3678",
}


def moves(name, profile):
    module = import_module(f"erqiwang.bots.{name}")
    (bot,) = (value for key, value in vars(module).items() if key.lower() == f"{name}bot")
    rules = get_profile(profile)
    digest = hashlib.sha256()
    for number in range(6):
        state = play_board([bot] * rules.seats, number, profile=rules, seed="frozen")
        record = json.loads(record_of(state).to_json())
        digest.update(json.dumps([record.get(part) for part in MOVES], sort_keys=True).encode())
    return digest.hexdigest()[:16]


@pytest.mark.parametrize(("name", "profile"), FROZEN)
def test_a_house_bot_plays_as_it_always_did(name, profile):
    assert moves(name, profile) == FROZEN[name, profile]
