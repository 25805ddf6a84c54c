"""`erqi retention`: how long records and logs of ended tournaments are kept."""

from typing import Annotated

import typer

from erqiwang_runner.cli.options import AsJson, Data

app = typer.Typer(
    help="How long records and logs of ended tournaments are kept; results stay for ever.",
    rich_markup_mode=None,
)

_NEVER = "or `never`"


@app.command()
def show(context: typer.Context, as_json: AsJson = False, data: Data = None) -> int:
    """Show what is kept how long, what was thrown away, and how much of what there is."""
    from erqiwang_runner.cli import retentions

    return retentions.show(data or context.obj, as_json=as_json)


@app.command("set")
def set_policy(
    context: typer.Context,
    log_days: Annotated[
        str | None, typer.Option(metavar="DAYS", help=f"Keep logs so long after the end, {_NEVER} drop them.")
    ] = None,
    record_days: Annotated[
        str | None,
        typer.Option(metavar="DAYS", help=f"Keep records so long after the end, {_NEVER} drop them."),
    ] = None,
    max_bytes: Annotated[
        str | None,
        typer.Option(
            metavar="BYTES",
            help=f"Drop the oldest beyond so many bytes, such as 20G, {_NEVER} for their number.",
        ),
    ] = None,
    as_json: AsJson = False,
    data: Data = None,
) -> int:
    """Change what is kept; what is not named stays as it is. The coordinator carries it out every hour."""
    from erqiwang_runner.cli import retentions

    return retentions.set_policy(
        data or context.obj, log_days=log_days, record_days=record_days, max_bytes=max_bytes, as_json=as_json
    )


@app.command()
def run(context: typer.Context, as_json: AsJson = False, data: Data = None) -> int:
    """Throw away now what is not kept, and measure what is left."""
    from erqiwang_runner.cli import retentions

    return retentions.run(data or context.obj, as_json=as_json)
