"""Claims that need no store."""

from __future__ import annotations

import sys

import pytest

from erqiwang.deals import board_seed, bot_seed, master_key
from erqiwang.rules import PassOut, get_profile
from erqiwang_runner.clocks import get_clock_class
from erqiwang_runner.contestants import Contestant, starter
from erqiwang_runner.results import EntryRole, Slot
from erqiwang_runner.seating import get_set_type
from erqiwang_runner.store.claims import MatchClaim, SlotClaim, Worker
from erqiwang_runner.tournament_spec import Conditions, EntryRow

KEY = master_key("runner tests")


@pytest.fixture
def python_bot():
    """A bot of the user's: a line of Python."""

    def make(name: str, code: str) -> Contestant:
        return Contestant(name, "1", (sys.executable, "-c", code), "0" * 64)

    return make


@pytest.fixture
def make_claim():
    """Claim some boards for four bots."""

    def make(*bots: Contestant, boards: int = 2, set_type: str = "klein4", clock: str = "fast") -> MatchClaim:
        kind = get_set_type(set_type)
        chosen = bots or (starter("lowest"),) * kind.entries
        return MatchClaim(
            match_id=1,
            attempt_id=1,
            attempt_number=1,
            fence=1,
            tournament_id=1,
            conditions=Conditions(
                name="t",
                profile=get_profile("classic"),
                switches={},
                room=1,
                pass_out=PassOut.ZERO,
                set_type=kind,
                clock=get_clock_class(clock),
                sandbox_level="none",
            ),
            group=tuple(
                EntryRow(number, bot, EntryRole.CONTESTANT, {}, False) for number, bot in enumerate(chosen)
            ),
            slots=tuple(
                SlotClaim(
                    Slot(0, 0, n),
                    0,
                    board_seed(KEY, n),
                    tuple(
                        tuple(bot_seed(KEY, n, table, seat) for seat in range(kind.seats))
                        for table in range(kind.tables)
                    ),
                )
                for n in range(boards)
            ),
            worker=Worker("w", "r", "h", "none"),
        )

    return make
