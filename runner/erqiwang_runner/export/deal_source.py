"""From an export to the master key of its deals, and whether the commitment binds what it says."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from erqiwang.deals import (
    CHAIN_LENGTH,
    chain_link,
    commitment,
    committed_key,
    manifest_hash,
    master_key,
)
from erqiwang_runner.local.game_lines import Fields, inside, integer, objects, text
from erqiwang_runner.local.games_header import GamesHeader

_BOUND: Final = (
    *("rules_version", "profile", "switches", "room", "pass_out", "set_type", "clock", "fault_policy"),
)
"""Fields that the manifest and the first line of an export both have."""

_SCHEDULE: Final = ("rule", "parameters", "lap", "look_back", "round_look_back")

_BOUND_OF_ENTRIES: Final = ("name", "version", "artefact_hash", "role", "options")


@dataclass(frozen=True, slots=True)
class DealSource:
    """The master key, where it can be known, how it is known, and what does not agree."""

    key: bytes | None
    how: str
    differences: tuple[str, ...] = ()


def deal_source(header: GamesHeader) -> DealSource:
    """Find the master key of an export; raises ValueError for fields that cannot be read."""
    fields = header.fields
    if fields.get("made_deals") is not None:
        return DealSource(None, "they were made by hand")
    if fields.get("deals_mode", "seeded") == "seeded":
        return DealSource(
            master_key(header.seed), f"the seed text {header.seed!r}: whoever knew it knew the deals"
        )
    return _committed(header, inside(fields, "commitment"))


def _committed(header: GamesHeader, found: Fields) -> DealSource:
    manifest = text(found, "manifest")
    digest = manifest_hash(manifest.encode())
    differences = [*_manifest_differences(header, manifest)]
    if digest.hex() != found.get("manifest_sha256"):
        differences.append("the hash of the manifest is not that of its text")
    if found.get("secret") is None or found.get("entropy") is None:
        return DealSource(None, "a commitment whose secret is not revealed yet", tuple(differences))
    secret, entropy = _hex(found, "secret"), _hex(found, "entropy")
    if len(secret) != len(digest):
        raise ValueError(f"secret: expected {len(digest)} bytes")
    if commitment(secret, digest).hex() != text(found, "commitment"):
        differences.append("the revealed secret is not the one that was committed to")
    ladder = json.loads(manifest).get("ladder")
    place = "" if ladder is None else _place(inside({"ladder": ladder}, "ladder"), secret, differences)
    return DealSource(committed_key(secret, digest, entropy), _how(found) + place, tuple(differences))


def _place(ladder: Fields, secret: bytes, differences: list[str]) -> str:
    """Check the secret against the hash chain of its ladder; gives the place of the epoch in words."""
    chain, link, name = text(ladder, "chain"), integer(ladder, "link"), text(ladder, "ladder")
    if not 1 <= link <= CHAIN_LENGTH or chain_link(secret, link).hex() != chain:
        differences.append(f"the revealed secret is not link {link} of the hash chain that ends in {chain}")
    epoch = integer(ladder, "number")
    return f"; epoch {epoch} of the ladder {name}, whose published hash chain ends in {chain}"


def _how(found: Fields) -> str:
    source = found.get("entropy_source")
    if source is None:
        return "a commitment without public entropy: whoever made the tournament could choose the deals"
    return f"the committed secret and the entropy of {source!r}; compare that entropy with its source"


def _manifest_differences(header: GamesHeader, manifest: str) -> Iterator[str]:
    bound = inside({"manifest": json.loads(manifest)}, "manifest")
    fields = header.fields
    pairs = [(name, bound.get(name), fields.get(name)) for name in _BOUND]
    pairs.append(("name", bound.get("tournament"), fields.get("name")))
    schedule = inside(bound, "schedule")
    pairs += [(name, schedule.get(name), fields.get(name)) for name in ("boards", "rounds")]
    if "schedule" in fields:
        said = inside(fields, "schedule")
        pairs += [(f"schedule.{name}", schedule.get(name), said.get(name)) for name in _SCHEDULE]
    pairs += _entry_pairs(objects(bound, "entries"), objects(fields, "entries"))
    for name, committed, claimed in pairs:
        if committed != claimed:
            yield f"{name}: the manifest says {committed!r}, the export {claimed!r}"


def _entry_pairs(bound: tuple[Fields, ...], claimed: tuple[Fields, ...]) -> list[tuple[str, object, object]]:
    if len(bound) != len(claimed):
        return [("entries", len(bound), len(claimed))]
    return [
        (f"{name} of entry {number}", one.get(name), other.get(name))
        for number, (one, other) in enumerate(zip(bound, claimed, strict=True))
        for name in _BOUND_OF_ENTRIES
    ]


def _hex(fields: Fields, name: str) -> bytes:
    try:
        return bytes.fromhex(text(fields, name))
    except ValueError:
        raise ValueError(f"{name}: expected hex") from None
