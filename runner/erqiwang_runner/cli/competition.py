"""`erqi competition`: submissions, phases and deadlines around tournaments."""

from pathlib import Path
from typing import Annotated

import typer

from erqiwang_runner.cli.options import AsJson, Data

app = typer.Typer(
    help="Host competitions: submissions until a deadline, then play, finals and the reveal.",
    rich_markup_mode=None,
)

Name = Annotated[str, typer.Argument(help="Name of the competition.")]
AnyName = Annotated[
    str | None, typer.Argument(help="Name of the competition (default: the latest).", show_default=False)
]


@app.command()
def create(
    context: typer.Context,
    file: Annotated[Path, typer.Option(help="A TOML file that says everything; see docs/competitions.md.")],
    as_json: AsJson = False,
    data: Data = None,
) -> int:
    """Announce a competition; the coordinator begins each phase at its time."""
    from erqiwang_runner.cli import competitions

    return competitions.create(data or context.obj, file, as_json=as_json)


@app.command("list")
def list_all(context: typer.Context, as_json: AsJson = False, data: Data = None) -> int:
    """List the competitions."""
    from erqiwang_runner.cli import competitions

    return competitions.list_all(data or context.obj, as_json=as_json)


@app.command()
def status(
    context: typer.Context,
    name: AnyName = None,
    hidden: Annotated[
        bool, typer.Option("--hidden", help="Show the ranking also before it is revealed.")
    ] = False,
    as_json: AsJson = False,
    data: Data = None,
) -> int:
    """Show phase and deadlines, every submission with its outcome, the tournaments, and the ranking."""
    from erqiwang_runner.cli import competitions

    return competitions.status(data or context.obj, name, hidden=hidden, as_json=as_json)


@app.command()
def submit(
    context: typer.Context,
    name: Name,
    bot: Annotated[str, typer.Argument(help="A stored bot NAME[@VERSION], its folder, or a file.")],
    author: Annotated[str, typer.Option(help="Whose submission it is (default: the name of the bot).")] = "",
    as_json: AsJson = False,
    data: Data = None,
) -> int:
    """Take a bot before the deadline; it is validated against house bots at once."""
    from erqiwang_runner.cli import competitions

    return competitions.submit(data or context.obj, name, bot, author, as_json=as_json)


@app.command()
def withdraw(
    context: typer.Context,
    name: Name,
    bot: Annotated[str, typer.Argument(help="A submitted bot NAME[@VERSION].")],
    as_json: AsJson = False,
    data: Data = None,
) -> int:
    """Take a submission back before the deadline; its author's earlier ones stay superseded."""
    from erqiwang_runner.cli import competitions

    return competitions.withdraw(data or context.obj, name, bot, as_json=as_json)


@app.command()
def move(
    context: typer.Context,
    name: Name,
    phase: Annotated[str, typer.Argument(help="A phase that has not begun, such as closed or finals.")],
    instant: Annotated[str, typer.Argument(help="When it begins, such as 2027-01-15T08:00:00Z.")],
    as_json: AsJson = False,
    data: Data = None,
) -> int:
    """Move a deadline."""
    from erqiwang_runner.cli import competitions

    return competitions.move(data or context.obj, name, phase, instant, as_json=as_json)


@app.command()
def advance(context: typer.Context, name: Name, as_json: AsJson = False, data: Data = None) -> int:
    """Let the next phase begin now instead of at its time; what must be done before it is still done."""
    from erqiwang_runner.cli import competitions

    return competitions.advance(data or context.obj, name, as_json=as_json)


@app.command()
def reveal(context: typer.Context, name: Name, as_json: AsJson = False, data: Data = None) -> int:
    """Reveal the results now: when everything is played and only its time, or its host, is waited for."""
    from erqiwang_runner.cli import competitions

    return competitions.reveal(data or context.obj, name, as_json=as_json)


@app.command()
def cancel(context: typer.Context, name: Name, as_json: AsJson = False, data: Data = None) -> int:
    """End a competition and its tournaments before their time; results stay."""
    from erqiwang_runner.cli import competitions

    return competitions.cancel(data or context.obj, name, as_json=as_json)
