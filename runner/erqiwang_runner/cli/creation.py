"""`erqi tournament create`: from a file or from options to rows, with what may be said before play."""

import json
from collections.abc import Iterable
from contextlib import closing
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

import typer

from erqiwang_runner.cli import deals
from erqiwang_runner.cli.switches import read_switches
from erqiwang_runner.cli.tournaments import open_database
from erqiwang_runner.cli.words import word_of
from erqiwang_runner.errors import UsageError
from erqiwang_runner.exit_codes import ExitCode
from erqiwang_runner.formats import Format, FormatSettings
from erqiwang_runner.local.profile_choice import choose_profile
from erqiwang_runner.referee_address import target_of
from erqiwang_runner.results import FaultPolicy
from erqiwang_runner.secret_file import SecretFile
from erqiwang_runner.seeding import by_strength, rating_of, read_seeds
from erqiwang_runner.settings import Settings
from erqiwang_runner.store import commitments, tournaments
from erqiwang_runner.store.commitments import Commitment
from erqiwang_runner.store.engine import Database
from erqiwang_runner.store.entering import entry_of
from erqiwang_runner.tournament_file import read_tournament
from erqiwang_runner.tournament_spec import (
    DealsMode,
    EntrySpec,
    TournamentSpec,
    default_round_look_back,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What the options of `create` say."""

    name: str | None
    entries: tuple[str, ...]
    boards: int
    boards_per_match: int
    format: str
    rounds: int | None
    cycles: int | None
    groups: int | None
    seeds_from: Path | None
    force: bool
    seed: str
    profile: str
    switches: tuple[str, ...]
    room: int
    set_type: str
    clock: str
    policy: str
    sandbox: str
    look_back: int
    deals: str
    entropy_source: str
    referee: str


def refuse_others(context: typer.Context, allowed: Iterable[str]) -> None:
    """Refuse options that stand beside a file which says everything; raises UsageError."""
    for name in context.params:
        source = context.get_parameter_source(name)
        if name not in allowed and source is not None and source.name == "COMMANDLINE":
            option = name.rstrip("_").replace("_", "-")
            raise UsageError(f"--{option} beside --file: the file says everything")


def create_from_file(data: Path | None, file: Path, name: str | None, *, as_json: bool) -> ExitCode:
    """Make the tournament that a file describes."""
    settings = Settings.from_environment(data)
    with closing(open_database(settings)) as database:
        spec = read_tournament(file, partial(entry_of, database, tokens=settings.data), name)
        return _create(settings, database, spec, as_json=as_json)


def create_as_asked(data: Path | None, asked: Asked, *, as_json: bool) -> ExitCode:
    """Make the tournament that options describe."""
    if asked.name is None:
        raise UsageError("a tournament needs a name, or a --file")
    if not asked.entries:
        raise UsageError("a tournament needs entries: --entry BOT for each, or a --file")
    settings = Settings.from_environment(data)
    format_ = FormatSettings(
        format=word_of(Format, asked.format, "format"),
        rounds=asked.rounds,
        cycles=asked.cycles,
        groups=asked.groups,
        force=asked.force,
    )
    profile = choose_profile(asked.profile, read_switches(asked.switches))
    with closing(open_database(settings)) as database:
        spec = TournamentSpec(
            name=asked.name,
            seed_text=asked.seed or asked.name,
            entries=_seeded(
                format_.format,
                [entry_of(database, text, {}, profile.slug, settings.data) for text in asked.entries],
                asked.seeds_from,
            ),
            boards=asked.boards,
            boards_per_match=asked.boards_per_match,
            profile=profile.slug,
            switches=profile.switches,
            definition=profile.definition,
            room=asked.room,
            set_type=asked.set_type,
            clock_class=asked.clock,
            fault_policy=word_of(FaultPolicy, asked.policy, "fault policy"),
            sandbox_level=asked.sandbox,
            look_back=asked.look_back,
            round_look_back=default_round_look_back(format_),
            mode=word_of(DealsMode, asked.deals, "kind of deals"),
            entropy_source=asked.entropy_source,
            referee=target_of(asked.referee),
            format=format_,
        )
        return _create(settings, database, spec, as_json=as_json)


def _seeded(format_: Format, entries: list[EntrySpec], place: Path | None) -> tuple[EntrySpec, ...]:
    if place is None:
        return tuple(entries)
    seeds = read_seeds(place)
    ratings = [rating_of(entry, seeds) for entry in entries]
    if all(rating is None for rating in ratings):
        raise UsageError(f"{place} knows none of the entries")
    return by_strength(format_, entries, ratings)


def _create(settings: Settings, database: Database, spec: TournamentSpec, *, as_json: bool) -> ExitCode:
    made: Commitment | None = None
    if spec.format.format is Format.REGRESSION:
        raise UsageError("a regression test is made by erqi regress NEW OLD --submit")
    with database.write() as connection:
        key = tournaments.create(connection, spec)
        if spec.mode is DealsMode.COMMITTED:
            made = commitments.commit(connection, key, spec, SecretFile.of(settings))
    if as_json:
        print(json.dumps(_to_object(spec, made)))
    else:
        print("\n".join(_lines(spec, made)))
    return ExitCode.YES


def _lines(spec: TournamentSpec, made: Commitment | None) -> list[str]:
    plan = spec.plan
    tables = plan.board_sets * spec.set.tables
    lines = [
        f"tournament {spec.name}: {len(spec.entries)} entries, {plan.board_sets} board sets, {tables} tables"
    ]
    if len(plan.rounds) > 1:
        lines.append(f"{spec.format.format.value}: {len(plan.rounds)} rounds")
    if (certificate := spec.scheduler.certificate) is not None:
        lines.append(f"{spec.format.format.value}: {plan.groups} groups, {certificate}")
    if spec.boards % (cycle := spec.set.cycle):
        lines.append(f"note: neighbours are balanced over {cycle} boards; {spec.boards} is no multiple of it")
    return lines if made is None else [*lines, *deals.lines(spec.name, made)]


def _to_object(spec: TournamentSpec, made: Commitment | None) -> dict[str, object]:
    certificate = spec.scheduler.certificate
    return {
        "name": spec.name,
        "format": spec.format.format.value,
        "parameters": spec.format.parameters(),
        "entries": [str(entry.contestant) for entry in spec.entries],
        "rounds": list(spec.plan.rounds),
        "boards": spec.boards,
        "board_sets": spec.plan.board_sets,
        "tables": spec.plan.board_sets * spec.set.tables,
        "certificate": None if certificate is None else asdict(certificate),
        "commitment": None if made is None else deals.to_object(made),
    }
