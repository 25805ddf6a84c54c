"""The commands on exports: `erqi tournament export`, `erqi tournament verify`, `erqi rate`, `erqi plot`."""

from pathlib import Path
from typing import Annotated

import typer

from erqiwang_runner.cli.options import AsJson, Data

Export = Annotated[Path, typer.Argument(help="A games.jsonl, or the folder that holds one.")]


def export(
    context: typer.Context,
    out: Annotated[Path, typer.Option(help="Folder for the files.")],
    name: Annotated[str | None, typer.Argument(help="Name of the tournament (default: the latest).")] = None,
    kind: Annotated[str, typer.Option("--format", help="jsonl, csv or parquet.")] = "jsonl",
    records: Annotated[bool, typer.Option(help="With the records of all tables.")] = True,
    force: Annotated[bool, typer.Option("--force", help="Replace an export that is there.")] = False,
    hidden: Annotated[
        bool, typer.Option("--hidden", help="Export also what a competition hides until it is revealed.")
    ] = False,
    data: Data = None,
) -> int:
    """Write a tournament as files: everything that its ratings rest on."""
    from erqiwang_runner.cli.export import run_export

    place = data or context.obj
    return run_export(place, name, out, kind, records=records, force=force, hidden=hidden)


def verify(export: Export, as_json: AsJson = False) -> int:
    """Check an export from itself alone: deal, replay, score and rate again.

    Ends with 0 if all agrees, with 1 if something differs, with 65 if the file cannot be read.
    """
    from erqiwang_runner.cli.verify_export import run_verify_export

    return run_verify_export(export, as_json=as_json)


def rate(
    export: Export,
    as_json: AsJson = False,
    allow_disconnected: Annotated[
        bool, typer.Option(help="End with 0 even if some bots share no scale with the others.")
    ] = False,
) -> int:
    """Show the standings from an export alone: the same numbers as `erqi standings`."""
    from erqiwang_runner.cli.rate import run_rate

    return run_rate(export, as_json=as_json, allow_disconnected=allow_disconnected)


def plot(
    export: Export,
    out: Annotated[Path, typer.Option(help="Folder for the pictures.")],
    kind: Annotated[list[str] | None, typer.Option("--format", help="svg or png; both if not given.")] = None,
) -> int:
    """Draw Elo with error bars, the crosstable and the rating over boards, and for two bots the LLR."""
    from erqiwang_runner.cli.plot import run_plot

    return run_plot(export, out, tuple(kind or ("svg", "png")))
