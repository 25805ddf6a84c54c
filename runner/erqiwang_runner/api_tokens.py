"""The tokens of remote bots and of runners that a public referee lets in: `tokens.json`, mode 0600.

The referee reads the file (`--tokens`). It holds hashes only: whoever reads it cannot play as anybody. A
secret is shown once, when it is made.
"""

import fcntl
import hashlib
import json
import os
import re
import secrets
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Final, TypeGuard

from erqiwang_runner.errors import BadInputError, UsageError

FILE: Final = "tokens.json"
FORMAT: Final = "erqiwang.tokens/1"
_OWNER_ONLY: Final = 0o600
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_SECRET_BYTES: Final = 32


class Kind(StrEnum):
    """What a token is good for."""

    BOT = "bot"
    RUNNER = "runner"


@dataclass(frozen=True, slots=True)
class ApiToken:
    """A token without its secret; `created` is a time in ISO 8601, UTC."""

    name: str
    kind: Kind
    sha256: str
    created: str


@dataclass(frozen=True, slots=True)
class ApiTokens:
    """The file of a data directory; it comes into being with the first token."""

    path: Path

    @classmethod
    def of(cls, data: Path) -> "ApiTokens":
        """Give the file of a data directory."""
        return cls(data / FILE)

    def all(self) -> tuple[ApiToken, ...]:
        """Read all tokens, in the order they were made; raises BadInputError or UsageError."""
        try:
            with self.path.open("rb") as file:
                if os.fstat(file.fileno()).st_mode & 0o077:
                    raise UsageError(f"{self.path} may be read by others: chmod 600 it")
                return _parse(self.path, file.read())
        except FileNotFoundError:
            return ()

    def get(self, name: str) -> ApiToken:
        """Look a token up by its name; raises UsageError if there is none."""
        for token in self.all():
            if token.name == name:
                return token
        raise UsageError(f"{self.path} has no token {name!r}; make one with: erqi token new {name}")

    def make(self, name: str, kind: Kind) -> str:
        """Make a token and give its secret, which is kept nowhere; raises UsageError if the name is taken."""
        if not _NAME.fullmatch(name):
            raise UsageError(f"name {name!r}: letters, digits, '.', '_' and '-', at most 64, no sign first")
        secret = f"erqi_{kind}_{secrets.token_urlsafe(_SECRET_BYTES)}"
        with self._lock():
            known = self.all()
            if any(token.name == name for token in known):
                raise UsageError(
                    f"{self.path} has a token {name!r}: revoke it first (erqi token revoke {name})"
                )
            digest = hashlib.sha256(secret.encode()).hexdigest()
            created = datetime.now(UTC).isoformat(timespec="seconds")
            self._write((*known, ApiToken(name, kind, digest, created)))
        return secret

    def revoke(self, name: str) -> None:
        """Take a token out: nobody comes in by it any more; raises UsageError if there is none."""
        with self._lock():
            token = self.get(name)
            self._write(tuple(each for each in self.all() if each != token))

    def _write(self, tokens: tuple[ApiToken, ...]) -> None:
        content = {"format": FORMAT, "tokens": [asdict(token) for token in tokens]}
        fresh = self.path.with_name(f".{self.path.name}.{os.getpid()}")
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, _OWNER_ONLY)
        try:
            os.write(descriptor, (json.dumps(content, indent=2) + "\n").encode())
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        fresh.replace(self.path)

    @contextmanager
    def _lock(self) -> Generator[None]:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        lock = os.open(self.path.with_name(f".{self.path.name}.lock"), os.O_WRONLY | os.O_CREAT, _OWNER_ONLY)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield
        finally:
            os.close(lock)


def _parse(path: Path, data: bytes) -> tuple[ApiToken, ...]:
    try:
        content: object = json.loads(data)
    except ValueError:
        raise BadInputError(f"{path} is no JSON") from None
    listed = content.get("tokens") if _is_object(content) and content.get("format") == FORMAT else None
    if not _is_list(listed):
        raise BadInputError(f"{path} is not of the format {FORMAT}")
    return tuple(_token(f"{path}, token {number}", each) for number, each in enumerate(listed, 1))


def _token(where: str, content: object) -> ApiToken:
    values = (
        [content.get(name) for name in ("name", "kind", "sha256", "created")] if _is_object(content) else []
    )
    texts = [value for value in values if isinstance(value, str)]
    if len(texts) != 4 or texts[1] not in list(Kind):
        raise BadInputError(f"{where}: must have the texts name, kind (bot or runner), sha256 and created")
    return ApiToken(texts[0], Kind(texts[1]), texts[2], texts[3])


def _is_object(value: object) -> TypeGuard[dict[str, object]]:
    return isinstance(value, dict)


def _is_list(value: object) -> TypeGuard[list[object]]:
    return isinstance(value, list)
