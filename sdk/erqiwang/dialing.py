"""How a bot dials its referee: `tls://HOST:PORT` encrypted, any other gRPC target in clear.

A token that travels in clear over a network can be used by whoever sees it, so that is refused unless it was
allowed explicitly.
"""

from __future__ import annotations

import ipaddress
from pathlib import Path

import grpc
import grpc.aio

from erqiwang.errors import SettingsError
from erqiwang.settings import Settings

TLS = "tls://"
_OPTIONS = (
    ("grpc.max_receive_message_length", -1),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 1000),
)
_REMOTE_OPTIONS = (
    *_OPTIONS,
    # A connection that died on the way is noticed while the bot waits in the lobby.
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 5_000),
    ("grpc.http2.max_pings_without_data", 0),
)


def open_channel(settings: Settings) -> grpc.Channel:
    """Open the channel to the referee; raises `SettingsError` if it would give the token away."""
    target, credentials = _way(settings)
    if credentials is None:
        return grpc.insecure_channel(target, options=_OPTIONS)
    return grpc.secure_channel(target, credentials, options=_REMOTE_OPTIONS)


def open_async_channel(settings: Settings) -> grpc.aio.Channel:
    """Open the same for an event loop."""
    target, credentials = _way(settings)
    if credentials is None:
        return grpc.aio.insecure_channel(target, options=_OPTIONS)
    return grpc.aio.secure_channel(target, credentials, options=_REMOTE_OPTIONS)


def _way(settings: Settings) -> tuple[str, grpc.ChannelCredentials | None]:
    """Return the target, and the credentials where it is reached by TLS."""
    target = settings.referee
    if target.startswith(TLS):
        return target.removeprefix(TLS), _credentials(settings)
    if not settings.allow_clear and not stays_on_this_machine(target):
        raise SettingsError(
            f"ERQI_REFEREE={target} would send the token in clear over the network: "
            f"write {TLS}HOST:PORT, or set ERQI_ALLOW_CLEAR=1 if everybody on the way is trusted"
        )
    return target, None


def stays_on_this_machine(target: str) -> bool:
    """Whether a gRPC target leads nowhere else.

    >>> [stays_on_this_machine(target) for target in ("unix:/tmp/p3.sock", "localhost:70", "ipv6:[::1]:70")]
    [True, True, True]
    >>> [stays_on_this_machine(target) for target in ("10.0.0.1:70", "dns:///example.org:70", "0.0.0.0:70")]
    [False, False, False]
    """
    if target.startswith(("unix:", "unix-abstract:")):
        return True
    for scheme in ("dns:///", "dns:", "ipv4:", "ipv6:", "passthrough:///"):
        target = target.removeprefix(scheme)
    # A target may be a list of addresses: all of them must stay.
    return all(_is_loopback(address) for address in target.split(","))


def _is_loopback(address: str) -> bool:
    host = address if address.count(":") > 1 and not address.startswith("[") else address.rpartition(":")[0]
    name = (host or address).removeprefix("[").removesuffix("]").lower()
    if name == "localhost":
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def _credentials(settings: Settings) -> grpc.ChannelCredentials:
    if (settings.certificate is None) != (settings.key is None):
        raise SettingsError("ERQI_CERT and ERQI_KEY go together: the bot's certificate and its private key")
    return grpc.ssl_channel_credentials(
        root_certificates=_read("ERQI_CA", settings.ca),
        private_key=_read("ERQI_KEY", settings.key),
        certificate_chain=_read("ERQI_CERT", settings.certificate),
    )


def _read(variable: str, path: Path | None) -> bytes | None:
    if path is None:
        return None
    try:
        content = path.read_bytes()
    except OSError as error:
        raise SettingsError(f"{variable}={path}: {error.strerror}") from None
    if b"-----BEGIN " not in content:
        raise SettingsError(f"{variable}={path} is no file in PEM form")
    return content
