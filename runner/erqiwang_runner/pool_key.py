"""The identity of a rating pool: what must agree for ratings to be comparable."""

import hashlib
import json

from erqiwang_runner.results import FaultPolicy
from erqiwang_runner.tournament_spec import Conditions


def pool_key_of(conditions: Conditions, rules_version: str, policy: FaultPolicy, *, is_open: bool) -> str:
    """Hash the conditions of play; `is_open` for pools with bots that nothing keeps apart."""
    pool = {
        "profile": conditions.profile.slug,
        "switches": dict(conditions.switches),
        "rules_major": rules_version.partition(".")[0],
        "seats": conditions.profile.seats,
        "set_type": conditions.set_type.name,
        "clock_class": conditions.clock.name,
        "fault_policy": policy.value,
        "room": conditions.room,
        "isolation": "open" if is_open else "isolated",
    }
    return hashlib.sha256(json.dumps(pool, sort_keys=True).encode()).hexdigest()[:16]
