"""Where a process of the runner finds its data and its services, read from the environment once."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from erqiwang_runner.clocks import VISIBILITY_S
from erqiwang_runner.errors import UsageError
from erqiwang_runner.sealed import VARIABLE

DEFAULT_DATA: Final = Path("erqi-data")
_DATABASE_FILE: Final = "erqi.sqlite3"
_REDIS: Final = ("redis://", "rediss://", "unix://", "redis+socket://")
_SHORTEST_S: Final = 60
_LONGEST_S: Final = 7 * 86_400
_DATABASES: Final = ("sqlite:", "postgresql:", "postgresql+psycopg:")


@dataclass(frozen=True, slots=True)
class Settings:
    """The places of one installation.

    `data` is the data directory, `database_url` the database, `redis_url` a Redis of the user's own or None
    for a private one, `run_directory` the short-lived directory of the running platform (sockets, homes of
    players) and `run_id` the identity of that run; both are set for the processes that a run starts.
    `secret_key` opens the secrets of committed deals; no other process is given it. After `visibility_s`
    seconds the broker gives a match to another worker, too, if nobody said that it is done.
    """

    data: Path
    database_url: str
    redis_url: str | None = None
    run_directory: Path | None = None
    run_id: str = ""
    secret_key: str = field(default="", repr=False)
    visibility_s: int = VISIBILITY_S

    @classmethod
    def from_environment(
        cls, data: Path | None = None, environ: Mapping[str, str] = os.environ
    ) -> "Settings":
        """Read ERQI_DATA, ERQI_DATABASE_URL, ERQI_REDIS_URL, ERQI_SECRET_KEY, ERQI_VISIBILITY_S.

        And what a run sets for its own processes. Raises UsageError for what cannot be.
        """
        place = (data or Path(environ.get("ERQI_DATA") or DEFAULT_DATA)).absolute()
        run_directory = environ.get("ERQI_RUN_DIRECTORY")
        return cls(
            data=place,
            database_url=_address(environ, "ERQI_DATABASE_URL", _DATABASES)
            or f"sqlite:///{place / _DATABASE_FILE}",
            redis_url=_address(environ, "ERQI_REDIS_URL", _REDIS),
            run_directory=Path(run_directory) if run_directory else None,
            run_id=environ.get("ERQI_RUN_ID", ""),
            secret_key=environ.get(VARIABLE, ""),
            visibility_s=_visibility(environ),
        )

    def find_data(self) -> None:
        """Make sure that there is something to read; raises UsageError where nothing was ever written."""
        file = self.data / _DATABASE_FILE
        if self.database_url == f"sqlite:///{file}" and not file.exists():
            raise UsageError(
                f"{self.data} holds no tournaments; --data names the directory that `erqi` filled"
            )

    def to_environment(self) -> dict[str, str]:
        """Give the variables from which a child process reads the same settings."""
        pairs = {
            "ERQI_DATA": str(self.data),
            "ERQI_DATABASE_URL": self.database_url,
            "ERQI_REDIS_URL": self.redis_url or "",
            "ERQI_RUN_DIRECTORY": str(self.run_directory or ""),
            "ERQI_RUN_ID": self.run_id,
            "ERQI_VISIBILITY_S": str(self.visibility_s),
        }
        return {name: value for name, value in pairs.items() if value}


def _visibility(environ: Mapping[str, str]) -> int:
    text = environ.get("ERQI_VISIBILITY_S") or str(VISIBILITY_S)
    if not (text.isascii() and text.isdecimal()) or not _SHORTEST_S <= int(text) <= _LONGEST_S:
        raise UsageError(
            f"ERQI_VISIBILITY_S: {text[:40]!r} is no whole number of seconds "
            f"from {_SHORTEST_S} to {_LONGEST_S}"
        )
    return int(text)


def _address(environ: Mapping[str, str], name: str, kinds: tuple[str, ...]) -> str | None:
    address = environ.get(name) or None
    if address is not None and not address.startswith(kinds):
        kind = address.partition(":")[0][:40]
        raise UsageError(f"{name}: {kind!r} is not served; an address begins with {', '.join(kinds)}")
    return address
