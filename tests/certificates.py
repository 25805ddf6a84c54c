"""Certificates for tests of TLS, made by openssl."""

import subprocess
from pathlib import Path


class Certificates:
    """An authority, and what it signed for the referee (`server`) and for a client (`client`)."""

    def __init__(self, openssl: str, folder: Path) -> None:
        self._openssl = openssl
        self._folder = folder
        self._make("authority", "-x509", "-subj", "/CN=test authority")
        signed = ("-x509", "-CA", self.path("authority.pem"), "-CAkey", self.path("authority.key"))
        self._make(
            "server",
            *signed,
            "-subj",
            "/CN=localhost",
            "-addext",
            "subjectAltName=DNS:localhost,IP:127.0.0.1",
        )
        self._make("client", *signed, "-subj", "/CN=a client")

    def path(self, name: str) -> str:
        return str(self._folder / name)

    def read(self, name: str) -> bytes:
        return (self._folder / name).read_bytes()

    def _make(self, name: str, *options: str) -> None:
        curve = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-noenc", "-days", "2")
        out = ("-keyout", self.path(f"{name}.key"), "-out", self.path(f"{name}.pem"))
        subprocess.run([self._openssl, "req", *curve, *out, *options], check=True, capture_output=True)
        Path(self.path(f"{name}.key")).chmod(0o600)
