"""What can go wrong in the runner.

::

    RunnerError
    ├── UsageError            asked for something that cannot be: unknown name, bad combination
    ├── BadInputError         a file is not what it should be
    │   └── WrongKeyError     a key or a value of a TOML file (`toml_section`)
    ├── UnavailableError      a service or program is missing
    ├── WorkerRefusedError    a worker may take nothing: another version, or a quarantined host
    ├── StaleAttemptError     a late attempt tried to write; harmless, its work is thrown away
    └── PlanMismatchError     planned is not played plus explained: our bug

Every error is one line for a person; `exit_code` is what a command ends with.
"""

from typing import ClassVar

from erqiwang_runner.exit_codes import ExitCode


class RunnerError(Exception):
    """The root of the runner's own errors."""

    exit_code: ClassVar[ExitCode] = ExitCode.OUR_BUG


class UsageError(RunnerError):
    """The user asked for something that cannot be."""

    exit_code: ClassVar[ExitCode] = ExitCode.USAGE


class BadInputError(RunnerError):
    """A file that was given is not what it should be."""

    exit_code: ClassVar[ExitCode] = ExitCode.BAD_INPUT


class UnavailableError(RunnerError):
    """A service or a program that is needed is missing; the message names the ways out."""

    exit_code: ClassVar[ExitCode] = ExitCode.UNAVAILABLE


class WorkerRefusedError(RunnerError):
    """A worker may take nothing for now; the message says why."""

    exit_code: ClassVar[ExitCode] = ExitCode.UNAVAILABLE


class StaleAttemptError(RunnerError):
    """An attempt that no longer holds its match tried to write."""


class PlanMismatchError(RunnerError):
    """A finished tournament whose planned board sets are not all played or explained."""
