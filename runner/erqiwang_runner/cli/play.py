"""`erqi play`: bots against each other on this machine."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from erqiwang_runner.cli.options import AsJson

if TYPE_CHECKING:
    from rich.console import Console

    from erqiwang_runner.exit_codes import ExitCode
    from erqiwang_runner.local.games_log import GamesLog
    from erqiwang_runner.local.play import LocalPlay
    from erqiwang_runner.local.play_settings import PlannedPlay, PlaySettings
    from erqiwang_runner.local.pool import LocalPool

Contestants = Annotated[
    list[str],
    typer.Argument(help="Bundled bots, Python files, folders with bot.toml, or command lines in quotes."),
]


def play(
    contestants: Contestants,
    boards: Annotated[
        int | None,
        typer.Option(min=1, help="Deals for each group of bots (default: 24).", show_default=False),
    ] = None,
    deals: Annotated[
        Path | None, typer.Option(help="File of deals made by hand, a JSON object a line.")
    ] = None,
    seed: Annotated[str, typer.Option(help="Text that the deals come from (default: a new one).")] = "",
    profile: Annotated[str, typer.Option(help="Rule profile, or a TOML file with one.")] = "classic",
    switch: Annotated[list[str] | None, typer.Option(help="NAME=VALUE of the profile.")] = None,
    set_type: Annotated[str, typer.Option(help="Who sits where (default: as the bots are many).")] = "",
    clock: Annotated[str, typer.Option(help="Clock class: fast, normal or slow.")] = "fast",
    option: Annotated[list[str] | None, typer.Option(help="Option of a bot: A.depth=3.")] = None,
    workers: Annotated[int, typer.Option(min=0, help="Matches at once (default: one a core).")] = 0,
    out: Annotated[Path | None, typer.Option(help="Folder for the results; the same one continues.")] = None,
    show: Annotated[
        bool, typer.Option("--show", help="Follow table 0 of every board while it is played.")
    ] = False,
    session: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Play so many deals in sequence at one table instead: the opener follows, no duplicates.",
            show_default=False,
        ),
    ] = None,
    human: Annotated[
        int | None, typer.Option(min=0, help="Sit at this seat yourself.", show_default=False)
    ] = None,
    room: Annotated[int, typer.Option(min=1, help="Multiplier of the room (profiles that have rooms).")] = 1,
    referee: Annotated[
        str, typer.Option(help="A public referee, for remote:NAME: its socket folder or tls://HOST:PORT.")
    ] = "",
    as_json: AsJson = False,
) -> int:
    """Play bots against each other here, duplicate deals and all; the same --out continues."""
    from erqiwang_runner.cli.switches import read_switches
    from erqiwang_runner.local.play_settings import PlaySettings, plan_play
    from erqiwang_runner.local.profile_choice import choose_profile

    settings = PlaySettings(
        contestants=tuple(contestants),
        boards=boards,
        deals=deals,
        seed=seed,
        profile=choose_profile(profile, read_switches(switch or ())),
        set_type=set_type,
        clock=clock,
        options=tuple(option or ()),
        workers=workers,
        out=out,
        room=room,
        referee=referee,
    )
    if session is not None:
        return _play_session(settings, session, human, as_json=as_json, show=show)
    if human is not None:
        return _play_with_person(settings, human)
    return run_play(plan_play(settings), as_json=as_json, show=show)


def _play_session(
    settings: PlaySettings, deals: int, human: int | None, *, as_json: bool, show: bool
) -> ExitCode:
    from erqiwang_runner.cli.session import run_session
    from erqiwang_runner.errors import UsageError
    from erqiwang_runner.local.session_play import plan_session

    if human is not None:
        raise UsageError("--human does not go with --session")
    return run_session(plan_session(settings, deals), as_json=as_json, show=show)


def _play_with_person(settings: PlaySettings, seat: int) -> ExitCode:
    from erqiwang_runner.exit_codes import ExitCode
    from erqiwang_runner.local.human_table import play_with_person
    from erqiwang_runner.local.interruption import interruptible
    from erqiwang_runner.transcript import transcript

    with interruptible():
        for table in play_with_person(settings, seat):
            print(f"\n{transcript(table.record, profile=settings.profile.definition)}")
    return ExitCode.YES


def run_play(planned: PlannedPlay, *, as_json: bool, show: bool = False) -> ExitCode:
    """Play what was planned, or what is left of it, and show the result."""
    from rich.console import Console

    from erqiwang_runner.exit_codes import ExitCode
    from erqiwang_runner.local.games_log import GamesLog
    from erqiwang_runner.local.interruption import interruptible

    console = Console(stderr=True)
    log = GamesLog.open(planned.file, planned.spec, planned.deals)
    try:
        with interruptible():
            _announce(planned, log, console)
            _play(planned, log, console, show=show)
    except KeyboardInterrupt:
        console.print(_how_to_continue(planned, log), highlight=False, soft_wrap=True, markup=False)
        return ExitCode.INTERRUPTED
    finally:
        log.close()
    return _show(planned, log, as_json=as_json)


def _announce(planned: PlannedPlay, log: GamesLog, console: Console) -> None:
    from erqiwang_runner.local.public_referee import sessions_needed
    from erqiwang_runner.tournament_spec import NO_SANDBOX_NOTE

    spec = planned.spec
    sets = spec.plan.board_sets
    lines = [
        f"{', '.join(entry.bot for entry in log.entries())}: "
        f"{spec.profile}, {spec.set_type}, {sets} board sets, {sets * spec.set.tables} tables",
        "deals made by hand" if planned.deals else f"deals from the seed {spec.seed_text!r}: not verifiable",
        NO_SANDBOX_NOTE,
        f"results go to {planned.file}",
    ]
    lines += sessions_needed(spec, planned.workers)
    if finished := len(log.finished_slots()):
        lines.append(f"{finished} board sets are there already")
    if spec.boards % spec.set.cycle:
        lines.append(
            f"{spec.boards} boards are no multiple of {spec.set.cycle}: neighbours are not quite balanced"
        )
    for line in lines:
        console.print(line, highlight=False, soft_wrap=True, markup=False)


def _play(planned: PlannedPlay, log: GamesLog, console: Console, *, show: bool) -> None:
    from erqiwang_runner.local.faults_text import write_words
    from erqiwang_runner.local.pool import LocalPool

    with LocalPool(planned.workers) as pool:
        play = (_play_live if show else _play_counted)(planned, log, pool, console)
    write_words(planned.file.parent / "stderr", play.said, log.entries())


def _play_counted(planned: PlannedPlay, log: GamesLog, pool: LocalPool, console: Console) -> LocalPlay:
    from erqiwang_runner.local.play import LocalPlay
    from erqiwang_runner.local.progress import display_on

    play = LocalPlay(planned.spec, log, pool, planned.deals)
    with display_on(console, planned.spec.plan.board_sets) as display:
        for _ in play.sets():
            display.show(len(log.finished_slots()))
    return play


def _play_live(planned: PlannedPlay, log: GamesLog, pool: LocalPool, _: Console) -> LocalPlay:
    from erqiwang_runner.local.live_tables import LiveTables
    from erqiwang_runner.local.play import LocalPlay

    live = LiveTables(say_live, {entry.id: entry.bot for entry in log.entries()}, planned.spec.definition)
    play = LocalPlay(planned.spec, log, pool, planned.deals, follow=live.take)
    for played in play.sets():
        live.finish(played)
    return play


def say_live(text: str) -> None:
    """Write a piece of a followed table."""
    from erqiwang_runner.colours import coloured, wants_colour

    sys.stderr.write(coloured(text) if wants_colour(sys.stderr) else text)
    sys.stderr.flush()


def _show(planned: PlannedPlay, log: GamesLog, *, as_json: bool) -> ExitCode:
    from rich.console import Console

    from erqiwang_runner.cli.standings import show
    from erqiwang_runner.exit_codes import ExitCode
    from erqiwang_runner.local.faults_text import fault_lines
    from erqiwang_runner.standings import read_standings
    from erqiwang_runner.standings_text import to_object

    if as_json:
        found = to_object(read_standings(log))
        print(json.dumps({**found, "seed": planned.spec.seed_text, "games": str(planned.file)}, indent=2))
        return ExitCode.YES
    console = Console()
    show(log, None, console)
    for line in fault_lines(log.entries(), log.faults(), log.fault_notes()):
        console.print(line, highlight=False, soft_wrap=True, markup=False)
    return ExitCode.YES


def _how_to_continue(planned: PlannedPlay, log: GamesLog) -> str:
    finished, sets = len(log.finished_slots()), planned.spec.plan.board_sets
    command = shlex.join(["erqi", *sys.argv[1:]])
    if "--out" not in command:
        command += f" --out {shlex.quote(str(planned.file.parent))}"
    return f"interrupted: {finished} of {sets} board sets are stored; continue with\n  {command}"
