"""`erqi tournament`: make, run and look at tournaments."""

from pathlib import Path
from typing import Annotated

import typer

from erqiwang_runner.cli.options import AsJson, Data, WorkerCount

app = typer.Typer(help="Make, run and look at tournaments.", rich_markup_mode=None)

Name = Annotated[str, typer.Argument(help="Name of the tournament.")]
AnyName = Annotated[
    str | None, typer.Argument(help="Name of the tournament (default: the latest).", show_default=False)
]


@app.command()
def create(
    context: typer.Context,
    name: Annotated[
        str | None, typer.Argument(help="Name of the tournament; with --file instead of its own.")
    ] = None,
    file: Annotated[
        Path | None, typer.Option(help="A TOML file that says everything; see docs/hosts.md.")
    ] = None,
    entry: Annotated[
        list[str] | None,
        typer.Option(
            help="A bot by its name, a file or a folder, NAME=COMMAND or remote:NAME. Give one for each."
        ),
    ] = None,
    boards: Annotated[int, typer.Option(min=1, help="Deals for each group of entries.")] = 60,
    format_: Annotated[
        str,
        typer.Option(
            "--format", help="Who meets whom: round-robin, match, gauntlet, cyclic, swiss, bracket or ladder."
        ),
    ] = "round-robin",
    rounds: Annotated[int | None, typer.Option(min=1, help="Rounds of swiss.", show_default=False)] = None,
    cycles: Annotated[
        int | None, typer.Option(min=1, help="Base blocks of cyclic.", show_default=False)
    ] = None,
    groups: Annotated[
        int | None, typer.Option(min=1, help="Groups of gauntlet or ladder.", show_default=False)
    ] = None,
    seeds_from: Annotated[
        Path | None,
        typer.Option(help="Earlier standings or export that order the entries of swiss, bracket, gauntlet."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Play what is uneven or too short.")] = False,
    seed: Annotated[str, typer.Option(help="Text that the deals come from (default: the name).")] = "",
    profile: Annotated[
        str, typer.Option(help="Rule profile, or a TOML file with one of your own.")
    ] = "classic",
    switch: Annotated[list[str] | None, typer.Option(help="NAME=VALUE of the profile.")] = None,
    room: Annotated[int, typer.Option(min=1, help="Multiplier of the room.")] = 1,
    set_type: Annotated[str, typer.Option(help="Who sits where.")] = "klein4",
    clock: Annotated[str, typer.Option(help="Clock class: fast, normal or slow.")] = "normal",
    policy: Annotated[str, typer.Option(help="What a forfeit costs: forfeit or autoplay.")] = "forfeit",
    sandbox: Annotated[str, typer.Option(help="Sandbox level of the bots.")] = "none",
    boards_per_match: Annotated[
        int, typer.Option(min=0, help="Deals that a worker takes at once; 0 lets it be measured.")
    ] = 0,
    look_back: Annotated[
        int, typer.Option(min=0, help="Slots before a slot that its suspensions do not regard.")
    ] = 64,
    deals: Annotated[str, typer.Option(help="Where deals come from: seeded or committed.")] = "seeded",
    entropy_source: Annotated[
        str, typer.Option(help="Where the public entropy of committed deals will come from.")
    ] = "",
    referee: Annotated[
        str,
        typer.Option(help="The public referee of remote:NAME entries: its socket folder or tls://HOST:PORT."),
    ] = "",
    as_json: AsJson = False,
    data: Data = None,
) -> int:
    """Make a tournament, of a file or of options; `run` plays it."""
    from erqiwang_runner.cli import creation

    place = data or context.obj
    if file is not None:
        creation.refuse_others(context, ("name", "file", "as_json", "data"))
        return creation.create_from_file(place, file, name, as_json=as_json)
    asked = creation.Asked(
        name=name,
        entries=tuple(entry or ()),
        boards=boards,
        boards_per_match=boards_per_match,
        format=format_,
        rounds=rounds,
        cycles=cycles,
        groups=groups,
        seeds_from=seeds_from,
        force=force,
        seed=seed,
        profile=profile,
        switches=tuple(switch or ()),
        room=room,
        set_type=set_type,
        clock=clock,
        policy=policy,
        sandbox=sandbox,
        look_back=look_back,
        deals=deals,
        entropy_source=entropy_source,
        referee=referee,
    )
    return creation.create_as_asked(place, asked, as_json=as_json)


@app.command()
def entropy(
    context: typer.Context,
    name: Name,
    hex_text: Annotated[str, typer.Argument(metavar="HEX", help="The bytes that nobody controlled.")],
    data: Data = None,
) -> int:
    """Give the public entropy of committed deals; only then are they dealt."""
    from erqiwang_runner.cli.deals import give_entropy

    return give_entropy(data or context.obj, name, hex_text)


@app.command()
def commitment(
    context: typer.Context,
    name: AnyName = None,
    as_json: AsJson = False,
    data: Data = None,
) -> int:
    """Show what binds the deals: manifest, commitment, entropy and, at the end, the secret."""
    from erqiwang_runner.cli.deals import show_commitment

    return show_commitment(data or context.obj, name, as_json=as_json)


@app.command()
def run(
    context: typer.Context, name: Name, workers: WorkerCount = 2, as_json: AsJson = False, data: Data = None
) -> int:
    """Play a tournament to its end; started again, it continues."""
    from erqiwang_runner.cli import tournaments

    return tournaments.run(data or context.obj, name, workers, as_json=as_json)


@app.command()
def start(context: typer.Context, name: Name, as_json: AsJson = False, data: Data = None) -> int:
    """Let a tournament be played by a coordinator and workers that run elsewhere."""
    from erqiwang_runner.cli import tournaments

    return tournaments.start(data or context.obj, name, as_json=as_json)


@app.command()
def pause(context: typer.Context, name: Name, as_json: AsJson = False, data: Data = None) -> int:
    """Begin nothing new of a tournament; `resume`, `start` or `run` goes on."""
    from erqiwang_runner.cli import tournaments

    return tournaments.pause(data or context.obj, name, as_json=as_json)


@app.command()
def resume(context: typer.Context, name: Name, as_json: AsJson = False, data: Data = None) -> int:
    """Let a paused tournament go on."""
    from erqiwang_runner.cli import tournaments

    return tournaments.start(data or context.obj, name, as_json=as_json)


@app.command()
def cancel(context: typer.Context, name: Name, as_json: AsJson = False, data: Data = None) -> int:
    """End a tournament before its time; its results stay."""
    from erqiwang_runner.cli import tournaments

    return tournaments.cancel(data or context.obj, name, as_json=as_json)


@app.command()
def status(
    context: typer.Context,
    name: AnyName = None,
    as_json: AsJson = False,
    data: Data = None,
) -> int:
    """Say how far a tournament is, and what went wrong."""
    from erqiwang_runner.cli import tournaments

    return tournaments.status(data or context.obj, name, as_json=as_json)


@app.command("list")
def list_all(context: typer.Context, as_json: AsJson = False, data: Data = None) -> int:
    """List the tournaments."""
    from erqiwang_runner.cli import tournaments

    return tournaments.list_all(data or context.obj, as_json=as_json)
