"""One table after the other with a person at it: every board once, nothing is compared."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from erqiwang_runner.clocks import ClockClass
from erqiwang_runner.contestants import PYTHON, Contestant
from erqiwang_runner.errors import UsageError
from erqiwang_runner.local.bots import read_entries
from erqiwang_runner.local.human_player import TERMINAL
from erqiwang_runner.local.local_claims import open_claims
from erqiwang_runner.local.play import PlayFailed
from erqiwang_runner.local.play_settings import PlaySettings, boards_of, made_deals_of, new_seed
from erqiwang_runner.local.pool import LocalPool
from erqiwang_runner.local.pool_messages import MatchFailed, SetPlayed
from erqiwang_runner.local.public_referee import find_referee
from erqiwang_runner.local.terminal import Terminal
from erqiwang_runner.match_claim import MatchClaim
from erqiwang_runner.played import PlayedTable
from erqiwang_runner.results import EntryRole
from erqiwang_runner.seating import SetType, default_set_type
from erqiwang_runner.tournament_spec import EntrySpec, TournamentSpec

PATIENT: Final = ClockClass("patient", 3_600_000, 0)
"""A person may think for an hour, and has no bank."""

_COMMAND: Final = (PYTHON, "-m", "erqiwang_runner.local.human_player")


def play_with_person(settings: PlaySettings, seat: int) -> Iterator[PlayedTable]:
    """Play with a person on a seat and the contestants on the others, in order; gives the tables.

    Raises UsageError or PlayFailed.
    """
    with tempfile.TemporaryDirectory(prefix="erqi-", dir="/tmp") as folder:
        address = str(Path(folder) / "terminal")
        spec = _spec(settings, seat, address)
        (claim,) = open_claims(spec, frozenset(), PATIENT, made_deals_of(settings))
        terminal = Terminal(address)
        names = enumerate(str(entry.contestant) for entry in spec.entries)
        print(
            f"deals from the seed {spec.seed_text!r}; " + ", ".join(f"seat {n} {name}" for n, name in names)
        )
        try:
            yield from _play(at_one_table(claim))
        finally:
            terminal.close()


def _play(claim: MatchClaim) -> Iterator[PlayedTable]:
    with LocalPool(1) as pool:
        pool.submit(claim)
        while not pool.is_idle:
            for message in pool.receive():
                match message:
                    case SetPlayed(played):
                        yield from played.tables
                    case MatchFailed(reason=reason):
                        raise PlayFailed(reason)
                    case _:
                        pass


def _spec(settings: PlaySettings, seat: int, address: str) -> TournamentSpec:
    seats = settings.profile.rules().seats
    if not 0 <= seat < seats:
        raise UsageError(f"--human {seat}: the seats are 0 to {seats - 1}")
    bots = read_entries(settings.contestants, settings.options, settings.profile.slug)
    if len(bots) != seats - 1:
        raise UsageError(f"with a person at the table there are {seats - 1} bots to name, not {len(bots)}")
    person = Contestant("you", "0", _COMMAND, "0" * 64)
    entries = (*bots[:seat], EntrySpec(person, EntryRole.CONTESTANT, {TERMINAL: address}), *bots[seat:])
    boards = boards_of(settings, made_deals_of(settings)) if settings.boards or settings.deals else 1
    return TournamentSpec(
        name="table",
        seed_text=settings.seed or new_seed(),
        entries=entries,
        boards=boards,
        boards_per_match=boards,
        profile=settings.profile.slug,
        switches=settings.profile.switches,
        definition=settings.profile.definition,
        set_type=default_set_type(seats, seats).name,
        clock_class="fast",
        room=settings.room,
        referee=find_referee(settings.referee),
    )


def at_one_table(claim: MatchClaim) -> MatchClaim:
    """Give a claim whose boards are played at one table each, the entries seated in their order."""
    order = tuple(range(len(claim.group)))
    seating = SetType("table", "ABCD"[: len(order)], ((order,),), is_for_practice=True)
    return replace(claim, conditions=replace(claim.conditions, set_type=seating))
