"""The matches of a local play: what is left of the plan, cut into claims.

A board that has to be played again keeps its deal: whoever plays at home has no secrets from his own bots.
With a bot of somebody else's, on a machine that is not ours, it gets its next generation and a new deal.
"""

from __future__ import annotations

import socket
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from erqiwang.deals import board_seed, bot_seed, master_key
from erqiwang.rules import Deal
from erqiwang_runner.clocks import ClockClass, get_clock_class
from erqiwang_runner.liveness import process_name
from erqiwang_runner.match_claim import MatchClaim, SlotClaim, Worker
from erqiwang_runner.results import Slot
from erqiwang_runner.tournament_spec import Conditions, EntryRow, TournamentSpec


def conditions_of(spec: TournamentSpec, clock: ClockClass | None = None) -> Conditions:
    """Give what a worker must know of a play; `clock` stands in for the clock class."""
    return Conditions(
        name=spec.name,
        profile=spec.rules,
        switches=spec.switches,
        room=spec.room,
        pass_out=spec.pass_out,
        set_type=spec.set,
        clock=clock or get_clock_class(spec.clock_class),
        sandbox_level=spec.sandbox_level,
        referee=spec.referee,
    )


def open_claims(
    spec: TournamentSpec,
    finished: frozenset[Slot],
    clock: ClockClass | None = None,
    deals: Sequence[Deal] = (),
    followed: int | None = None,
) -> Iterator[MatchClaim]:
    """Give the matches whose board sets are not all finished, in the order of the plan.

    The n-th board of every group is the n-th of `deals`, where there are any. Table `followed` of each board
    is told of while it is played.
    """
    conditions, worker = conditions_of(spec, clock), _this_process()
    key = master_key(spec.seed_text)
    rows = tuple(
        EntryRow(number, entry.contestant, entry.role, entry.options, suspended=False)
        for number, entry in enumerate(spec.entries)
    )
    for number in range(spec.plan.stints):
        planned = spec.plan.stint(number)
        slots = [Slot(0, planned.group, n) for n in range(planned.first_n, planned.end_n)]
        left = [slot for slot in slots if slot not in finished]
        if left:
            yield MatchClaim(
                match_id=number,
                attempt_id=number,
                attempt_number=1,
                fence=1,
                tournament_id=0,
                conditions=conditions,
                group=tuple(rows[entry] for entry in spec.groups[planned.group]),
                slots=tuple(_claim_slot(spec, key, slot, deals[slot.n] if deals else None) for slot in left),
                worker=worker,
                followed=followed,
            )


def next_attempt(spec: TournamentSpec, failed: MatchClaim, left: Sequence[SlotClaim]) -> MatchClaim:
    """Give the claim that plays what is left of one that failed."""
    number = failed.attempt_number + 1
    if any(entry.contestant.is_remote for entry in failed.group):
        key = master_key(spec.seed_text)
        left = [_claim_slot(spec, key, each.slot, each.deal, each.generation + 1) for each in left]
    return replace(failed, attempt_number=number, fence=number, slots=tuple(left))


def _claim_slot(
    spec: TournamentSpec, key: bytes, slot: Slot, deal: Deal | None, generation: int = 0
) -> SlotClaim:
    deal_index = spec.plan.deal_index(slot.group, slot.n, generation)
    return SlotClaim(
        slot=slot,
        generation=generation,
        board_seed=board_seed(key, deal_index),
        bot_seeds=tuple(
            tuple(bot_seed(key, deal_index, table, seat) for seat in range(spec.set.seats))
            for table in range(spec.set.tables)
        ),
        deal=deal,
    )


@lru_cache(maxsize=1)
def _this_process() -> Worker:
    name = process_name()
    return Worker(name, name, socket.gethostname(), "none")
