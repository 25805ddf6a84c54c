"""The exit codes of `erqi`, the same for every command."""

from enum import IntEnum


class ExitCode(IntEnum):
    """What a command's end means to whoever started it."""

    YES = 0
    """Done; or the question was answered with yes."""
    NO = 1
    """The question was answered with no."""
    INCONCLUSIVE = 2
    """The question could not be answered with what was allowed."""
    INVALID_DATA = 3
    """The data do not support an answer."""
    USAGE = 64
    """The command was called wrongly."""
    BAD_INPUT = 65
    """An input file is not what it should be."""
    UNAVAILABLE = 69
    """A service or a program that is needed is missing."""
    OUR_BUG = 70
    """The fault is ours."""
    INTERRUPTED = 130
    """Interrupted by the user."""
