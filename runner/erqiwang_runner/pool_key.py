"""The identity of a rating pool: what must agree for ratings to be comparable."""

import hashlib
import json
from collections.abc import Iterable
from typing import Final

from erqiwang.rules import DEFINITION
from erqiwang_runner.contestants import Contestant
from erqiwang_runner.results import FaultPolicy, Isolation
from erqiwang_runner.tournament_spec import Conditions

UNRATED: Final = "unrated:"
"""Begins the key of a pool that nothing else is in: its results are never put together with others."""


def isolation_of(contestants: Iterable[Contestant]) -> Isolation:
    """Give the isolation class of the pool in which these meet."""
    return Isolation.ISOLATED if all(each.bundled for each in contestants) else Isolation.OPEN


def pool_key_of(conditions: Conditions, rules_version: str, policy: FaultPolicy, isolation: Isolation) -> str:
    """Hash the conditions of play; a house profile counts by its content, whatever it is called."""
    switches = dict(conditions.switches)
    pool = {
        "profile": "house" if DEFINITION in switches else conditions.profile.slug,
        "switches": switches,
        "rules_major": rules_version.partition(".")[0],
        "seats": conditions.profile.seats,
        "set_type": conditions.set_type.name,
        "clock_class": conditions.clock.name,
        "fault_policy": policy.value,
        "room": conditions.room,
        "isolation": isolation.value,
    }
    return hashlib.sha256(json.dumps(pool, sort_keys=True).encode()).hexdigest()[:16]
