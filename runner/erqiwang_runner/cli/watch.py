"""`erqi watch`: step through a table in the terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from erqiwang_runner.errors import UsageError

if TYPE_CHECKING:
    from erqiwang_runner.exit_codes import ExitCode
    from erqiwang_runner.local.tables_file import SeenTable

_LOOK_EVERY_S = 0.5
_KEYS = "Enter: next trick, t: next table, a: the rest at once, q: quit > "


def watch(
    file: Annotated[Path, typer.Argument(help="games.jsonl, its folder, or records.")],
    board: Annotated[int | None, typer.Option(min=0, help="Only this board.", show_default=False)] = None,
    table: Annotated[
        int | None, typer.Option(min=0, help="Only this table of it.", show_default=False)
    ] = None,
    follow: Annotated[
        bool, typer.Option("--follow", help="Go on with what a running play or session adds, until it ends.")
    ] = False,
) -> int:
    """Step through tables: all hands, trick by trick."""
    from erqiwang_runner.local.tables_file import follow_tables, read_tables

    def is_chosen(each: SeenTable) -> bool:
        return board in (None, each.board) and table in (None, each.table)

    if follow:
        return _step(filter(is_chosen, follow_tables(file, partial(time.sleep, _LOOK_EVERY_S))))
    chosen = list(filter(is_chosen, read_tables(file)))
    if not chosen:
        raise UsageError(f"{file} has no such table")
    return _step(chosen)


def _step(tables: Iterable[SeenTable]) -> ExitCode:
    from erqiwang_runner.exit_codes import ExitCode
    from erqiwang_runner.local.table_pages import table_pages
    from erqiwang_runner.narrow import columns_of, narrowed

    waits = sys.stdin.isatty()
    for each in tables:
        print(f"\nboard {each.board}, table {each.table}")
        for page in table_pages(each.record, each.names, each.profile):
            print(f"{narrowed(page, columns_of(sys.stdout))}\n", flush=True)
            if not waits:
                continue
            match _key():
                case "q":
                    return ExitCode.YES
                case "t":
                    break
                case "a":
                    waits = False
                case _:
                    pass
    return ExitCode.YES


def _key() -> str:
    try:
        return input(_KEYS).strip().lower()[:1]
    except EOFError:
        return "q"
