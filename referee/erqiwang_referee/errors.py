"""What the referee raises.

    RefereeError
     ├── SettingsError     the command line or the environment asks for what cannot be (exit code 64)
     └── SpecError         a match that cannot be played as it was asked for (INVALID_ARGUMENT)

Whatever a player does wrong is a fault, not an exception: see `faults`.
"""

from __future__ import annotations


class RefereeError(Exception):
    """The root: everything that this package raises on purpose."""


class SettingsError(RefereeError):
    """A setting that cannot be used; the text names it and says what would do."""


class SpecError(RefereeError):
    """A match specification that cannot be played; the text names the field."""
