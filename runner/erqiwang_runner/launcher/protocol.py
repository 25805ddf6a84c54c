"""What worker and launcher say to each other: one JSON object a line, its kind under `kind`."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Final, TypeAlias


@dataclass(frozen=True, slots=True)
class Start:
    """Start a process; `id` names it in every later message and its private directory.

    `environment` is the whole environment apart from HOME and TMPDIR, the private directory. With `announces`
    the lines of its standard output are reported (a referee says there where it listens) and its standard
    input stays open as long as the launcher lives; without, both are /dev/null. Limits are bytes and numbers
    for setrlimit, None for no limit.
    """

    id: str
    argv: tuple[str, ...]
    environment: Mapping[str, str]
    announces: bool = False
    open_files: int | None = None
    file_bytes: int | None = None
    address_space_bytes: int | None = None


@dataclass(frozen=True, slots=True)
class StopPlayers:
    """End every process that does not announce, with all its descendants, after a moment to go by itself."""

    grace_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Started:
    """A process runs."""

    id: str
    pid: int


@dataclass(frozen=True, slots=True)
class StartFailed:
    """A process could not be started; `reason` is one line with the command."""

    id: str
    reason: str


@dataclass(frozen=True, slots=True)
class Announced:
    """A line of the standard output of a process that announces."""

    id: str
    line: str


@dataclass(frozen=True, slots=True)
class Exited:
    """A process ended by exit code or by signal; `by_us` if the launcher was asked to end it.

    `stderr` holds the first and last of what it wrote there.
    """

    id: str
    code: int | None
    signal: int | None
    by_us: bool
    out_of_memory: bool
    stderr: str


@dataclass(frozen=True, slots=True)
class PlayersStopped:
    """No player is left; `survivors` counts processes that would not die (it should be 0)."""

    survivors: int


Request: TypeAlias = Start | StopPlayers
Report: TypeAlias = Started | StartFailed | Announced | Exited | PlayersStopped

_KINDS: Final = {
    each.__name__: each
    for each in (Start, StopPlayers, Started, StartFailed, Announced, Exited, PlayersStopped)
}


def encode(message: Request | Report) -> bytes:
    """Write a message as a line."""
    return json.dumps({"kind": type(message).__name__, **asdict(message)}).encode() + b"\n"


def decode(line: bytes) -> Request | Report:
    """Read a message; raises ValueError for anything else."""
    fields = json.loads(line)
    kind = _KINDS[fields.pop("kind")]
    if "argv" in fields:
        fields["argv"] = tuple(fields["argv"])
    return kind(**fields)
