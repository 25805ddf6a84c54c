"""Golden tables: fixed seeds, the number of legal plays met on the way, and the hash of the record.

A line of `golden_tables.txt` is: profile, seed, decisions, sum of the legal plays counted at every play,
SHA-256 of the record's JSON form. Whoever changes the rules on purpose writes the file anew:

    python tests/rules/test_golden.py
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path
from random import Random

import pytest

from erqiwang.rules import PROFILES, PassOut, Playing, get_profile, record_of

GOLDEN = Path(__file__).with_name("golden_tables.txt")
SEEDS = range(6)


def line(slug: str, seed: int) -> str:
    from strategies import steps_at_random

    decisions = plays = 0
    pass_out = PassOut.REDEAL if seed % 2 else PassOut.ZERO
    for step in steps_at_random(get_profile(slug), Random(seed), pass_out):
        decisions += 1
        if isinstance(step.before, Playing):
            plays += step.before.choice.count_legal_plays()
    record = record_of(step.after)
    return f"{slug} {seed} {decisions} {plays} {hashlib.sha256(record.to_json().encode()).hexdigest()}"


@pytest.mark.parametrize("slug", PROFILES)
def test_tables_are_played_as_ever(slug):
    wanted = [text for text in GOLDEN.read_text().splitlines() if text.split()[0] == slug]
    assert [line(slug, seed) for seed in SEEDS] == wanted


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))
    GOLDEN.write_text("".join(f"{line(slug, seed)}\n" for slug in PROFILES for seed in SEEDS))
