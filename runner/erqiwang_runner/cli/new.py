"""`erqi new`: a bot to begin with."""

import shlex
from pathlib import Path
from typing import Annotated

import typer


def new(folder: Annotated[Path, typer.Argument(help="Folder to write; its name is the bot's.")]) -> None:
    """Write a folder with a bot that plays at once, to begin with."""
    from erqiwang_runner.local.new_bot import write_new_bot

    written = write_new_bot(folder)
    name = shlex.quote(str(folder))
    print(f"{folder}: {', '.join(written)}\nnext:")
    print(f"  erqi play {name} random random random\n  erqi check {name}")
