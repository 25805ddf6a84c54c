"""The secrets of tournaments with committed deals: `secrets.key` in the data directory, mode 0600.

Only whoever makes a tournament and the coordinator read it: workers are given the seeds of their boards, and
the database holds a secret only after it was revealed. A line holds a commitment and its secret, in hex or,
where ERQI_SECRET_KEY is set, sealed with it.
"""

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from erqiwang.deals import SEED_BYTES
from erqiwang_runner.errors import UnavailableError, UsageError
from erqiwang_runner.sealed import PREFIX, seal, unseal
from erqiwang_runner.settings import Settings

FILE: Final = "secrets.key"
_OWNER_ONLY: Final = 0o600


@dataclass(frozen=True, slots=True)
class SecretFile:
    """The file of a data directory; it comes into being with the first secret.

    With a `key` new secrets are sealed; those from before are read all the same.
    """

    data: Path
    key: str = field(default="", repr=False)

    @classmethod
    def of(cls, settings: Settings) -> "SecretFile":
        """Give the file of an installation."""
        return cls(settings.data, settings.secret_key)

    @property
    def path(self) -> Path:
        """Where it lies."""
        return self.data / FILE

    def add(self, commitment: str, secret: bytes) -> None:
        """Keep a secret; it is on disk when this returns."""
        kept = seal(secret, self.key, commitment) if self.key else secret.hex()
        self.data.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, _OWNER_ONLY)
        try:
            self._check_mode(descriptor)
            os.write(descriptor, f"{commitment} {kept}\n".encode())
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def get(self, commitment: str) -> bytes:
        """Look up the secret of a commitment; raises UnavailableError if it is not there."""
        try:
            with self.path.open() as lines:
                self._check_mode(lines.fileno())
                words = [line.split() for line in lines]
        except FileNotFoundError:
            words = []
        except OSError as error:
            raise UnavailableError(f"{self.path}: {error.strerror}") from None
        found = dict(each for each in words if len(each) == 2).get(commitment)
        if found is not None and found.startswith(PREFIX):
            return unseal(found, self.key, commitment)
        if found is None or len(found) != 2 * SEED_BYTES:
            raise UnavailableError(
                f"{self.path} does not hold the secret of the commitment {commitment[:16]}…: "
                "its deals can neither be made nor revealed"
            )
        return bytes.fromhex(found)

    def _check_mode(self, descriptor: int) -> None:
        if os.fstat(descriptor).st_mode & 0o077:
            raise UsageError(f"{self.path} may be read by others: chmod 600 it, and consider it known")
