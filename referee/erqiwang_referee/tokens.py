"""Who may come from the network: tokens that the operator made, kept as SHA-256 in a file of mode 0600.

The file is JSON, `{"format": "erqiwang.tokens/1", "tokens": [{"name", "kind", "sha256", "created"}]}`, and
is written by `erqi token`. It is read again when it changes, so that a token that was revoked ends there.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import TypeGuard

from erqiwang_referee.errors import SettingsError

FORMAT = "erqiwang.tokens/1"
_DIGEST_BYTES = 32
_LOG = logging.getLogger(__name__)


class Kind(Enum):
    """What a token is good for."""

    BOT = "bot"
    """Waiting in the lobby and playing matches."""
    RUNNER = "runner"
    """Having matches played."""


@dataclass(frozen=True, slots=True)
class KnownToken:
    """A token as its operator keeps it: never the secret itself."""

    name: str
    kind: Kind
    digest: bytes


class TokenFile:
    """The tokens of a file, as it is now."""

    __slots__ = ("_path", "_stamp", "_tokens")

    def __init__(self, path: Path) -> None:
        """Read the file for the first time; raises `SettingsError`."""
        self._path = path
        self._stamp = _stamp(path)
        self._tokens = _read(path)

    def find(self, secret: str, kind: Kind) -> KnownToken | None:
        """Look a secret up, in constant time."""
        return self.find_digest(hashlib.sha256(secret.encode()).digest(), kind)

    def find_digest(self, digest: bytes, kind: Kind) -> KnownToken | None:
        """Look the SHA-256 of a secret up, in constant time."""
        self._refresh()
        found = [token for token in self._tokens if hmac.compare_digest(token.digest, digest)]
        return next((token for token in found if token.kind is kind), None)

    def _refresh(self) -> None:
        try:
            stamp = _stamp(self._path)
            if stamp != self._stamp:
                self._stamp = stamp
                self._tokens = _read(self._path)
        except SettingsError as error:
            self._tokens = ()  # who cannot tell who may come lets nobody in
            self._stamp = None
            _LOG.error("nobody is let in: %s", error)


_Stamp = tuple[int, int, int]


def _stamp(path: Path) -> _Stamp | None:
    try:
        status = path.stat()
    except OSError as error:
        raise SettingsError(f"--tokens {path}: {error.strerror}") from None
    if status.st_mode & 0o077:
        raise SettingsError(f"--tokens {path} may be read by others: chmod 600 it")
    return status.st_ino, status.st_mtime_ns, status.st_size


def _read(path: Path) -> tuple[KnownToken, ...]:
    try:
        content: object = json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise SettingsError(f"--tokens {path}: {error.strerror}") from None
    except ValueError:
        raise SettingsError(f"--tokens {path} is no JSON") from None
    if not _is_object(content) or content.get("format") != FORMAT or not _is_list(content.get("tokens")):
        raise SettingsError(f"--tokens {path} is not of the format {FORMAT} that `erqi token` writes")
    listed = content["tokens"]
    assert _is_list(listed)
    return tuple(_token(f"--tokens {path}, token {number}", each) for number, each in enumerate(listed, 1))


def _token(where: str, content: object) -> KnownToken:
    if not _is_object(content):
        raise SettingsError(f"{where}: must be an object")
    name, kind, digest = content.get("name"), content.get("kind"), content.get("sha256")
    if not isinstance(name, str) or kind not in [each.value for each in Kind]:
        raise SettingsError(f"{where}: must have a name and a kind, bot or runner")
    try:
        raw = bytes.fromhex(digest) if isinstance(digest, str) else b""
    except ValueError:
        raw = b""
    if len(raw) != _DIGEST_BYTES:
        raise SettingsError(f"{where}: sha256 must be {2 * _DIGEST_BYTES} hexadecimal digits")
    return KnownToken(name, Kind(kind), raw)


def _is_object(value: object) -> TypeGuard[Mapping[str, object]]:
    return isinstance(value, dict)


def _is_list(value: object) -> TypeGuard[Sequence[object]]:
    return isinstance(value, list)
