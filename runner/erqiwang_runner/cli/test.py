"""`erqi test`: the queue of regression tests of the platform."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from erqiwang_runner.cli.options import AsJson, Data

app = typer.Typer(
    help="Look after the platform's regression tests, which `erqi regress --submit` makes.",
    rich_markup_mode=None,
)

Name = Annotated[str, typer.Argument(help="Name of the test.")]
AnyName = Annotated[
    str | None, typer.Argument(help="Name of the test (default: the latest).", show_default=False)
]
Plot = Annotated[Path | None, typer.Option(help="Draw the LLR over boards: a .svg or .png file.")]


@app.command("list")
def list_all(context: typer.Context, as_json: AsJson = False, data: Data = None) -> int:
    """List the tests: those that go on first, the highest priority before the others."""
    from erqiwang_runner.cli import queue

    return queue.list_all(data or context.obj, as_json=as_json)


@app.command()
def show(
    context: typer.Context,
    name: AnyName = None,
    plot: Plot = None,
    as_json: AsJson = False,
    data: Data = None,
) -> int:
    """Show a test as it stands."""
    from erqiwang_runner.cli import queue

    return queue.show(data or context.obj, name, queue.Wishes(plot=plot, as_json=as_json))


@app.command()
def watch(
    context: typer.Context,
    name: AnyName = None,
    plot: Plot = None,
    as_json: AsJson = False,
    data: Data = None,
) -> int:
    """Wait for the verdict of a test; it ends as `erqi regress` would."""
    from erqiwang_runner.cli import queue

    return queue.watch(data or context.obj, name, queue.Wishes(plot=plot, as_json=as_json))


@app.command()
def stop(context: typer.Context, name: Name, data: Data = None) -> int:
    """Let a test rest; the command that asked for it goes on with it."""
    from erqiwang_runner.cli import queue

    return queue.stop(data or context.obj, name)


@app.command(context_settings={"ignore_unknown_options": True})
def priority(
    context: typer.Context,
    name: Name,
    number: Annotated[int, typer.Argument(metavar="N", help="The higher first; 0 is the usual.")],
    data: Data = None,
) -> int:
    """Move a test, or any other tournament, in the queue."""
    from erqiwang_runner.cli import queue

    return queue.set_priority(data or context.obj, name, number)


@app.command()
def summary(context: typer.Context, name: AnyName = None, data: Data = None) -> int:
    """Print the summary of a test for a pull request."""
    from erqiwang_runner.cli import queue

    return queue.summarise(data or context.obj, name)
