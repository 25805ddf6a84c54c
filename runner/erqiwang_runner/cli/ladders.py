"""What the commands of `erqi ladder` do."""

import json
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from rich.console import Console
from sqlalchemy import Connection

from erqiwang_runner.chosen_rules import chosen_rules
from erqiwang_runner.cli import standings as shown
from erqiwang_runner.cli.switches import read_switches
from erqiwang_runner.cli.tournaments import open_database, open_existing
from erqiwang_runner.cli.words import word_of
from erqiwang_runner.contestants import STARTERS, Contestant
from erqiwang_runner.errors import UsageError
from erqiwang_runner.exit_codes import ExitCode
from erqiwang_runner.ladders.epoch import challenge_spec
from erqiwang_runner.ladders.membership import Member, MemberState
from erqiwang_runner.ladders.settings import LadderSettings
from erqiwang_runner.results import EntryRole, FaultPolicy
from erqiwang_runner.secret_file import SecretFile
from erqiwang_runner.settings import Settings
from erqiwang_runner.store import (
    admission,
    ladder_chain,
    ladder_summary,
    ladders,
    life_cycle,
    tournaments,
)
from erqiwang_runner.store.engine import Database
from erqiwang_runner.store.entering import entry_of
from erqiwang_runner.store.ladder_results import LadderResults
from erqiwang_runner.store.ladders import LadderRow, LadderState, Rated
from erqiwang_runner.store.states import TournamentState
from erqiwang_runner.tournament_spec import DealsMode

_SET_TYPES: Final = {3: "cyc3", 4: "klein4"}


@dataclass(frozen=True, slots=True)
class Asked:
    """The options of `erqi ladder create`."""

    name: str
    anchors: tuple[str, ...]
    epoch_sets: int
    epoch_hours: float | None
    boards: int
    validation_boards: int
    validation_hours: float
    profile: str
    switches: tuple[str, ...]
    room: int
    set_type: str | None
    clock: str
    policy: str
    seed: str
    deals: str
    entropy_source: str


def create(data: Path | None, asked: Asked, *, as_json: bool) -> ExitCode:
    """Make a ladder."""
    settings = Settings.from_environment(data)
    ladder = _settings_of(asked)
    with closing(open_database(settings)) as database:
        names = asked.anchors or STARTERS
        anchors = [entry_of(database, text, {}, ladder.profile).contestant for text in names]
        if len(set(anchors)) != len(anchors):
            raise UsageError("the anchors of a ladder are different bots")
        with database.write() as connection:
            ladders.create(connection, ladder, anchors)
            row = ladders.find(connection, ladder.name)
            if ladder.mode is DealsMode.COMMITTED:
                ladder_chain.begin(connection, row, 0, SecretFile.of(settings))
        return _tell(database, ladder.name, as_json=as_json)


def join(data: Path | None, name: str, bot: str, *, as_json: bool) -> ExitCode:
    """Let a bot join."""
    with closing(open_existing(data)) as database:
        with database.read() as connection:
            profile = ladders.find(connection, name).settings.profile
        contestant = entry_of(database, bot, {}, profile).contestant
        with database.write() as connection:
            ladder = _locked(connection, name)
            ladders.join(connection, ladder, contestant, time.time())
        return _tell_of(database, name, contestant, as_json=as_json)


def leave(data: Path | None, name: str, bot: str, *, as_json: bool) -> ExitCode:
    """Take a bot out."""
    with closing(open_existing(data)) as database:
        with database.write() as connection:
            member = _member(connection, name, bot)[1]
            if member.role is EntryRole.ANCHOR:
                raise UsageError(f"{member.contestant} is an anchor of {name}: it stays")
            if not member.state.is_over:
                admission.stop(connection, member)
                ladders.move(connection, member, MemberState.LEFT, "it was taken out")
        return _tell_of(database, name, member.contestant, as_json=as_json)


