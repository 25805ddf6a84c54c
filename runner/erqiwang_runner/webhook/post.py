"""One signed POST request: bounded in time whatever the other side does, and no redirect is followed."""

from __future__ import annotations

import hashlib
import hmac
import socket
import ssl
from collections.abc import Mapping
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from threading import Event, Timer
from typing import Final

from erqiwang_runner.webhook.address import parse_address

LIMIT_S: Final = 10.0
"""How long a request may take from the first byte to the status of the answer."""

_SUCCESS: Final = range(200, 300)
_REDIRECTS: Final = range(300, 400)


class DeliveryError(Exception):
    """An event did not arrive; the message says why in a few words."""


def sign(secret: str, instant: int, body: bytes) -> str:
    """Give the signature header: HMAC-SHA256 under the secret's text, of `instant`, a dot and the body.

    >>> sign("key", 1800000000, b"{}")
    't=1800000000,v1=7321475872b03ff21bdc2dfd86ea2d99ec29c479fbe4a77aa6acf4509505493f'
    """
    signed = b"%d." % instant + body
    return f"t={instant},v1={hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()}"


def post(url: str, body: bytes, headers: Mapping[str, str], limit_s: float = LIMIT_S) -> int:
    """Send a body; gives the status of the answer. Raises DeliveryError unless it is from 200 to 299."""
    address = parse_address(url)
    connection = (
        HTTPSConnection(address.host, address.port, timeout=limit_s, context=ssl.create_default_context())
        if address.is_secure
        else HTTPConnection(address.host, address.port, timeout=limit_s)
    )
    # A time-out of each read does not bound an answer that trickles in.
    is_late = Event()
    cut = Timer(limit_s, _cut, [connection, is_late])
    cut.daemon = True
    try:
        connection.connect()
        cut.start()
        connection.request("POST", address.target, body, {"Content-Type": "application/json", **headers})
        status = connection.getresponse().status
    except TimeoutError:
        raise DeliveryError(f"no answer within {limit_s:g} s") from None
    except (OSError, HTTPException, ValueError) as error:
        late = f" or no answer within {limit_s:g} s" if is_late.is_set() else ""
        raise DeliveryError(f"{_words(error)}{late}") from None
    finally:
        cut.cancel()
        connection.close()
    if status in _REDIRECTS:
        raise DeliveryError(f"answered {status}: redirects are not followed")
    if status not in _SUCCESS:
        raise DeliveryError(f"answered {status}")
    return status


def _cut(connection: HTTPConnection, is_late: Event) -> None:
    # Said first: the reader may wake up, and ask, before this returns.
    is_late.set()
    try:
        connection.sock.shutdown(socket.SHUT_RDWR)
    except (OSError, AttributeError):
        # It has just ended by itself.
        return


def _words(error: Exception) -> str:
    text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return f"{type(error).__name__}: {text}"[:200]
