"""From the options of `erqi play` to a plan."""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Final

from erqiwang.rules import Deal
from erqiwang_runner.contestants import starter
from erqiwang_runner.errors import UsageError
from erqiwang_runner.local.bots import read_entries
from erqiwang_runner.local.games_log import FILE, GamesLog
from erqiwang_runner.local.profile_choice import ProfileChoice
from erqiwang_runner.local.public_referee import find_referee
from erqiwang_runner.made_deals import read_deals
from erqiwang_runner.results import EntryRole
from erqiwang_runner.seating import SetType, default_set_type, get_set_type
from erqiwang_runner.tournament_spec import EntrySpec, TournamentSpec

FOLDER: Final = Path("erqi-play")
FILLER: Final = "cautious"
BOARDS: Final = 24
_MOST_PER_MATCH: Final = 15


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaySettings:
    """What was asked for; "" and None leave the choice to us."""

    contestants: tuple[str, ...]
    boards: int | None = None
    deals: Path | None = None
    seed: str = ""
    profile: ProfileChoice
    set_type: str = ""
    clock: str = "fast"
    options: tuple[str, ...] = ()
    out: Path | None = None
    workers: int = 0
    room: int = 1
    referee: str = ""


@dataclass(frozen=True, slots=True)
class PlannedPlay:
    """What will be played, and where its results go."""

    spec: TournamentSpec
    file: Path
    workers: int
    deals: tuple[Deal, ...] = ()


def plan_play(settings: PlaySettings) -> PlannedPlay:
    """Complete the settings; a play that is continued keeps its name and, where none is given, its seed."""
    out = settings.out or FOLDER / _now()
    file = out / FILE
    before = GamesLog.read(file).header if _has_content(file) else None
    entries = read_entries(settings.contestants, settings.options, settings.profile.slug)
    set_type = _set_type_for(settings, len(entries))
    if set_type.name == "klein4h":
        entries = (*entries, EntrySpec(starter(FILLER), EntryRole.FILLER))
    deals = made_deals_of(settings)
    spec = TournamentSpec(
        name=before.name if before else name_of(out),
        seed_text=settings.seed or (before.seed if before else new_seed()),
        entries=entries,
        boards=boards_of(settings, deals),
        boards_per_match=1,
        profile=settings.profile.slug,
        switches=settings.profile.switches,
        definition=settings.profile.definition,
        set_type=set_type.name,
        clock_class=settings.clock,
        room=settings.room,
        referee=find_referee(settings.referee),
    )
    workers = settings.workers or len(os.sched_getaffinity(0))
    return PlannedPlay(_in_matches(spec, workers), file, workers, deals)


def _set_type_for(settings: PlaySettings, entries: int) -> SetType:
    seats = settings.profile.rules().seats
    try:
        return get_set_type(settings.set_type or default_set_type(seats, min(entries, seats)).name)
    except LookupError as error:
        raise UsageError(str(error.args[0])) from None


def new_seed() -> str:
    """Make up the text that deals come from."""
    return secrets.token_hex(4)


def made_deals_of(settings: PlaySettings) -> tuple[Deal, ...]:
    """Read the deals that were made by hand, if there are any."""
    return () if settings.deals is None else read_deals(settings.deals, settings.profile.rules())


def boards_of(settings: PlaySettings, deals: Sequence[Deal]) -> int:
    """Give how many boards are played; raises UsageError if there are too few made deals."""
    if not deals:
        return settings.boards or BOARDS
    if settings.boards is not None and settings.boards > len(deals):
        raise UsageError(f"{settings.deals} holds {len(deals)} deals: --boards may be at most that")
    return settings.boards or len(deals)


def _in_matches(spec: TournamentSpec, workers: int) -> TournamentSpec:
    """Share the boards out among the workers: few matches, because each starts players of its own."""
    share = -(-spec.plan.board_sets // workers)
    return replace(spec, boards_per_match=max(1, min(share, spec.boards, _MOST_PER_MATCH)))


def _has_content(file: Path) -> bool:
    try:
        with file.open("rb") as lines:
            return lines.readline().endswith(b"\n")
    except FileNotFoundError:
        return False
    except OSError as error:
        raise UsageError(f"{file}: {error.strerror}") from None


def name_of(out: Path) -> str:
    """Give the name of a play by its folder."""
    return re.sub(r"[^A-Za-z0-9._-]", "-", out.absolute().name).lstrip("._-")[:64] or "play"


def _now() -> str:
    return datetime.now().astimezone().strftime("%Y-%m-%dT%H-%M-%S")
