"""What can go wrong between a bot and a referee.

::

    ErqiwangError
    ├── WireError        a message that cannot be read: no such card, no action
    └── SessionError     the session with the referee failed
        ├── SettingsError     ERQI_REFEREE or ERQI_TOKEN is missing or unreadable
        ├── RefusedError      the referee refuses the bot: bad token, other version
        ├── UnavailableError  no referee there, or it went away
        └── BotError          the bot itself raised something

An action against the rules is no error of this tree but a `RuleViolation` of the rule book.
"""


class ErqiwangError(Exception):
    """The root of the SDK's own errors."""


class WireError(ErqiwangError, ValueError):
    """A message that cannot be read: an unknown card, enum value or number, or nothing set."""


class SessionError(ErqiwangError):
    """The session with the referee failed; `exit_code` is what the process should end with."""

    exit_code = 70


class SettingsError(SessionError):
    """The environment does not say where the referee is or who the bot is."""

    exit_code = 64


class RefusedError(SessionError):
    """The referee refuses the bot: its token is unknown or used up, or it serves other versions."""

    exit_code = 65


class UnavailableError(SessionError):
    """No referee answers there, or it went away before its goodbye."""

    exit_code = 69


class BotError(SessionError):
    """The bot itself raised something: the text says at which table and turn, `__cause__` what it was."""

    exit_code = 70
