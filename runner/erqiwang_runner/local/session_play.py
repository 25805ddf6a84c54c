"""Playing a session: one table, deal after deal, each opened by whom the one before says (R-05)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Final

from erqiwang.rules import PassOut
from erqiwang_runner.errors import UsageError
from erqiwang_runner.local.bots import read_entries
from erqiwang_runner.local.human_table import at_one_table
from erqiwang_runner.local.local_claims import open_claims
from erqiwang_runner.local.play import ATTEMPTS, PlayFailed
from erqiwang_runner.local.play_settings import FOLDER, PlaySettings, name_of, new_seed
from erqiwang_runner.local.pool import LocalPool
from erqiwang_runner.local.pool_messages import MatchFailed, MatchPlayed, SetPlayed
from erqiwang_runner.local.public_referee import find_referee
from erqiwang_runner.local.session_log import FILE, SessionLog, read_session_header
from erqiwang_runner.match_claim import MatchClaim
from erqiwang_runner.played import PlayedSet, TableNews
from erqiwang_runner.results import Slot
from erqiwang_runner.seating import default_set_type
from erqiwang_runner.tournament_spec import TournamentSpec

NO_DUPLICATE: Final = (
    "a session is no duplicate play: the luck of the deal is not cancelled, and nobody is rated"
)


@dataclass(frozen=True, slots=True)
class PlannedSession:
    """What will be played, and where it goes."""

    spec: TournamentSpec
    file: Path


def plan_session(settings: PlaySettings, deals: int) -> PlannedSession:
    """Complete the settings; a session that is continued keeps its name and its seed. Raises UsageError."""
    for option, given in (
        ("--boards", settings.boards is not None),
        ("--deals", settings.deals is not None),
        ("--set-type", bool(settings.set_type)),
    ):
        if given:
            raise UsageError(f"{option} does not go with --session, which plays its deals at one table")
    seats = settings.profile.rules().seats
    entries = read_entries(settings.contestants, settings.options, settings.profile.slug)
    if len(entries) != seats:
        raise UsageError(f"a session of {settings.profile.slug} has {seats} seats, not {len(entries)} bots")
    out = settings.out or FOLDER / datetime.now().astimezone().strftime("%Y-%m-%dT%H-%M-%S")
    before = read_session_header(out / FILE)
    spec = TournamentSpec(
        name=before.name if before else name_of(out),
        seed_text=settings.seed or (before.seed if before else new_seed()),
        entries=entries,
        boards=deals,
        boards_per_match=1,
        profile=settings.profile.slug,
        switches=settings.profile.switches,
        definition=settings.profile.definition,
        pass_out=PassOut.REDEAL,
        set_type=default_set_type(seats, seats).name,
        clock_class=settings.clock,
        room=settings.room,
        referee=find_referee(settings.referee),
    )
    return PlannedSession(spec, out / FILE)


def play_session(
    spec: TournamentSpec, log: SessionLog, follow: Callable[[TableNews], None] | None = None
) -> Iterator[PlayedSet]:
    """Play what is left of a session; each deal is in the log when it is given out. Raises PlayFailed.

    `follow` hears what happens meanwhile.
    """
    done = frozenset(Slot(0, 0, n) for n in range(log.session.tables))
    with LocalPool(1) as pool:
        for claim in open_claims(spec, done, followed=None if follow is None else 0):
            (slot,) = claim.slots
            opened = replace(claim, slots=(replace(slot, opener=log.session.opener),))
            played = _play(pool, at_one_table(opened), follow)
            log.store(played)
            yield played


def _play(pool: LocalPool, claim: MatchClaim, follow: Callable[[TableNews], None] | None) -> PlayedSet:
    reason = ""
    for number in range(1, ATTEMPTS + 1):
        pool.submit(replace(claim, attempt_number=number, fence=number))
        played: PlayedSet | None = None
        while not pool.is_idle:
            for message in pool.receive():
                match message:
                    case SetPlayed(found):
                        played = found
                    case MatchPlayed(faults=faults) if played is not None:
                        played = replace(played, faults=(*played.faults, *faults))
                    case MatchFailed():
                        reason = message.reason
                    case TableNews() if follow is not None:
                        follow(message)
                    case _:
                        pass
        if played is not None:
            return played
    raise PlayFailed(f"a deal failed {ATTEMPTS} times: {reason}")
