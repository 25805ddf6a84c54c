"""The commands of `erqi`. Each imports what it needs when it runs."""

from pathlib import Path
from typing import Annotated

import typer

from erqiwang_runner.cli import (
    bot,
    check,
    competition,
    exports,
    ladder,
    new,
    play,
    quarantine,
    regress,
    retention,
    test,
    token,
    tournament,
    watch,
    webhook,
)
from erqiwang_runner.cli.options import AsJson, Data, HouseFiles, WorkerCount

app = typer.Typer(
    name="erqi",
    help="Bot tournaments for the card game 二七王.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.add_typer(tournament.app, name="tournament")
app.add_typer(competition.app, name="competition")
app.add_typer(webhook.app, name="webhook")
app.add_typer(retention.app, name="retention")
app.add_typer(quarantine.app, name="quarantine")
app.add_typer(ladder.app, name="ladder")
app.add_typer(token.app, name="token")
app.add_typer(bot.app, name="bot")
app.add_typer(test.app, name="test")
database = typer.Typer(help="The database.", rich_markup_mode=None)
app.add_typer(database, name="db")


app.command("new")(new.new)
app.command("play")(play.play)
app.command("regress")(regress.regress)
app.command("rate")(exports.rate)
app.command("plot")(exports.plot)
tournament.app.command("export")(exports.export)
tournament.app.command("verify")(exports.verify)
app.command("check")(check.check)
app.command("watch")(watch.watch)


@app.callback()
def root(context: typer.Context, data: Data = None) -> None:
    """Bot tournaments for the card game 二七王."""
    context.obj = data


@app.command()
def demo(
    context: typer.Context,
    boards: Annotated[int, typer.Option(min=1, help="Deals to play, each at four tables.")] = 60,
    seed: Annotated[str, typer.Option(help="Text that the deals come from.")] = "demo",
    workers: WorkerCount = 2,
    data: Data = None,
) -> int:
    """Play a tournament of the four starter bots; started again, it continues."""
    from erqiwang_runner.cli.demo import run_demo

    return run_demo(data or context.obj, boards=boards, seed=seed, workers=workers)


@app.command()
def up(context: typer.Context, workers: WorkerCount = 2, data: Data = None) -> int:
    """Run the platform: Redis, workers and the coordinator, until it is stopped."""
    from erqiwang_runner.cli.platform import run_up

    return run_up(data or context.obj, workers)


@app.command()
def worker(context: typer.Context, workers: WorkerCount = 1, data: Data = None) -> int:
    """Run workers only, for a platform elsewhere (ERQI_REDIS_URL, ERQI_DATABASE_URL)."""
    from erqiwang_runner.cli.platform import run_workers

    return run_workers(data or context.obj, workers)


@app.command()
def coordinator(
    context: typer.Context,
    window: Annotated[
        int, typer.Option(min=1, help="Matches planned ahead: about three for each worker.")
    ] = 32,
    data: Data = None,
) -> int:
    """Run a coordinator only (ERQI_REDIS_URL, ERQI_DATABASE_URL)."""
    from erqiwang_runner.cli.platform import run_coordinator

    return run_coordinator(data or context.obj, window)


@app.command()
def standings(
    context: typer.Context,
    tournament: Annotated[str | None, typer.Argument(help="Tournament (default: the latest).")] = None,
    as_json: AsJson = False,
    allow_disconnected: Annotated[
        bool, typer.Option(help="End with 0 even if some bots share no scale with the others.")
    ] = False,
    hidden: Annotated[
        bool, typer.Option("--hidden", help="Show also what a competition hides until it is revealed.")
    ] = False,
    data: Data = None,
) -> int:
    """Show ranks, ratings and points with their error bars.

    Ends with 3 if the results do not connect all bots: their numbers are then on different scales.
    """
    from erqiwang_runner.cli.standings import run_standings

    place = data or context.obj
    return run_standings(
        place, tournament, as_json=as_json, allow_disconnected=allow_disconnected, hidden=hidden
    )


@app.command()
def exporter(
    context: typer.Context,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Port to listen on; 0 takes a free one.")
    ] = 9790,
    data: Data = None,
) -> int:
    """Serve the metrics of the runner for Prometheus."""
    from erqiwang_runner.cli.exporter import run_exporter

    return run_exporter(data or context.obj, host, port)


@app.command(
    context_settings={"allow_extra_args": True, "ignore_unknown_options": True}, add_help_option=False
)
def referee(context: typer.Context) -> None:
    """Run a referee of its own; the arguments are those of `python -m erqiwang_referee`."""
    import os
    import sys

    os.execv(sys.executable, [sys.executable, "-m", "erqiwang_referee", *context.args])


@app.command()
def replay(
    files: Annotated[list[Path], typer.Argument(help="Records, or directories of them.")],
    tricks: Annotated[int | None, typer.Option(min=0, help="Show only so many tricks, and the last.")] = None,
    profile: HouseFiles = None,
) -> int:
    """Show records to a person."""
    from erqiwang_runner.cli.records import run_replay

    return run_replay(files, tricks, profile or ())


@app.command()
def verify(
    files: Annotated[list[Path], typer.Argument(help="Records, or directories of them.")],
    profile: HouseFiles = None,
    as_json: AsJson = False,
) -> int:
    """Play records again from the dealt cards alone and report the first difference of each."""
    from erqiwang_runner.cli.records import run_verify

    return run_verify(files, as_json=as_json, houses=profile or ())


@database.command("upgrade")
def db_upgrade(context: typer.Context, data: Data = None) -> int:
    """Bring the database to the schema of this version."""
    from erqiwang_runner.cli.platform import run_upgrade

    return run_upgrade(data or context.obj)
