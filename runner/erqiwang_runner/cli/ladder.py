"""`erqi ladder`: ladders that run for ever."""

from typing import Annotated

import typer

from erqiwang_runner.cli.options import AsJson, Data
from erqiwang_runner.ladder import BOARDS_OF_A_GROUP
from erqiwang_runner.ladders.defaults import EPOCH_SETS, VALIDATION_BOARDS, VALIDATION_HOURS

app = typer.Typer(help="Ladders that run for ever.", rich_markup_mode=None)

Name = Annotated[str, typer.Argument(metavar="LADDER", help="Name of the ladder.")]
AnyName = Annotated[
    str | None,
    typer.Argument(metavar="LADDER", help="Name of the ladder (default: the latest).", show_default=False),
]
Bot = Annotated[
    str, typer.Argument(metavar="BOT", help="A stored bot, NAME or NAME@VERSION, or a folder to store.")
]
StoredBot = Annotated[str, typer.Argument(metavar="BOT", help="NAME or NAME@VERSION.")]


@app.command()
def create(
    context: typer.Context,
    name: Name,
    anchor: Annotated[
        list[str] | None,
        typer.Option(
            help="A bot that always plays and ties the ratings down. Give one for each (default: all house "
            "bots).",
            show_default=False,
        ),
    ] = None,
    epoch_sets: Annotated[int, typer.Option(min=1, help="Board sets of an epoch, about.")] = EPOCH_SETS,
    epoch_hours: Annotated[
        float | None, typer.Option(help="An epoch ends after this time at the latest.", show_default=False)
    ] = None,
    boards: Annotated[int, typer.Option(min=1, help="Deals for each group of bots.")] = BOARDS_OF_A_GROUP,
    validation_boards: Annotated[
        int, typer.Option(min=1, help="Boards that a newcomer plays without a forfeit.")
    ] = VALIDATION_BOARDS,
    validation_hours: Annotated[
        float, typer.Option(help="A newcomer that is not validated by then is refused.")
    ] = VALIDATION_HOURS,
    profile: Annotated[str, typer.Option(help="Rule profile.")] = "classic",
    switch: Annotated[list[str] | None, typer.Option(help="NAME=VALUE of the profile.")] = None,
    room: Annotated[int, typer.Option(min=1, help="Multiplier of the room.")] = 1,
    set_type: Annotated[
        str | None,
        typer.Option(help="Who sits where (default: klein4 or, of three, cyc3).", show_default=False),
    ] = None,
    clock: Annotated[str, typer.Option(help="Clock class: fast, normal or slow.")] = "normal",
    policy: Annotated[str, typer.Option(help="What a forfeit costs: forfeit or autoplay.")] = "forfeit",
    seed: Annotated[str, typer.Option(help="Text that the deals come from (default: the name).")] = "",
    deals: Annotated[str, typer.Option(help="Where deals come from: seeded or committed.")] = "seeded",
    entropy_source: Annotated[
        str, typer.Option(help="Where the public entropy of each epoch will come from.")
    ] = "",
    as_json: AsJson = False,
    data: Data = None,
) -> int:
    """Make a ladder; a coordinator and workers (`erqi up`) keep it going."""
    from erqiwang_runner.cli import ladders

    asked = ladders.Asked(
        name=name,
        anchors=tuple(anchor or ()),
        epoch_sets=epoch_sets,
        epoch_hours=epoch_hours,
        boards=boards,
        validation_boards=validation_boards,
        validation_hours=validation_hours,
        profile=profile,
        switches=tuple(switch or ()),
        room=room,
        set_type=set_type,
        clock=clock,
        policy=policy,
        seed=seed,
        deals=deals,
        entropy_source=entropy_source,
    )
    return ladders.create(data or context.obj, asked, as_json=as_json)


