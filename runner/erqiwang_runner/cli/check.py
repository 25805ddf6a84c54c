"""`erqi check`: whether a bot would do well on a ladder, before it is there."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from erqiwang_runner.cli.options import AsJson

if TYPE_CHECKING:
    from erqiwang_runner.exit_codes import ExitCode
    from erqiwang_runner.local.bot_toml import BotToml
    from erqiwang_runner.local.conformance import Checked
    from erqiwang_runner.local.findings import Finding


def check(
    bot: Annotated[str, typer.Argument(help="A Python file, a folder with bot.toml, or a command line.")],
    boards: Annotated[
        int,
        typer.Option(
            min=1, help="Deals to play of the first profile, each several times; a quarter of the others."
        ),
    ] = 8,
    profile: Annotated[
        list[str] | None, typer.Option(help="Rule profile (default: those of bot.toml, else all of them).")
    ] = None,
    clock: Annotated[str, typer.Option(help="Clock class: fast, normal or slow.")] = "fast",
    option: Annotated[list[str] | None, typer.Option(help="Option of the bot: A.depth=3.")] = None,
    as_json: AsJson = False,
) -> int:
    """Try a bot: rules, time, memory, repeatability, its behaviour when an answer is refused.

    Ends with 1 if something would cost it dearly on a ladder.
    """
    from rich.console import Console

    from erqiwang_runner.clocks import get_clock_class
    from erqiwang_runner.local.bots import bot_toml_of, read_entries
    from erqiwang_runner.local.conformance import check_bot
    from erqiwang_runner.local.interruption import interruptible

    described = bot_toml_of(bot)
    profiles = profiles_for(profile or (), described)
    (entry,) = read_entries([bot], option or (), profiles[0])
    get_clock_class(clock)
    console = Console(stderr=True)
    with interruptible():
        checked = check_bot(
            entry,
            profiles,
            stateless=described is not None and described.stateless,
            boards=boards,
            clock=clock,
            say=lambda line: console.print(f"{line} ...", highlight=False),
        )
    return _report(str(entry.contestant), checked, as_json=as_json)


def profiles_for(chosen: Sequence[str], described: BotToml | None) -> tuple[str, ...]:
    """Give the profiles to play: those that were asked for, else those that the bot declares, else all."""
    from erqiwang.rules import PROFILES

    return tuple(chosen or (described.profiles if described else ()) or PROFILES)


def _report(bot: str, checked: Checked, *, as_json: bool) -> ExitCode:
    from erqiwang_runner.exit_codes import ExitCode
    from erqiwang_runner.local.findings import Level
    from erqiwang_runner.plain_text import plain

    findings = checked.findings
    failed = [each for each in findings if each.level is Level.FAIL]
    if as_json:
        rows = [
            {"check": each.check, "level": each.level.value, "seen": each.seen, "cost": each.cost}
            for each in findings
        ]
        ladder = checked.forecast.to_object()
        print(json.dumps({"bot": bot, "ok": not failed, "checks": rows, "ladder": ladder}, indent=2))
    else:
        _print_table(bot, findings)
        print(plain(checked.forecast.line()))
        print(_advice(findings))
    return ExitCode.NO if failed else ExitCode.YES


def _print_table(bot: str, findings: Sequence[Finding]) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from erqiwang_runner.local.findings import Level

    console = Console()
    table = Table(box=box.SIMPLE_HEAD, title=bot, title_justify="left", padding=(0, 1, 0, 0))
    for column in ("check", "", "seen"):
        table.add_column(column)
    colours = {Level.OK: "green", Level.WARN: "yellow", Level.FAIL: "bold red"}
    for each in findings:
        seen = each.seen + (f"\n-> {each.cost}" if each.cost else "")
        table.add_row(each.check, Text(each.level.value, style=colours[each.level]), Text(seen))
    console.print(table)


def _advice(findings: Sequence[Finding]) -> str:
    from erqiwang_runner.local.findings import Level

    levels = {each.level for each in findings}
    if Level.FAIL in levels:
        return "Mend what failed first."
    if Level.WARN in levels:
        return "What is marked may cost it something."
    return "Nothing would cost it anything."
