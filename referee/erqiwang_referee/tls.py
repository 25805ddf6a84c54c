"""Encryption of the network addresses: certificate and key of the referee, and whose clients it believes."""

from __future__ import annotations

import ipaddress
import ssl
from dataclasses import dataclass
from pathlib import Path

import grpc

from erqiwang_referee.errors import SettingsError


@dataclass(frozen=True, slots=True)
class Tls:
    """PEM files of the referee: its certificate with the chain, and its private key."""

    certificate: Path
    key: Path

    def __post_init__(self) -> None:
        """Check that the files are there and belong together; raises `SettingsError`."""
        for option, path in (("--tls-cert", self.certificate), ("--tls-key", self.key)):
            read_file(option, path)
        if self.key.stat().st_mode & 0o077:
            raise SettingsError(f"--tls-key {self.key} may be read by others: chmod 600 it")
        try:
            ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(self.certificate, self.key, _no_password)
        except ssl.SSLError as error:
            reason = (error.reason or str(error)).replace("_", " ").lower()
            raise SettingsError(
                f"--tls-cert {self.certificate} with --tls-key {self.key}: {reason}"
            ) from None

    def credentials(self, client_ca: Path | None) -> grpc.ServerCredentials:
        """Make the credentials of a server; with a `client_ca` every client must show a certificate of it."""
        return grpc.ssl_server_credentials(
            [(self.key.read_bytes(), self.certificate.read_bytes())],
            root_certificates=None if client_ca is None else client_ca.read_bytes(),
            require_client_auth=client_ca is not None,
        )


def check_authority(option: str, path: Path) -> None:
    """Check that a file holds certificates to believe; raises `SettingsError`."""
    read_file(option, path)
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(path)
    except ssl.SSLError:
        raise SettingsError(f"{option} {path} holds no certificate in PEM form") from None


def read_file(option: str, path: Path) -> bytes:
    """Read a file that an option names; raises `SettingsError`."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise SettingsError(f"{option} {path}: {error.strerror}") from None


def is_loopback(host: str) -> bool:
    """Whether a host is this machine itself, so that nobody listens on the way.

    >>> [is_loopback(host) for host in ("localhost", "127.0.0.9", "[::1]", "0.0.0.0", "example.org")]
    [True, True, True, False, False]
    """
    name = host.removeprefix("[").removesuffix("]").lower()
    if name == "localhost":
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def _no_password() -> str:
    raise SettingsError("--tls-key is encrypted: give a key without a password in a file of mode 0600")
