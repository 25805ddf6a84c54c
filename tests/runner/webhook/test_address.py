"""Only http and https addresses are taken, without secrets in them; a receiver checks signatures."""

from __future__ import annotations

import hashlib
import hmac

import pytest

from erqiwang_runner.errors import UsageError
from erqiwang_runner.webhook.address import Address, parse_address
from erqiwang_runner.webhook.post import sign


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("http://localhost:8080", Address(False, "localhost", 8080, "/")),
        ("https://[::1]/a/b?c=d", Address(True, "::1", 443, "/a/b?c=d")),
    ],
)
def test_addresses_are_read(url, address):
    assert parse_address(url) == address


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("ftp://example.org/x", "'ftp' is not served, only http and https"),
        ("file:///etc/passwd", "'file' is not served"),
        ("example.org/x", "'no scheme' is not served"),
        ("http:///x", "names no host"),
        ("http://host:port/", "is no address"),
        ("http://host:99999/", "is no address"),
        ("https://user:word@example.org/", "no name and no password"),
        ("https://example.org/#part", "never sent"),
        ("https://example.org/a b", "printable ASCII"),
        ("https://example.org/\r\nHost: other", "printable ASCII"),
        ("https://example.org/" + "a" * 2000, "2000 characters at most"),
    ],
)
def test_what_is_no_address_is_refused(url, said):
    with pytest.raises(UsageError) as refused:
        parse_address(url)
    assert said in str(refused.value)


def test_a_receiver_checks_the_signature_with_its_standard_library():
    secret, body = "00ff" * 16, b'{"kind": "x"}'
    instant, _, digest = sign(secret, 1_800_000_000, body).removeprefix("t=").partition(",v1=")
    again = hmac.new(secret.encode(), instant.encode() + b"." + body, hashlib.sha256).hexdigest()
    assert hmac.compare_digest(digest, again)
    assert sign(secret, 1_800_000_001, body) != sign(secret, 1_800_000_000, body)
