"""The closed sets of words in the state columns."""

from enum import Enum


class TournamentState(Enum):
    """Where a tournament is in its life."""

    CREATED = "created"
    RUNNING = "running"
    PAUSED = "paused"
    """Nothing new is begun; what is being played is stored."""
    FINISHED = "finished"
    CANCELLED = "cancelled"
    """Ended before its time; its results stay."""


class MatchState(Enum):
    """Where a claim is: open → leased → finished, or back by way of retry."""

    OPEN = "open"
    """May be taken by a worker."""
    LEASED = "leased"
    """An attempt plays it."""
    RETRY = "retry"
    """The last attempt failed; the coordinator decides what becomes of it."""
    FINISHED = "finished"
    """Every slot is finished or explained."""


class SlotState(Enum):
    """Where a board set is."""

    PLANNED = "planned"
    FINISHED = "finished"
    DISTURBED = "disturbed"
    """Finished, but a bot forfeited: the coordinator decides whether the others get another board."""
    FORFEITED = "forfeited"
    """Finished, and the next generation is a board for those who did nothing wrong."""
    REPLACED = "replaced"
    """Given up for the next generation, which has a new deal."""
    VOID = "void"
    """Given up for good; the reason stands beside it."""


class AttemptOutcome(Enum):
    """How a try at a match ended."""

    RUNNING = "running"
    COMPLETED = "completed"
    VOID = "void"
    """The platform failed while it played."""
    LOST = "lost"
    """Its worker died or its lease ran out."""
    INTERRUPTED = "interrupted"
    """The whole run that it belonged to ended."""
