"""How a runner dials its referee: a socket of this machine, or `tls://HOST:PORT` with a runner's credential.

The credential is in the file that `ERQI_RUNNER_TOKEN_FILE` names (mode 0600), never in an environment or an
argument. `ERQI_CA`, `ERQI_CERT` and `ERQI_KEY` mean what they mean to bots.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from erqiwang_runner.errors import UsageError

if TYPE_CHECKING:
    import grpc

TLS: Final = "tls://"
TOKEN_FILE: Final = "ERQI_RUNNER_TOKEN_FILE"
FOR_PLAYERS: Final = ("ERQI_CA", "ERQI_CERT", "ERQI_KEY")
"""What a player needs in its environment to dial a referee of the network."""

_MESSAGE_MAX: Final = 64 << 20
_PROBE_S: Final = 5.0
_RECONNECT_MS: Final = 4000
"""A referee that comes back is found so soon: gRPC by itself would wait for two minutes in the end."""


def target_of(place: str) -> str:
    """Give the gRPC target of a referee by its socket folder or its address `tls://HOST:PORT`; "" for "".

    Raises UsageError for an address of another form, or a folder in which no referee runs.
    """
    if not place:
        return ""
    if "://" in place:
        host, _, port = place.removeprefix(TLS).rpartition(":")
        if not place.startswith(TLS) or not host or not port.isdecimal() or not 0 < int(port) < 65536:
            raise UsageError(f"--referee {place}: a referee of the network is {TLS}HOST:PORT")
        return place
    socket = Path(place).absolute() / "match.sock"
    if not socket.is_socket():
        raise UsageError(f"--referee {place}: no referee runs there (there is no match.sock)")
    return f"unix:{socket}"


def trouble_with(channel: grpc.Channel, target: str) -> str | None:
    """Say why a referee would not play a match now, in a line; None if it would."""
    import grpc

    from erqiwang.v1.match_service_pb2 import RunMatchRequest
    from erqiwang.v1.match_service_pb2_grpc import MatchServiceStub

    # How it refuses a match without a spec tells whether it is there, knows us and takes matches.
    try:
        for _ in MatchServiceStub(channel).RunMatch(iter([RunMatchRequest()]), timeout=_PROBE_S):
            pass
    except grpc.RpcError as error:
        if error.code() is grpc.StatusCode.INVALID_ARGUMENT:
            return None
        return f"the referee at {target}: {error.code().name}: {error.details()}"
    return f"the referee at {target} does not answer as one"


def open_channel(target: str, environ: Mapping[str, str] = os.environ) -> grpc.Channel:
    """Open a channel to a referee; raises UsageError if credential or certificates are not there."""
    import grpc

    options = [
        ("grpc.max_receive_message_length", _MESSAGE_MAX),
        ("grpc.max_reconnect_backoff_ms", _RECONNECT_MS),
    ]
    if not target.startswith(TLS):
        return grpc.insecure_channel(target, options=options)
    tls = grpc.ssl_channel_credentials(
        root_certificates=_read(environ, "ERQI_CA"),
        private_key=_read(environ, "ERQI_KEY"),
        certificate_chain=_read(environ, "ERQI_CERT"),
    )
    own = grpc.access_token_call_credentials(_token(environ))
    credentials = grpc.composite_channel_credentials(tls, own)
    return grpc.secure_channel(target.removeprefix(TLS), credentials, options=options)


def check(target: str, environ: Mapping[str, str] = os.environ) -> None:
    """Find out early what `open_channel` would refuse; raises UsageError."""
    if target.startswith(TLS):
        _token(environ)
        for variable in FOR_PLAYERS:
            _read(environ, variable)


def player_environment(address: str, environ: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Give what a local player needs beside the address, to come to a referee of the network."""
    if not address.startswith(TLS):
        return {}
    return {name: environ[name] for name in FOR_PLAYERS if environ.get(name)}


def _token(environ: Mapping[str, str]) -> str:
    name = environ.get(TOKEN_FILE)
    if not name:
        raise UsageError(
            f"{TOKEN_FILE} is not set: the file with the token of `erqi token new NAME --runner`"
        )
    path = Path(name)
    try:
        if path.stat().st_mode & 0o077:
            raise UsageError(f"{TOKEN_FILE}={path} may be read by others: chmod 600 it")
        token = path.read_text("ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "holds no token"
        raise UsageError(f"{TOKEN_FILE}={path}: {reason}") from None
    if not token or not token.isprintable():
        raise UsageError(f"{TOKEN_FILE}={path}: holds no token")
    return token


def _read(environ: Mapping[str, str], variable: str) -> bytes | None:
    path = environ.get(variable)
    if not path:
        return None
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise UsageError(f"{variable}={path}: {error.strerror}") from None
