"""What a worker needs to know of a match in order to play it, wherever the match was planned."""

from dataclasses import dataclass

from erqiwang.rules import Deal
from erqiwang_runner.clocks import LEASE_MARGIN_S
from erqiwang_runner.results import Slot
from erqiwang_runner.tournament_spec import Conditions, EntryRow


@dataclass(frozen=True, slots=True)
class Worker:
    """Who plays: `process` and `run` are process names (`liveness`), of the worker and of what started it."""

    process: str
    run: str
    host: str
    sandbox_level: str


@dataclass(frozen=True, slots=True)
class SlotClaim:
    """A board set to be played, with the secrets for it; `bot_seeds` is by table and seat.

    `deal` was made by hand and `opener` follows from the deal before; None where the board seed decides.
    """

    slot: Slot
    generation: int
    board_seed: bytes
    bot_seeds: tuple[tuple[bytes, ...], ...]
    deal: Deal | None = None
    opener: int | None = None


@dataclass(frozen=True, slots=True)
class MatchClaim:
    """A match that this worker holds: the right to play its unfinished slots, and to store them."""

    match_id: int
    attempt_id: int
    attempt_number: int
    fence: int
    tournament_id: int
    conditions: Conditions
    group: tuple[EntryRow, ...]
    slots: tuple[SlotClaim, ...]
    worker: Worker
    followed: int | None = None
    """The table of each board that is told of while it is played."""

    @property
    def bound_s(self) -> float:
        """How long the play may last at most."""
        return self.conditions.clock.match_bound_s(self.conditions.profile, len(self.slots))

    @property
    def lease_s(self) -> float:
        """How long the claim holds without progress."""
        return self.bound_s + LEASE_MARGIN_S
