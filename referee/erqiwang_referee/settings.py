"""How the referee runs: read once at start, from the command line and the environment, and passed down."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import NoReturn

from erqiwang_referee.errors import SettingsError

_PREFIX = "ERQI_REFEREE_"
_SOCKET_PATH_MAX = 90
"""A unix socket's whole path may hold 107 bytes; the names below the directory are short."""
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

    def __post_init__(self) -> None:
        for field in fields(self):
            if getattr(self, field.name) < 1:
                raise SettingsError(f"{_PREFIX}{field.name.upper()} must be at least 1")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Where the referee listens, what it logs, and its limits.

    `listen` is `HOST:PORT` for players that come over the network, None for one socket per player.
    """

    socket_dir: Path
    listen: str | None = None
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
            listen=None if parsed.listen is None else _address(parsed.listen),
            log_level=level,
            limits=_limits(environment),
        )


class _Parser(ArgumentParser):
    """An argument parser that raises instead of ending the process with the exit code 2."""

    def error(self, message: str) -> NoReturn:
        raise SettingsError(message)


def _parser() -> ArgumentParser:
    parser = _Parser(prog="python -m erqiwang_referee", description="The referee of 二七王 matches.")
    parser.add_argument(
        "--socket-dir", required=True, metavar="DIR", help="private folder (0700) for sockets"
    )
    parser.add_argument("--listen", metavar="HOST:PORT", help="serve players here instead of on sockets")
    return parser


def _socket_dir(path: Path) -> Path:
    folder = path.absolute()
    if not folder.is_dir():
        raise SettingsError(f"--socket-dir {folder} is no folder")
    if folder.stat().st_mode & 0o077:
        raise SettingsError(f"--socket-dir {folder} is open to other users: its mode must be 0700")
    if len(bytes(folder)) > _SOCKET_PATH_MAX:
        raise SettingsError(f"--socket-dir {folder} is longer than {_SOCKET_PATH_MAX} bytes")
    return folder


def _address(text: str) -> str:
    host, _, port = text.rpartition(":")
    if not host or not port.isdigit() or int(port) > 65_535:
        raise SettingsError(f"--listen must be HOST:PORT, not {text!r}")
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