def admit(data: Path | None, name: str, bot: str, reason: str, *, as_json: bool) -> ExitCode:
    """Admit a bot by hand."""
    with closing(open_existing(data)) as database:
        with database.write() as connection:
            ladder, member = _member(connection, name, bot)
            if member.retired:
                raise UsageError(f"{member.contestant} is retired")
            if member.state is not MemberState.ADMITTED:
                admission.stop(connection, member)
                admission.welcome(connection, ladder, member, reason)
        return _tell_of(database, name, member.contestant, as_json=as_json)


def status(data: Path | None, name: str | None, *, as_json: bool) -> ExitCode:
    """Print the state of a ladder."""
    with closing(open_existing(data)) as database:
        return _tell(database, name, as_json=as_json)


def standings(data: Path | None, name: str | None, *, as_json: bool, allow_disconnected: bool) -> ExitCode:
    """Print the ratings of a ladder from all its epochs."""
    with closing(open_existing(data)) as database:
        return shown.show(
            LadderResults(database),
            name,
            Console(),
            as_json=as_json,
            allow_disconnected=allow_disconnected,
        )


def history(data: Path | None, name: str | None, bot: str | None, *, as_json: bool) -> ExitCode:
    """Print the ratings after every epoch."""
    with closing(open_existing(data)) as database, database.read() as connection:
        ladder = ladders.find(connection, name)
        wanted = None if bot is None else _member(connection, ladder.name, bot)[1].id
        bots = {each.id: str(each.contestant) for each in ladders.members(connection, ladder)}
        rated = [each for each in ladders.ratings(connection, ladder) if wanted in (None, each.member_id)]
    if as_json:
        print(json.dumps([_rated_object(each, bots) for each in rated]))
    else:
        print("\n".join(_rated_line(each, bots) for each in rated) or f"{ladder.name} has no ratings yet")
    return ExitCode.YES


def challenge(data: Path | None, name: str, bots: Sequence[str], boards: int, *, as_json: bool) -> ExitCode:
    """Start an unrated match."""
    with closing(open_existing(data)) as database:
        with database.read() as connection:
            ladder = ladders.find(connection, name)
        chosen = [entry_of(database, text, {}, ladder.settings.profile).contestant for text in bots]
        challenge_spec(ladder.settings, 0, chosen, boards)
        with database.write() as connection:
            ladder = _locked(connection, name)
            number = ladders.next_challenge(connection, ladder)
            spec = challenge_spec(ladder.settings, number, chosen, boards)
            tournaments.start(connection, tournaments.create(connection, spec))
    if as_json:
        print(json.dumps({"tournament": spec.name, "boards": boards, "bots": [str(each) for each in chosen]}))
    else:
        print(f"{spec.name} runs, unrated: erqi tournament status {spec.name}; erqi standings {spec.name}")
    return ExitCode.YES


def pause(data: Path | None, name: str, *, as_json: bool) -> ExitCode:
    """Let a ladder rest, with the epoch that it is in."""
    with closing(open_existing(data)) as database:
        with database.write() as connection:
            ladder = _locked(connection, name)
            if ladder.state in (LadderState.CLOSED, LadderState.CLOSING):
                raise UsageError(f"the ladder {name} is {ladder.state.value}: it cannot be paused")
            ladders.set_state(connection, ladder, LadderState.PAUSED)
            epoch = _tournament(connection, ladder)
            if epoch is not None and epoch.state is TournamentState.RUNNING:
                life_cycle.pause(connection, epoch.name)
        return _tell(database, name, as_json=as_json, short=True)


def resume(data: Path | None, name: str, *, as_json: bool) -> ExitCode:
    """Let a ladder go on."""
    with closing(open_existing(data)) as database:
        with database.write() as connection:
            ladder = _locked(connection, name)
            if ladder.state is LadderState.CLOSED:
                raise UsageError(f"the ladder {name} is closed: it does not go on")
            ladders.set_state(connection, ladder, LadderState.RUNNING)
            ladders.put_off(connection, ladder, time.time())
            epoch = _tournament(connection, ladder)
            if epoch is not None and epoch.state is TournamentState.PAUSED:
                tournaments.start(connection, epoch.id)
        return _tell(database, name, as_json=as_json, short=True)


