"""The first line of an export: the conditions of play, the entries, the plan, and what binds the deals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from erqiwang.rules import DEFINITION, definition_of, is_house
from erqiwang_runner.local.game_lines import FORMAT
from erqiwang_runner.regression import RegressionReport
from erqiwang_runner.results import Tournament
from erqiwang_runner.store.commitments import Commitment
from erqiwang_runner.store.regressions import StoredTest
from erqiwang_runner.store.retention import Pruned
from erqiwang_runner.store.tournaments import TournamentRow
from erqiwang_runner.tournament_spec import EntryRow


@dataclass(frozen=True, slots=True)
class Described:
    """All that the database knows of a tournament besides its results; `test` is of a regression test."""

    row: TournamentRow
    tournament: Tournament
    entries: Sequence[EntryRow]
    groups: Sequence[Sequence[int]]
    commitment: Commitment | None
    tables: int
    test: StoredTest | None = None
    report: RegressionReport | None = None
    pruned: Pruned | None = None


def header_fields(found: Described) -> dict[str, object]:
    """Give the first line; `tables` is how many lines of tables follow."""
    row, conditions = found.row, found.row.conditions
    return {
        "kind": "tournament",
        "format": FORMAT,
        "name": row.name,
        "rules_version": row.rules_version,
        "seed": row.seed_text,
        "verifiable": found.tournament.verifiable,
        "profile": conditions.profile.slug,
        "switches": dict(conditions.switches),
        **({DEFINITION: definition_of(conditions.profile)} if is_house(conditions.profile) else {}),
        "room": conditions.room,
        "pass_out": conditions.pass_out.name.lower(),
        "set_type": conditions.set_type.name,
        "clock": conditions.clock.name,
        "fault_policy": row.fault_policy.value,
        "forfeit_points": conditions.profile.forfeit_points,
        "sandbox_level": conditions.sandbox_level,
        "pool": found.tournament.pool,
        "isolation": found.tournament.isolation.value,
        "entries": [_entry(each) for each in found.entries],
        "state": row.state.value,
        "groups": [list(group) for group in found.groups],
        "boards": row.plan.boards,
        "rounds": list(row.plan.rounds),
        "schedule": {
            "rule": row.format.format.value,
            "parameters": row.format.parameters(),
            "lap": row.plan.lap,
            "look_back": row.look_back,
            "round_look_back": row.round_look_back,
        },
        "regression": None if found.test is None else _regression(found.test, found.report),
        "random_opener": conditions.profile.random_opener,
        "deals_mode": row.mode,
        "commitment": None if found.commitment is None else _commitment(found.commitment),
        "tables": found.tables,
        **({} if found.pruned is None else {"pruned": _pruned(found.pruned)}),
    }


def _entry(entry: EntryRow) -> dict[str, object]:
    contestant = entry.contestant
    return {
        "name": contestant.name,
        "version": contestant.version,
        "command": list(contestant.command),
        "artefact_hash": contestant.artefact_hash,
        "bundled": contestant.bundled,
        "role": entry.role.value,
        "options": dict(entry.options),
        "suspended": entry.suspended,
        **({"remote": True} if contestant.is_remote else {}),
    }


def _regression(test: StoredTest, report: RegressionReport | None) -> dict[str, object]:
    return {
        "question": test.test.question.value,
        "delta": test.compared.delta,
        "max_board_sets": test.test.limit,
        "new": test.compared.new,
        "old": test.compared.old,
        "report": None if report is None else report.to_object(),
    }


def _pruned(found: Pruned) -> dict[str, object]:
    """Say what was thrown away before the export was made; `at` in seconds since 1970."""
    return {"records": found.records, "logs": found.logs, "at": found.pruned_at}


def _commitment(found: Commitment) -> dict[str, object]:
    return {
        "manifest": found.manifest,
        "manifest_sha256": found.manifest_hash.hex(),
        "commitment": found.commitment,
        "entropy_source": found.entropy_source,
        "entropy": found.entropy,
        "secret": found.secret,
    }
