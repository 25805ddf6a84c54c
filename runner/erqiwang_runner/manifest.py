"""What a commitment binds: who plays what, by which rule, with which deals, as canonical JSON.

Its hash M goes into the commitment and into the master key, so nothing of it can be changed afterwards. The
JSON schema is `docs/manifest.schema.json`.
"""

from dataclasses import asdict
from typing import Final

from erqiwang.deals import ALGORITHM_VERSION, JsonValue, canonical_json
from erqiwang.rules import RULES_VERSION
from erqiwang_runner.tournament_spec import EntrySpec, TournamentSpec

FORMAT: Final = "erqiwang.manifest/1"
DEAL_INDEX: Final = (
    "n * groups of the round + group in the round, after the boards of the rounds before; "
    "generation k adds k * groups * boards"
)


def manifest_of(spec: TournamentSpec) -> str:
    """Write the manifest of a tournament whose entries are complete."""
    return canonical_json(
        {
            "format": FORMAT,
            "tournament": spec.name,
            "rules_version": RULES_VERSION,
            "deal_algorithm": ALGORITHM_VERSION,
            "profile": spec.profile,
            "switches": dict(spec.switches),
            "room": spec.room,
            "pass_out": spec.pass_out.name.lower(),
            "set_type": spec.set_type,
            "clock": spec.clock_class,
            "fault_policy": spec.fault_policy.value,
            "entries": [_entry(each) for each in spec.everybody],
            "schedule": {
                "rule": spec.format.format.value,
                "parameters": dict(spec.format.parameters()),
                "groups": spec.plan.groups,
                "rounds": list(spec.plan.rounds),
                "boards": spec.boards,
                "lap": spec.lap,
                "look_back": spec.look_back,
                "round_look_back": spec.round_look_back,
                "deal_index": DEAL_INDEX,
            },
            "entropy_source": spec.entropy_source or None,
            **({} if spec.epoch is None else {"ladder": asdict(spec.epoch)}),
        }
    ).decode()


def _entry(entry: EntrySpec) -> dict[str, JsonValue]:
    contestant = entry.contestant
    return {
        "name": contestant.name,
        "version": contestant.version,
        "artefact_hash": contestant.artefact_hash,
        "role": entry.role.value,
        "options": dict(entry.options),
    }
