"""The first line of a games file: under which conditions its tables were played, and by whom."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from erqiwang.rules import (
    DEFINITION,
    RULES_VERSION,
    Deal,
    Profile,
    definition_of,
    read_definition,
)
from erqiwang_runner.contestants import Contestant
from erqiwang_runner.entry_names import entry_names
from erqiwang_runner.local.game_lines import FORMAT, Fields, integer, items, objects, text, texts
from erqiwang_runner.local.local_claims import conditions_of
from erqiwang_runner.made_deals import made_deal_hash
from erqiwang_runner.pool_key import isolation_of, pool_key_of
from erqiwang_runner.results import Entry, EntryRole, FaultPolicy, Tournament
from erqiwang_runner.tournament_spec import Conditions, EntrySpec, TournamentSpec

_OF_NO_CONSEQUENCE: Final = ("name", "rules_version")
"""What may differ when a play is continued."""


@dataclass(frozen=True, slots=True)
class GamesHeader:
    """The first line, read or about to be written."""

    fields: Fields

    @classmethod
    def of(cls, spec: TournamentSpec, deals: Sequence[Deal] = ()) -> GamesHeader:
        """Describe a play that begins; `deals` were made by hand."""
        conditions = conditions_of(spec)
        isolation = isolation_of(entry.contestant for entry in spec.entries)
        return cls(
            {
                "kind": "tournament",
                "format": FORMAT,
                "name": spec.name,
                "rules_version": RULES_VERSION,
                "seed": spec.seed_text,
                "verifiable": False,
                "made_deals": _hash_of(deals, conditions) if deals else None,
                "profile": spec.profile,
                "switches": dict(spec.switches),
                **({} if spec.definition is None else {DEFINITION: definition_of(spec.definition)}),
                "room": spec.room,
                "pass_out": spec.pass_out.name.lower(),
                "set_type": spec.set_type,
                "clock": spec.clock_class,
                "fault_policy": spec.fault_policy.value,
                "forfeit_points": conditions.profile.forfeit_points,
                "sandbox_level": spec.sandbox_level,
                "pool": pool_key_of(conditions, RULES_VERSION, spec.fault_policy, isolation),
                "entries": [entry_fields(entry) for entry in spec.entries],
            }
        )

    @classmethod
    def read(cls, fields: Fields) -> GamesHeader:
        """Take a line that was read; raises ValueError if it is no first line of a games file."""
        if fields.get("kind") == "session":
            raise ValueError("a session is no duplicate play: it has no standings and no ratings")
        if fields.get("kind") != "tournament" or fields.get("format") != FORMAT:
            raise ValueError(f"not the first line of a games file ({FORMAT})")
        header = cls(fields)
        header.house()
        header.tournament()
        header.entries()
        return header

    @property
    def name(self) -> str:
        """The name that the tables' ids begin with."""
        return text(self.fields, "name")

    @property
    def seed(self) -> str:
        """The text that the deals come from."""
        return text(self.fields, "seed")

    def house(self) -> Profile | None:
        """Give the rules if they are a house's; raises ValueError."""
        return house_of(self.fields)

    def tournament(self) -> Tournament:
        """Give what the standings need to know."""
        return Tournament(
            id=self.name,
            profile=text(self.fields, "profile"),
            set_type=text(self.fields, "set_type"),
            pool=text(self.fields, "pool"),
            policy=FaultPolicy(text(self.fields, "fault_policy")),
            forfeit_points=integer(self.fields, "forfeit_points"),
            verifiable=self.fields.get("verifiable") is True,
            isolation=isolation_of(contestant_of(row) for row in objects(self.fields, "entries")),
        )

    def entries(self) -> tuple[Entry, ...]:
        """Give the entries; where a bot was entered more than once, its letter tells which one it is."""
        rows = objects(self.fields, "entries")
        names = entry_names([f"{text(row, 'name')}@{text(row, 'version')}" for row in rows])
        return tuple(
            Entry(
                number,
                name,
                EntryRole(text(row, "role")),
                suspended=row.get("suspended") is True,
                is_remote=contestant_of(row).is_remote,
            )
            for number, (name, row) in enumerate(zip(names, rows, strict=True))
        )

    def options_of(self, entry: int) -> dict[str, str]:
        """Give the options of an entry."""
        return texts(objects(self.fields, "entries")[entry], "options")

    def first_difference(self, other: GamesHeader) -> str | None:
        """Say in what another play has other conditions."""
        for name in dict.fromkeys((*self.fields, *other.fields)):
            mine, theirs = self.fields.get(name), other.fields.get(name)
            if name not in _OF_NO_CONSEQUENCE and mine != theirs:
                return f"{name} is {_short(name, mine)} there and {_short(name, theirs)} here"
        return None


def house_of(fields: Fields) -> Profile | None:
    """Read the definition of a house profile that a first line holds, if it does; raises ValueError."""
    return read_definition(fields[DEFINITION]) if DEFINITION in fields else None


def _hash_of(deals: Sequence[Deal], conditions: Conditions) -> str:
    hashes = (made_deal_hash(conditions.profile, deal) + bytes([deal.opener]) for deal in deals)
    return hashlib.sha256(b"".join(hashes)).hexdigest()


def entry_fields(entry: EntrySpec) -> dict[str, object]:
    """Describe an entry."""
    contestant: Contestant = entry.contestant
    return {
        "name": contestant.name,
        "version": contestant.version,
        "command": list(contestant.command),
        "artefact_hash": contestant.artefact_hash,
        "bundled": contestant.bundled,
        "role": entry.role.value,
        "options": dict(entry.options),
        **({"remote": True} if contestant.is_remote else {}),
    }


def contestant_of(fields: Fields) -> Contestant:
    """Read the contestant of an entry; raises ValueError."""
    return Contestant(
        name=text(fields, "name"),
        version=text(fields, "version"),
        command=tuple(str(word) for word in items(fields, "command")),
        artefact_hash=text(fields, "artefact_hash"),
        bundled=fields.get("bundled") is True,
    )


def _short(name: str, value: object) -> str:
    return "something else" if name in ("entries", "made_deals", DEFINITION) else repr(value)
