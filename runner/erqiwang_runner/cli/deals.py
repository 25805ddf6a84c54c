"""Committed deals on the command line: `entropy`, `commitment`."""

import json
from contextlib import closing
from pathlib import Path

from erqiwang_runner.cli.tournaments import open_database
from erqiwang_runner.errors import UsageError
from erqiwang_runner.exit_codes import ExitCode
from erqiwang_runner.settings import Settings
from erqiwang_runner.store import commitments, tournaments
from erqiwang_runner.store.commitments import Commitment

HOST_COULD_CHOOSE = "no source of entropy is named: whoever made the tournament could choose the deals"


def give_entropy(data: Path | None, name: str, text: str) -> ExitCode:
    """Take the public entropy of a tournament."""
    try:
        entropy = bytes.fromhex(text)
    except ValueError:
        raise UsageError(f"{text!r} is not hex: two digits a byte") from None
    with closing(open_database(Settings.from_environment(data))) as database, database.write() as connection:
        commitments.give_entropy(connection, tournaments.find(connection, name), entropy)
    print(f"tournament {name}: entropy {entropy.hex()}, {len(entropy)} bytes; its deals are fixed now")
    return ExitCode.YES


def show_commitment(data: Path | None, name: str | None, *, as_json: bool) -> ExitCode:
    """Print what is public of the deals of a tournament."""
    with closing(open_database(Settings.from_environment(data))) as database, database.read() as connection:
        row = tournaments.find(connection, name)
        found = commitments.find(connection, row.id)
    if found is None:
        raise UsageError(f"the deals of {row.name} come from the seed text {row.seed_text!r}: not verifiable")
    print(json.dumps(to_object(found)) if as_json else "\n".join(lines(row.name, found)))
    return ExitCode.YES


def to_object(found: Commitment) -> dict[str, str | None]:
    """Give the JSON form."""
    return {
        "manifest": found.manifest,
        "manifest_sha256": found.manifest_hash.hex(),
        "commitment": found.commitment,
        "entropy_source": found.entropy_source,
        "entropy": found.entropy,
        "secret": found.secret,
    }


def lines(name: str, found: Commitment) -> list[str]:
    """Say what is public of the deals."""
    said = [
        f"manifest: {found.manifest}",
        f"SHA-256 of the manifest: {found.manifest_hash.hex()}",
        f"commitment: {found.commitment}",
    ]
    if found.entropy_source is None:
        said.append(HOST_COULD_CHOOSE)
    else:
        said.append(f"source of the entropy: {found.entropy_source}")
        said.append(f"entropy: {found.entropy or f'awaited: erqi tournament entropy {name} HEX'}")
    if found.secret is not None:
        said.append(f"secret: {found.secret}")
    return said
