"""Addresses that events are sent to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from erqiwang_runner.errors import UsageError

_SCHEMES: Final = {"http": 80, "https": 443}
_LONGEST: Final = 2000


@dataclass(frozen=True, slots=True)
class Address:
    """A checked address; `target` is what is asked of the host."""

    is_secure: bool
    host: str
    port: int
    target: str


def parse_address(url: str) -> Address:
    """Read the address of a webhook; raises UsageError unless it is http or https.

    >>> parse_address("https://example.org/erqi?room=1")
    Address(is_secure=True, host='example.org', port=443, target='/erqi?room=1')
    """
    if len(url) > _LONGEST or not url.isascii() or any(each <= " " or each == "\x7f" for each in url):
        raise UsageError(f"{url[:60]!r} is no address: printable ASCII, {_LONGEST} characters at most")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise UsageError(f"{url!r} is no address: {error}") from None
    if parts.scheme not in _SCHEMES:
        raise UsageError(f"{url!r}: {parts.scheme or 'no scheme'!r} is not served, only http and https")
    if not parts.hostname:
        raise UsageError(f"{url!r} names no host")
    if parts.username is not None or parts.password is not None:
        raise UsageError("an address holds no name and no password: what is sent is signed instead")
    if parts.fragment:
        raise UsageError(f"{url!r}: what stands behind # is never sent")
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Address(parts.scheme == "https", parts.hostname, port or _SCHEMES[parts.scheme], target)
