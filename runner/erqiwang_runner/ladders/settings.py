"""What a ladder is asked to be; every epoch is a tournament of these conditions."""

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from erqiwang_runner.chosen_rules import chosen_rules
from erqiwang_runner.clocks import get_clock_class
from erqiwang_runner.errors import UsageError
from erqiwang_runner.ladder import BOARDS_OF_A_GROUP
from erqiwang_runner.ladders.defaults import EPOCH_SETS, VALIDATION_BOARDS, VALIDATION_HOURS
from erqiwang_runner.results import FaultPolicy
from erqiwang_runner.seating import get_set_type
from erqiwang_runner.tournament_spec import DealsMode

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")
_FILLER_LETTER: Final = "H"


@dataclass(frozen=True, slots=True, kw_only=True)
class LadderSettings:
    """The conditions of a ladder.

    An epoch has about `epoch_sets` board sets, `boards` for each group, and ends after `epoch_hours` at the
    latest (None: when it is played). A newcomer plays `validation_boards` boards against house bots without a
    forfeit within `validation_hours`. Deals come from the text `seed`, or from a committed hash chain and,
    for each epoch, the bytes of `entropy_source`.
    """

    name: str
    seed: str
    profile: str = "classic"
    switches: Mapping[str, str] = field(default_factory=dict[str, str])
    room: int = 1
    set_type: str = "klein4"
    clock_class: str = "normal"
    fault_policy: FaultPolicy = FaultPolicy.FORFEIT
    boards: int = BOARDS_OF_A_GROUP
    epoch_sets: int = EPOCH_SETS
    epoch_hours: float | None = None
    validation_boards: int = VALIDATION_BOARDS
    validation_hours: float = VALIDATION_HOURS
    mode: DealsMode = DealsMode.SEEDED
    entropy_source: str = ""

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise UsageError(
                f"{self.name!r} is no name for a ladder: up to 40 letters and digits, and _ or - between"
            )
        self._check_numbers()
        seats = chosen_rules(self.profile, self.switches).seats
        set_type = get_set_type(self.set_type)
        if set_type.seats != seats or set_type.entries != seats or _FILLER_LETTER in set_type.letters:
            raise UsageError(
                f"a ladder of {self.profile} needs a set type for {seats} entries at {seats} seats, "
                f"which {self.set_type} is not"
            )
        get_clock_class(self.clock_class)
        if self.entropy_source and self.mode is DealsMode.SEEDED:
            raise UsageError("a source of entropy belongs to committed deals: --deals committed")

    @property
    def groups(self) -> int:
        """How many groups an epoch has."""
        return max(1, round(self.epoch_sets / self.boards))

    def to_object(self) -> dict[str, object]:
        """Give it as JSON would have it."""
        words: dict[str, object] = {"fault_policy": self.fault_policy.value, "mode": self.mode.value}
        return asdict(self) | words

    @classmethod
    def from_object(cls, found: Mapping[str, Any]) -> "LadderSettings":
        """Read what `to_object` gave."""
        values: dict[str, Any] = {
            **found,
            "fault_policy": FaultPolicy(found["fault_policy"]),
            "mode": DealsMode(found["mode"]),
        }
        return cls(**values)

    def _check_numbers(self) -> None:
        for name in ("room", "boards", "epoch_sets", "validation_boards"):
            if getattr(self, name) < 1:
                raise UsageError(f"{name} is {getattr(self, name)}: at least 1 is needed")
        for name in ("epoch_hours", "validation_hours"):
            hours = getattr(self, name)
            if hours is not None and not 0 < hours < float("inf"):
                raise UsageError(f"{name} is {hours}: a time above 0 is needed")
