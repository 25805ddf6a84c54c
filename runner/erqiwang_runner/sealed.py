"""Secrets on disk that only `ERQI_SECRET_KEY` opens: AES-256-GCM under a key that scrypt derives from it.

A sealed secret is the text `sealed1:` and, in base64, salt (16 bytes), nonce (12) and ciphertext with its
tag. What it belongs to is authenticated with it: a line that was moved to another commitment does not open.
"""

import base64
import os
from functools import lru_cache
from typing import Final

from erqiwang_runner.errors import UnavailableError, UsageError

VARIABLE: Final = "ERQI_SECRET_KEY"
PREFIX: Final = "sealed1:"

SHORTEST: Final = 16
"""Characters that a key has at least: whoever takes the file may try as many as he likes."""

_SALT_BYTES: Final = 16
_NONCE_BYTES: Final = 12
_KEY_BYTES: Final = 32
# 2^15 · 8 · 128 bytes: 32 MiB and about a tenth of a second for each key that is tried.
_COST: Final = 1 << 15
_BLOCK: Final = 8
_LANES: Final = 1


def seal(secret: bytes, key: str, belongs_to: str) -> str:
    """Encrypt a secret; raises UsageError for a key that is too short."""
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    salt, nonce = os.urandom(_SALT_BYTES), os.urandom(_NONCE_BYTES)
    sealed = AESGCM(_derive(key, salt)).encrypt(nonce, secret, belongs_to.encode())
    return PREFIX + base64.b64encode(salt + nonce + sealed).decode()


def unseal(text: str, key: str, belongs_to: str) -> bytes:
    """Decrypt a secret; raises UnavailableError without the key that it was sealed with."""
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    if not key:
        raise UnavailableError(f"the secret is sealed: set {VARIABLE} to the key that it was made with")
    try:
        data = base64.b64decode(text.removeprefix(PREFIX), validate=True)
        salt, nonce = data[:_SALT_BYTES], data[_SALT_BYTES : _SALT_BYTES + _NONCE_BYTES]
        sealed = data[_SALT_BYTES + _NONCE_BYTES :]
        return AESGCM(_derive(key, salt)).decrypt(nonce, sealed, belongs_to.encode())
    except (InvalidTag, ValueError):
        raise UnavailableError(
            f"{VARIABLE} does not open the secret of {belongs_to[:16]}…: another key, or a damaged file"
        ) from None


@lru_cache(maxsize=16)
def _derive(key: str, salt: bytes) -> bytes:
    from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

    if len(key) < SHORTEST:
        raise UsageError(f"{VARIABLE} is too short: {SHORTEST} characters at least")
    return Scrypt(salt=salt, length=_KEY_BYTES, n=_COST, r=_BLOCK, p=_LANES).derive(key.encode())
