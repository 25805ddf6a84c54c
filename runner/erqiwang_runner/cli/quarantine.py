"""`erqi quarantine`: hosts that take nothing for a while, because they spoil more than their peers."""

from typing import Annotated

import typer

from erqiwang_runner.cli.options import AsJson, Data

app = typer.Typer(
    help="Hosts that take nothing for a while, because they spoil more matches than their peers.",
    rich_markup_mode=None,
)


@app.command("list")
def list_all(context: typer.Context, as_json: AsJson = False, data: Data = None) -> int:
    """List the hosts that are quarantined now, until when and why."""
    from erqiwang_runner.cli import quarantines

    return quarantines.list_all(data or context.obj, as_json=as_json)


@app.command()
def lift(
    context: typer.Context,
    host: Annotated[str, typer.Argument(help="Name of the host, as `list` shows it.")],
    as_json: AsJson = False,
    data: Data = None,
) -> int:
    """Let a host take matches again at once; what it spoiled so far is forgiven."""
    from erqiwang_runner.cli import quarantines

    return quarantines.lift(data or context.obj, host, as_json=as_json)