def close(data: Path | None, name: str, *, as_json: bool) -> ExitCode:
    """End a ladder with its present epoch."""
    with closing(open_existing(data)) as database:
        with database.write() as connection:
            ladder = _locked(connection, name)
            if ladder.state is not LadderState.CLOSED:
                ladders.set_state(connection, ladder, LadderState.CLOSING)
                epoch = _tournament(connection, ladder)
                if epoch is not None and epoch.state is TournamentState.PAUSED:
                    tournaments.start(connection, epoch.id)
        return _tell(database, name, as_json=as_json, short=True)


def list_all(data: Path | None, *, as_json: bool) -> ExitCode:
    """List the ladders."""
    with closing(open_existing(data)) as database:
        with database.read() as connection:
            names = [each.name for each in ladders.every(connection)]
        found = [ladder_summary.summarise(database, name) for name in names]
    if as_json:
        print(json.dumps([each.to_object() for each in found]))
    else:
        print("\n".join(each.line() for each in found) or "there is no ladder yet")
    return ExitCode.YES


def _settings_of(asked: Asked) -> LadderSettings:
    switches = read_switches(asked.switches)
    return LadderSettings(
        name=asked.name,
        seed=asked.seed or asked.name,
        profile=asked.profile,
        switches=switches,
        room=asked.room,
        set_type=asked.set_type or _SET_TYPES[chosen_rules(asked.profile, switches).seats],
        clock_class=asked.clock,
        fault_policy=word_of(FaultPolicy, asked.policy, "fault policy"),
        boards=asked.boards,
        epoch_sets=asked.epoch_sets,
        epoch_hours=asked.epoch_hours,
        validation_boards=asked.validation_boards,
        validation_hours=asked.validation_hours,
        mode=word_of(DealsMode, asked.deals, "kind of deals"),
        entropy_source=asked.entropy_source,
    )


def _locked(connection: Connection, name: str) -> LadderRow:
    return ladders.locked(connection, ladders.find(connection, name).id)


def _member(connection: Connection, name: str, bot: str) -> tuple[LadderRow, Member]:
    """Find a bot of a ladder; without a version the newest that is not out."""
    ladder = ladders.find(connection, name)
    wanted, _, version = bot.partition("@")
    found = [
        each
        for each in ladders.members(connection, ladder)
        if each.contestant.name == wanted and version in ("", each.contestant.version)
    ]
    if not found:
        raise UsageError(f"there is no bot {bot!r} in the ladder {name}; erqi ladder status shows who is")
    return ladder, max(found, key=lambda each: (not each.state.is_over, each.id))


def _tournament(connection: Connection, ladder: LadderRow) -> tournaments.TournamentRow | None:
    epoch = ladders.latest_epoch(connection, ladder)
    if epoch is None or epoch.closed_at is not None:
        return None
    return tournaments.get(connection, epoch.tournament_id)


def _tell(database: Database, name: str | None, *, as_json: bool, short: bool = False) -> ExitCode:
    found = ladder_summary.summarise(database, name)
    print(json.dumps(found.to_object()) if as_json else found.line() if short else found.text())
    return ExitCode.YES


def _tell_of(database: Database, name: str, contestant: Contestant, *, as_json: bool) -> ExitCode:
    found = ladder_summary.summarise(database, name)
    (place,) = (each for each in found.bots if each.bot == str(contestant))
    print(json.dumps(asdict(place)) if as_json else place.line())
    return ExitCode.YES


def _rated_object(each: Rated, bots: dict[int, str]) -> dict[str, object]:
    return {
        "epoch": each.epoch,
        "place": each.place,
        "bot": bots[each.member_id],
        "rating": each.rating,
        "error": each.error,
        "boards": each.boards,
        "points": each.points,
    }


def _rated_line(each: Rated, bots: dict[int, str]) -> str:
    error = "" if each.error is None else f"±{each.error:.0f}"
    return (
        f"epoch {each.epoch:<5} {each.place:>4}. {bots[each.member_id]:<32} {each.rating:7.0f} {error:<6} "
        f"{each.boards:>7} boards"
    )