@app.command()
def join(context: typer.Context, name: Name, bot: Bot, as_json: AsJson = False, data: Data = None) -> int:
    """Let a bot join: it is validated first, and plays from the next epoch on."""
    from erqiwang_runner.cli import ladders

    return ladders.join(data or context.obj, name, bot, as_json=as_json)


@app.command()
def leave(
    context: typer.Context, name: Name, bot: StoredBot, as_json: AsJson = False, data: Data = None
) -> int:
    """Take a bot out at the end of the epoch; its ratings stay, and it may come again."""
    from erqiwang_runner.cli import ladders

    return ladders.leave(data or context.obj, name, bot, as_json=as_json)


@app.command()
def admit(
    context: typer.Context,
    name: Name,
    bot: StoredBot,
    reason: Annotated[str, typer.Option(help="What its author is told.")] = "the operator admitted it",
    as_json: AsJson = False,
    data: Data = None,
) -> int:
    """Admit a bot by hand, without validation or after it was refused or suspended."""
    from erqiwang_runner.cli import ladders

    return ladders.admit(data or context.obj, name, bot, reason, as_json=as_json)


@app.command()
def status(context: typer.Context, name: AnyName = None, as_json: AsJson = False, data: Data = None) -> int:
    """Say where everybody stands, and how far the epoch is."""
    from erqiwang_runner.cli import ladders

    return ladders.status(data or context.obj, name, as_json=as_json)


@app.command()
def standings(
    context: typer.Context,
    name: AnyName = None,
    as_json: AsJson = False,
    allow_disconnected: Annotated[
        bool, typer.Option(help="End with 0 even if some bots share no scale with the others.")
    ] = False,
    data: Data = None,
) -> int:
    """Show ratings from the boards of all epochs together."""
    from erqiwang_runner.cli import ladders

    place = data or context.obj
    return ladders.standings(place, name, as_json=as_json, allow_disconnected=allow_disconnected)


@app.command()
def history(
    context: typer.Context,
    name: AnyName = None,
    bot: Annotated[
        str | None, typer.Option(help="NAME or NAME@VERSION (default: everybody).", show_default=False)
    ] = None,
    as_json: AsJson = False,
    data: Data = None,
) -> int:
    """Show the ratings after every epoch."""
    from erqiwang_runner.cli import ladders

    return ladders.history(data or context.obj, name, bot, as_json=as_json)


@app.command()
def challenge(
    context: typer.Context,
    name: Name,
    bots: Annotated[list[str], typer.Argument(metavar="BOT…", help="Two to four bots.")],
    boards: Annotated[int, typer.Option(min=1, help="Deals.")] = 24,
    as_json: AsJson = False,
    data: Data = None,
) -> int:
    """Let bots play each other under the conditions of the ladder, unrated."""
    from erqiwang_runner.cli import ladders

    return ladders.challenge(data or context.obj, name, bots, boards, as_json=as_json)


@app.command()
def pause(context: typer.Context, name: Name, as_json: AsJson = False, data: Data = None) -> int:
    """Begin nothing new; `resume` goes on."""
    from erqiwang_runner.cli import ladders

    return ladders.pause(data or context.obj, name, as_json=as_json)


@app.command()
def resume(context: typer.Context, name: Name, as_json: AsJson = False, data: Data = None) -> int:
    """Let a paused or closing ladder go on."""
    from erqiwang_runner.cli import ladders

    return ladders.resume(data or context.obj, name, as_json=as_json)


@app.command()
def close(context: typer.Context, name: Name, as_json: AsJson = False, data: Data = None) -> int:
    """End a ladder with its present epoch; everything stays to be read."""
    from erqiwang_runner.cli import ladders

    return ladders.close(data or context.obj, name, as_json=as_json)


@app.command("list")
def list_all(context: typer.Context, as_json: AsJson = False, data: Data = None) -> int:
    """List the ladders."""
    from erqiwang_runner.cli import ladders

    return ladders.list_all(data or context.obj, as_json=as_json)
