"""How the referee runs: read once at start, from the command line and the environment, and passed down."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import NoReturn

from erqiwang_referee.errors import SettingsError
from erqiwang_referee.tls import Tls, check_authority, is_loopback
from erqiwang_referee.tokens import TokenFile

_PREFIX = "ERQI_REFEREE_"
_SOCKET_PATH_MAX = 90
"""A unix socket's whole path may hold 107 bytes; the names below the directory are short."""
_PORT_MAX = 65_535
_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The referee's own measures of time and size; none of them is a condition of a match.

    Each can be set in the environment as `ERQI_REFEREE_` and its name in capitals.
    """

    tick_ms: int = 20
    """How often deadlines are looked at."""
    late_tick_ms: int = 100
    """A tick later than this is the platform's fault: the time is charged to nobody."""
    flush_ms: int = 1
    """How long a turn may wait for company while other players are still deciding."""
    flush_turns: int = 64
    """So many waiting turns are sent at once."""
    grace_ms: int = 5000
    """How long a player with a broken stream may take to come back."""
    exit_word_ms: int = 500
    """How long the launcher may take to say that a process ended, once its stream broke."""
    close_ms: int = 1000
    """How long a player may take to read its last messages."""
    first_message_ms: int = 5000
    """How long a new stream may take to say who it is."""
    message_bytes: int = 262_144
    """The longest message of a player."""
    outbox_bytes: int = 4_194_304
    """How much may wait for a player that does not read."""
    idle_messages: int = 256
    """How many messages without a useful decision a player may send in a row."""
    rejections: int = 256
    """How many late, repeated or unknown turn ids a player may answer in a match."""
    timeouts: int = 3
    """How many decisions of a seat at one table may take too long before the table is forfeited."""
    resumes: int = 3
    """How often a player may come back in a match."""
    tables_in_flight: int = 16
    """Tables in flight per player where the match does not say."""
    matches: int = 64
    """How many matches run at once."""
    streams: int = 2048
    """How many streams of players are open at once, on the sockets and on the network each."""
    connection_streams: int = 4
    """How many streams one connection of a player carries; more wait at the player's side."""
    token_sessions: int = 64
    """How many sessions of one API token are open at once."""
    joins_per_minute: int = 600
    """How many streams from one network address may be opened in a minute."""
    drain_ms: int = 30_000
    """How long running matches may go on when the referee is told to end."""

    def __post_init__(self) -> None:
        for field in fields(self):
            if getattr(self, field.name) < 1:
                raise SettingsError(f"{_PREFIX}{field.name.upper()} must be at least 1")


