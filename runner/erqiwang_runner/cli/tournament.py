"""`erqi tournament`: make, run and look at tournaments."""

from typing import Annotated

import typer

from erqiwang_runner.cli.options import AsJson, Data, WorkerCount

app = typer.Typer(help="Make, run and look at tournaments.", rich_markup_mode=None)

Name = Annotated[str, typer.Argument(help="Name of the tournament.")]
Entries = Annotated[
    list[str],
    typer.Option("--entry", help="A starter bot by its name, or NAME=COMMAND for one of yours."),
]


@app.command()
def create(
    context: typer.Context,
    name: Name,
    entry: Entries,
    boards: Annotated[int, typer.Option(min=1, help="Deals for each group of entries.")] = 60,
    seed: Annotated[str, typer.Option(help="Text that the deals come from (default: the name).")] = "",
    profile: Annotated[str, typer.Option(help="Rule profile.")] = "classic",
    switch: Annotated[list[str] | None, typer.Option(help="NAME=VALUE of the profile.")] = None,
    set_type: Annotated[str, typer.Option(help="Who sits where.")] = "klein4",
    clock: Annotated[str, typer.Option(help="Clock class: fast, normal or slow.")] = "normal",
    policy: Annotated[str, typer.Option(help="What a forfeit costs: forfeit or autoplay.")] = "forfeit",
    sandbox: Annotated[str, typer.Option(help="Sandbox level of the bots.")] = "none",
    boards_per_match: Annotated[int, typer.Option(min=1, help="Deals that a worker takes at once.")] = 10,
    deals: Annotated[str, typer.Option(help="Where deals come from: seeded or committed.")] = "seeded",
    entropy_source: Annotated[
        str, typer.Option(help="Where the public entropy of committed deals will come from.")
    ] = "",
    data: Data = None,
) -> int:
    """Make a tournament; `run` plays it."""
    from erqiwang_runner.cli import deals as committed
    from erqiwang_runner.cli import tournaments
    from erqiwang_runner.tournament_spec import DealsMode, TournamentSpec

    spec = TournamentSpec(
        name=name,
        seed_text=seed or name,
        entries=tuple(tournaments.read_entry(text) for text in entry),
        boards=boards,
        boards_per_match=boards_per_match,
        profile=profile,
        switches=tournaments.read_switches(switch or ()),
        set_type=set_type,
        clock_class=clock,
        fault_policy=tournaments.read_policy(policy),
        sandbox_level=sandbox,
        mode=committed.deals_mode(deals),
        entropy_source=entropy_source,
    )
    if spec.mode is DealsMode.COMMITTED:
        return committed.create_committed(data or context.obj, spec)
    return tournaments.create(data or context.obj, spec)


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
    name: Annotated[str | None, typer.Argument(help="Name of the tournament (default: the latest).")] = None,
    as_json: AsJson = False,
    data: Data = None,
) -> int:
    """Show what binds the deals: manifest, commitment, entropy and, at the end, the secret."""
    from erqiwang_runner.cli.deals import show_commitment

    return show_commitment(data or context.obj, name, as_json=as_json)


@app.command()
def run(context: typer.Context, name: Name, workers: WorkerCount = 2, data: Data = None) -> int:
    """Play a tournament to its end; started again, it continues."""
    from erqiwang_runner.cli import tournaments

    return tournaments.run(data or context.obj, name, workers)


@app.command()
def start(context: typer.Context, name: Name, data: Data = None) -> int:
    """Let a tournament be played by a coordinator and workers that run elsewhere."""
    from erqiwang_runner.cli import tournaments

    return tournaments.start(data or context.obj, name)


@app.command()
def status(
    context: typer.Context,
    name: Annotated[str | None, typer.Argument(help="Name of the tournament (default: the latest).")] = None,
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
