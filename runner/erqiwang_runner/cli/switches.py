"""`--switch NAME=VALUE`."""

from collections.abc import Iterable

from erqiwang_runner.errors import UsageError


def read_switches(texts: Iterable[str]) -> dict[str, str]:
    """Read NAME=VALUE pairs."""
    pairs = [text.partition("=") for text in texts]
    for name, separator, _ in pairs:
        if not separator:
            raise UsageError(f"--switch {name!r} is not NAME=VALUE")
    return {name: value for name, _, value in pairs}
