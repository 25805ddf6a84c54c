"""`erqi bot`: the contestants of a platform."""

from pathlib import Path
from typing import Annotated

import typer

from erqiwang_runner.cli.options import AsJson, Data

app = typer.Typer(help="Add bots to the platform, look at them, retire them.", rich_markup_mode=None)

Bot = Annotated[str, typer.Argument(metavar="NAME[@VERSION]", help="A bot; without version the newest.")]


@app.command()
def add(
    context: typer.Context,
    folder: Annotated[Path, typer.Argument(help="Folder with a bot.toml.")],
    data: Data = None,
) -> int:
    """Store a version of a bot with its files, for workers on any machine."""
    from erqiwang_runner.cli import bots

    return bots.add(data or context.obj, folder)


@app.command("list")
def list_all(
    context: typer.Context,
    retired: Annotated[bool, typer.Option("--retired", help="With the retired ones.")] = False,
    as_json: AsJson = False,
    data: Data = None,
) -> int:
    """List the bots."""
    from erqiwang_runner.cli import bots

    return bots.list_all(data or context.obj, with_retired=retired, as_json=as_json)


@app.command()
def show(context: typer.Context, bot: Bot, as_json: AsJson = False, data: Data = None) -> int:
    """Show what is known of a bot, and its files."""
    from erqiwang_runner.cli import bots

    return bots.show(data or context.obj, bot, as_json=as_json)


@app.command()
def retire(context: typer.Context, bot: Bot, data: Data = None) -> int:
    """Take a version out of what may be entered; its results stay."""
    from erqiwang_runner.cli import bots

    return bots.retire(data or context.obj, bot)


@app.command()
def log(
    context: typer.Context,
    bot: Bot,
    limit: Annotated[int, typer.Option(min=1, help="At most so many, the newest.")] = 10,
    as_json: AsJson = False,
    data: Data = None,
) -> int:
    """Show what players of a bot wrote, and what went wrong: for its author only."""
    from erqiwang_runner.cli import bots

    return bots.log(data or context.obj, bot, limit, as_json=as_json)
