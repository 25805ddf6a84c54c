r"""Committed deals: commitment, public entropy, reveal.

A tournament of mode `committed` publishes, when it is made, its manifest and
SHA256("e27w/commit/1\0" ‖ secret ‖ M). Nothing is dealt before the entropy of the named source is known; the
secret is revealed when the last board is played. Without a named source the entropy is empty: then whoever
made the tournament could have chosen the deals, and it does not count as verifiable.
"""

import secrets
import time
from dataclasses import dataclass

from sqlalchemy import Connection, insert, select, update

from erqiwang.deals import SEED_BYTES, commitment, committed_key, manifest_hash, master_key
from erqiwang_runner.errors import UnavailableError, UsageError
from erqiwang_runner.manifest import manifest_of
from erqiwang_runner.secret_file import SecretFile
from erqiwang_runner.store import schema
from erqiwang_runner.store.tournaments import TournamentRow
from erqiwang_runner.tournament_spec import TournamentSpec


@dataclass(frozen=True, slots=True)
class Commitment:
    """What is public of the deals; texts are hex, `entropy` is None before it is given."""

    manifest: str
    commitment: str
    entropy_source: str | None
    entropy: str | None
    secret: str | None

    @property
    def manifest_hash(self) -> bytes:
        """M."""
        return manifest_hash(self.manifest.encode())


def commit(
    connection: Connection,
    tournament_id: int,
    spec: TournamentSpec,
    file: SecretFile,
    secret: bytes | None = None,
) -> Commitment:
    """Commit to a secret, which is chosen here unless it is given, and keep it in the file."""
    manifest = manifest_of(spec)
    secret = secret or secrets.token_bytes(SEED_BYTES)
    published = commitment(secret, manifest_hash(manifest.encode())).hex()
    file.add(published, secret)
    made = Commitment(
        manifest, published, spec.entropy_source or None, None if spec.entropy_source else "", None
    )
    connection.execute(
        insert(schema.commitments).values(
            tournament_id=tournament_id,
            manifest=made.manifest,
            commitment=made.commitment,
            entropy_source=made.entropy_source,
            entropy=made.entropy,
            committed_at=time.time(),
        )
    )
    return made


def find(connection: Connection, tournament_id: int) -> Commitment | None:
    """Read the commitment of a tournament; None for one whose deals come from a seed text."""
    row = connection.execute(select(schema.commitments).filter_by(tournament_id=tournament_id)).one_or_none()
    if row is None:
        return None
    return Commitment(row.manifest, row.commitment, row.entropy_source, row.entropy, row.secret)


def give_entropy(connection: Connection, tournament: TournamentRow, entropy: bytes) -> None:
    """Take the public entropy, once, before the first board; raises UsageError."""
    found = find(connection, tournament.id)
    if found is None:
        raise UsageError(f"the deals of {tournament.name} come from a seed text: it takes no entropy")
    if found.entropy_source is None:
        raise UsageError(f"{tournament.name} named no source of entropy when it was made")
    if found.entropy is not None:
        raise UsageError(f"{tournament.name} has its entropy already: {found.entropy}")
    if not entropy:
        raise UsageError("the entropy is empty")
    table = schema.commitments
    connection.execute(
        update(table)
        .where(table.c.tournament_id == tournament.id, table.c.entropy.is_(None))
        .values(entropy=entropy.hex(), entropy_at=time.time())
    )


def key_of(connection: Connection, tournament: TournamentRow, file: SecretFile | None) -> bytes:
    """Derive the master key of a tournament; raises UsageError before the entropy is known."""
    found = find(connection, tournament.id)
    if found is None:
        return master_key(tournament.seed_text)
    if found.entropy is None:
        raise UsageError(f"the entropy of {tournament.name} is not known yet")
    return committed_key(_secret(found, file), found.manifest_hash, bytes.fromhex(found.entropy))


def reveal(connection: Connection, tournament: TournamentRow, file: SecretFile | None) -> None:
    """Publish the secret of a finished tournament; harmless if it is published, or if there is none."""
    found = find(connection, tournament.id)
    if found is None or found.secret is not None:
        return
    secret = _secret(found, file)
    table = schema.commitments
    connection.execute(
        update(table)
        .where(table.c.tournament_id == tournament.id)
        .values(secret=secret.hex(), revealed_at=time.time())
    )


def _secret(found: Commitment, file: SecretFile | None) -> bytes:
    if file is None:
        raise UnavailableError("the secrets of committed deals are not at hand here")
    return file.get(found.commitment)
