"""`erqi webhook`: addresses that are told what happens."""

from pathlib import Path
from typing import Annotated

import typer

from erqiwang_runner.cli.options import AsJson, Data

app = typer.Typer(
    help="Tell other programs what happens, by signed HTTP requests.",
    rich_markup_mode=None,
)

Which = Annotated[str, typer.Argument(help="Number or address of the webhook.")]


@app.command()
def add(
    context: typer.Context,
    url: Annotated[str, typer.Argument(help="An http or https address that takes POST requests.")],
    secret_file: Annotated[
        Path | None,
        typer.Option(help="File with the secret, 64 hexadecimal digits; without it one is made and printed."),
    ] = None,
    as_json: AsJson = False,
    data: Data = None,
) -> int:
    """Send every event from now on to an address."""
    from erqiwang_runner.cli import webhooks

    return webhooks.add(data or context.obj, url, secret_file, as_json=as_json)


@app.command("list")
def list_all(context: typer.Context, as_json: AsJson = False, data: Data = None) -> int:
    """List the webhooks: how many events arrived, wait and were given up, and the latest error."""
    from erqiwang_runner.cli import webhooks

    return webhooks.list_all(data or context.obj, as_json=as_json)


@app.command()
def remove(context: typer.Context, which: Which, as_json: AsJson = False, data: Data = None) -> int:
    """Send nothing more to an address."""
    from erqiwang_runner.cli import webhooks

    return webhooks.remove(data or context.obj, which, as_json=as_json)


@app.command("test")
def send_test(context: typer.Context, which: Which, as_json: AsJson = False, data: Data = None) -> int:
    """Send an event of kind webhook.test at once; ends with 1 if it does not arrive."""
    from erqiwang_runner.cli import webhooks

    return webhooks.send_test(data or context.obj, which, as_json=as_json)