@dataclass(frozen=True, slots=True, kw_only=True)
class Network:
    """What the referee offers to the network; with neither `players` nor `runners` it offers nothing.

    `players` and `runners` are `HOST:PORT` to listen on; `advertise` is how players of a runner on another
    machine reach `players`. With a `..._ca` each client must show a certificate of that authority.
    """

    players: str | None = None
    runners: str | None = None
    advertise: str | None = None
    tls: Tls | None = None
    player_ca: Path | None = None
    runner_ca: Path | None = None
    tokens: TokenFile | None = None

    @property
    def is_open(self) -> bool:
        """Whether somebody may come from the network."""
        return self.players is not None or self.runners is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Where the referee listens, what it logs, and its limits.

    `metrics` is the `HOST:PORT` where Prometheus may look, None for nowhere.
    """

    socket_dir: Path
    network: Network = Network()
    metrics: str | None = None
    reflection: bool = False
    log_level: str = "INFO"
    limits: Limits = Limits()

    @classmethod
    def read(cls, arguments: Sequence[str], environment: Mapping[str, str]) -> Settings:
        """Read and check everything; raises `SettingsError`."""
        parsed = _parser().parse_args(arguments)
        level = environment.get("ERQI_LOG_LEVEL", "INFO").upper()
        if level not in _LEVELS:
            raise SettingsError(f"ERQI_LOG_LEVEL must be one of {', '.join(_LEVELS)}, not {level!r}")
        return cls(
            socket_dir=_socket_dir(Path(parsed.socket_dir)),
            network=_network(parsed),
            metrics=_address("--metrics", parsed.metrics),
            reflection=parsed.reflection,
            log_level=level,
            limits=_limits(environment),
        )


class _Parser(ArgumentParser):
    """An argument parser that raises instead of ending the process with the exit code 2."""

    def error(self, message: str) -> NoReturn:
        raise SettingsError(message)


def _parser() -> ArgumentParser:
    parser = _Parser(prog="python -m erqiwang_referee", description="The referee of 二七王 matches.")
    option = parser.add_argument
    option("--socket-dir", required=True, metavar="DIR", help="private folder (0700) for sockets")
    option("--listen", metavar="HOST:PORT", help="also serve players of the network here")
    option("--runner-listen", metavar="HOST:PORT", help="serve runners here that bring a token of their kind")
    option("--advertise", metavar="HOST:PORT", help="where the network reaches --listen, if elsewhere")
    option("--tls-cert", type=Path, metavar="FILE", help="certificate chain of the referee (PEM)")
    option("--tls-key", type=Path, metavar="FILE", help="its private key (PEM, mode 0600)")
    option("--client-ca", type=Path, metavar="FILE", help="players must show a certificate of this authority")
    option("--runner-ca", type=Path, metavar="FILE", help="runners must show a certificate of this authority")
    option("--tokens", type=Path, metavar="FILE", help="who may come from the network (made by erqi token)")
    option("--allow-clear", action="store_true", help="allow the network without TLS: tokens can be read")
    option("--reflection", action="store_true", help="describe the services to whoever asks")
    option("--metrics", metavar="HOST:PORT", help="serve metrics for Prometheus here")
    return parser


def _network(parsed: Namespace) -> Network:
    players = _address("--listen", parsed.listen)
    runners = _address("--runner-listen", parsed.runner_listen)
    tls = _tls(parsed)
    for option, address in (("--listen", players), ("--runner-listen", runners)):
        if address and tls is None and not parsed.allow_clear and not is_loopback(address.rpartition(":")[0]):
            raise SettingsError(
                f"{option} {address}: tokens would be sent in clear; give --tls-cert and --tls-key, or "
                "--allow-clear if the network is trusted"
            )
    for option, authority in (("--client-ca", parsed.client_ca), ("--runner-ca", parsed.runner_ca)):
        if authority is not None:
            if tls is None:
                raise SettingsError(f"{option} needs --tls-cert and --tls-key")
            check_authority(option, authority)
    if runners is not None and parsed.tokens is None:
        raise SettingsError("--runner-listen needs --tokens: a runner must say who it is")
    return Network(
        players=players,
        runners=runners,
        advertise=_address("--advertise", parsed.advertise),
        tls=tls,
        player_ca=parsed.client_ca,
        runner_ca=parsed.runner_ca,
        tokens=None if parsed.tokens is None else TokenFile(parsed.tokens),
    )


def _tls(parsed: Namespace) -> Tls | None:
    certificate, key = parsed.tls_cert, parsed.tls_key
    if certificate is None and key is None:
        return None
    if certificate is None or key is None:
        raise SettingsError("--tls-cert and --tls-key go together")
    return Tls(certificate, key)


def _socket_dir(path: Path) -> Path:
    folder = path.absolute()
    if not folder.is_dir():
        raise SettingsError(f"--socket-dir {folder} is no folder")
    if folder.stat().st_mode & 0o077:
        raise SettingsError(f"--socket-dir {folder} is open to other users: its mode must be 0700")
    if len(bytes(folder)) > _SOCKET_PATH_MAX:
        raise SettingsError(f"--socket-dir {folder} is longer than {_SOCKET_PATH_MAX} bytes")
    return folder


def _address(option: str, text: str | None) -> str | None:
    if text is None:
        return None
    host, _, port = text.rpartition(":")
    if not host or not (port.isascii() and port.isdigit()) or int(port) > _PORT_MAX:
        raise SettingsError(f"{option} must be HOST:PORT, not {text!r}")
    return text


def _limits(environment: Mapping[str, str]) -> Limits:
    given: dict[str, int] = {}
    for field in fields(Limits):
        name = _PREFIX + field.name.upper()
        if name in environment:
            given[field.name] = _number(name, environment[name])
    return Limits(**given)


def _number(name: str, text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise SettingsError(f"{name} must be a whole number, not {text!r}")
    return int(text)
