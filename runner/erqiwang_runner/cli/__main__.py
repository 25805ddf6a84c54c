"""The command `erqi`: exit codes and errors, the same for every command."""

import errno
import os
import sqlite3
import sys
import tempfile
import traceback
from importlib.metadata import version
from pathlib import Path
from typing import Final

from erqiwang_runner.errors import RunnerError
from erqiwang_runner.exit_codes import ExitCode

# What each extra brings, by the name of the module that is missing without it.
_EXTRAS: Final = {
    "typer": "play",
    "rich": "play",
    "numpy": "play",
    "grpc_health": "play",
    "matplotlib": "plots",
    "celery": "server",
    "kombu": "server",
    "redis": "server",
    "sqlalchemy": "server",
    "alembic": "server",
    "psycopg": "server",
    "prometheus_client": "server",
    "structlog": "server",
    "cryptography": "server",
}
_TYPER_USAGE: Final = 2
_NO_DATABASE: Final = frozenset({"SQLITE_NOTADB", "SQLITE_CORRUPT"})

# What a place on the disk can be wrong in: the machine's state, not a bug.
_PLACE_ERRORS: Final = frozenset(
    {
        *(errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOSPC, errno.EDQUOT),
        *(errno.EEXIST, errno.ENOENT, errno.ENOTDIR, errno.EISDIR),
    }
)


def main() -> None:
    """Run `erqi` and exit."""
    sys.exit(run(sys.argv[1:]))


def run(args: list[str]) -> int:
    """Run a command line and give its exit code; every failure is one line on standard error."""
    try:
        return _run(args)
    except RunnerError as error:
        return _fail(str(error), error.exit_code)
    except KeyboardInterrupt:
        return _fail("interrupted", ExitCode.INTERRUPTED)
    except BrokenPipeError:
        # Whoever read our output has seen enough.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.NO
    except ModuleNotFoundError as error:
        extra = _EXTRAS.get((error.name or "").partition(".")[0])
        if extra is None:
            return _our_bug(error)
        message = f"{error.name} is missing: pip install 'erqiwang[{extra}]'"
        return _fail(message, ExitCode.UNAVAILABLE)
    except OSError as error:
        if error.errno in _PLACE_ERRORS:
            return _fail(f"{error.filename or 'the disk'}: {error.strerror}", ExitCode.UNAVAILABLE)
        return _our_bug(error)
    except Exception as error:
        return _database_failed(error) or _our_bug(error)


def _run(args: list[str]) -> int:
    import typer

    from erqiwang_runner.cli.app import app

    try:
        code = app(args or ["--help"], prog_name="erqi", standalone_mode=False)
    except typer.TyperException as error:
        return _fail(
            error.format_message(),
            ExitCode.USAGE if error.exit_code == _TYPER_USAGE else error.exit_code,
        )
    except typer.Abort:
        return ExitCode.INTERRUPTED
    return code if isinstance(code, int) else ExitCode.YES


def _database_failed(error: Exception) -> int | None:
    """Tell a database that does not work from a bug; None for anything else."""
    if "sqlalchemy" not in sys.modules:
        return None
    from sqlalchemy.exc import DBAPIError, OperationalError

    if not isinstance(error, DBAPIError):
        return None
    cause = str(error.orig).partition("\n")[0]
    if isinstance(error.orig, sqlite3.Error) and error.orig.sqlite_errorname in _NO_DATABASE:
        return _fail(f"the database in the data directory cannot be read: {cause}", ExitCode.BAD_INPUT)
    if isinstance(error, OperationalError):
        return _fail(f"the database does not work: {cause}", ExitCode.UNAVAILABLE)
    return None


def _fail(message: str, code: int) -> int:
    print(f"erqi: {message}", file=sys.stderr)
    return code


def _our_bug(error: Exception) -> int:
    """Keep the traceback in a file: a person needs one line, whoever mends it the rest."""
    try:
        descriptor, name = tempfile.mkstemp(prefix="erqi-bug-", suffix=".log", dir=_bug_directory())
        with os.fdopen(descriptor, "w") as log:
            log.write(f"erqiwang {version('erqiwang')}, python {sys.version}\n")
            log.write("".join(traceback.format_exception(error)))
    except OSError as full:
        return _fail(f"internal error ({full.strerror}, so no report was kept): {error}", ExitCode.OUR_BUG)
    return _fail(f"internal error, please report it with {name}: {error}", ExitCode.OUR_BUG)


def _bug_directory() -> Path:
    data = Path(os.environ.get("ERQI_DATA") or "erqi-data")
    return data if data.is_dir() else Path(tempfile.gettempdir())


if __name__ == "__main__":
    main()
