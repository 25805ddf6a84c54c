"""`erqi regress`: whether a new version is better than the old one, or at least not worse."""

from __future__ import annotations

import json
import shlex
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from erqiwang_runner.cli.options import AsJson, Data

if TYPE_CHECKING:
    from rich.console import Console

    from erqiwang_runner.exit_codes import ExitCode
    from erqiwang_runner.local.games_log import GamesLog
    from erqiwang_runner.regress.plan import PlannedTest
    from erqiwang_runner.regress.watch import Watch

PLATFORM: Final = "platform"

Version = Annotated[str, typer.Argument(help="A bot as for `erqi play`, or with --git a revision.")]


def regress(
    context: typer.Context,
    new: Version,
    old: Version,
    preset: Annotated[
        str, typer.Option(help="gain (is it better?) or no-regression (is it not worse?).")
    ] = "gain",
    delta: Annotated[
        float, typer.Option(help="Smallest difference that matters: margin over deviation.")
    ] = 0.1,
    max_boards: Annotated[int, typer.Option(min=0, help="Board sets at most (default: by --delta).")] = 0,
    git: Annotated[bool, typer.Option("--git", help="NEW and OLD are revisions of this repository.")] = False,
    build: Annotated[str, typer.Option(help="Command that builds a revision, run in its root.")] = "",
    bot: Annotated[str, typer.Option(help="The bot's file or folder inside a revision.")] = ".",
    seed: Annotated[str, typer.Option(help="Text that the deals come from (default: a new one).")] = "",
    profile: Annotated[str, typer.Option(help="Rule profile.")] = "classic",
    switch: Annotated[list[str] | None, typer.Option(help="NAME=VALUE of the profile.")] = None,
    clock: Annotated[str, typer.Option(help="Clock class: fast, normal or slow.")] = "fast",
    option: Annotated[list[str] | None, typer.Option(help="Option of a bot: A.depth=3 (A is NEW).")] = None,
    workers: Annotated[
        str,
        typer.Option(
            help="Matches at once on this machine (default: one a core), or `platform`: "
            "those of the platform that runs.",
            metavar="N|platform",
        ),
    ] = "0",
    submit: Annotated[
        bool, typer.Option("--submit", help="Put the test into the platform's queue and do not wait.")
    ] = False,
    priority: Annotated[
        int | None,
        typer.Option(help="In the platform's queue: the higher first (default: 0).", show_default=False),
    ] = None,
    plot: Annotated[Path | None, typer.Option(help="Draw the LLR over boards: a .svg or .png file.")] = None,
    out: Annotated[
        Path | None, typer.Option(help="Folder for the results (default: by the options).")
    ] = None,
    as_json: AsJson = False,
    data: Data = None,
) -> int:
    """Play NEW against OLD until a sequential test decides; the same command continues.

    Ends with 0 if NEW is better (or not worse), 1 if it is not, 2 if that stays open, 3 if OLD fails too
    often for a verdict.
    """
    from erqiwang_runner.cli.switches import read_switches
    from erqiwang_runner.errors import UsageError
    from erqiwang_runner.regress.plan import RegressSettings, folder_of, hashes_of, plan_test
    from erqiwang_runner.regress.queue import Submission
    from erqiwang_runner.regress.worktrees import Worktrees, resolve
    from erqiwang_runner.sequential import Question

    try:
        question = Question(preset)
    except ValueError:
        raise UsageError(f"no preset {preset!r}; there are gain and no-regression") from None
    if not git and (build or bot != "."):
        raise UsageError("--build and --bot belong to --git")
    count = _read_workers(workers)
    is_remote = submit or count is None
    if priority is not None and not is_remote:
        raise UsageError("--priority belongs to --submit and --workers platform")
    if out is not None and is_remote:
        raise UsageError("--out belongs to a test on this machine: the platform keeps its results")
    if plot is not None:
        from erqiwang_runner.plots import canvas

        canvas.check([plot])
    revisions = resolve((new, old)) if git else ()
    commits = tuple(each.commit for each in revisions)
    asked = {"build": build, "bot": bot, "preset": preset, "delta": delta, "seed": seed}
    asked |= {"profile": profile, "switch": switch, "clock": clock, "option": option}
    named = commits or (() if is_remote else hashes_of(new, old, option or (), profile))
    folder = out or folder_of({"compared": list(named), **asked})
    settings = RegressSettings(
        new=new,
        old=old,
        question=question,
        delta=delta,
        max_boards=max_boards,
        seed=seed,
        profile=profile,
        switches=read_switches(switch or ()),
        clock=clock,
        options=tuple(option or ()),
        workers=count or 0,
        out=folder,
    )
    trees = Worktrees(folder / "worktrees")

    def built() -> RegressSettings:
        if not revisions:
            return settings
        places = [str(trees.prepare(each, build) / bot) for each in revisions]
        return replace(settings, new=places[0], old=places[1])

    labels = tuple(str(each) for each in revisions)
    if is_remote:
        from erqiwang_runner.cli import queue

        command = shlex.join(["erqi", *sys.argv[1:]])
        return queue.test_remotely(
            data or context.obj,
            Submission(settings, asked, command, commits, labels),
            built,
            trees.remove,
            queue.Wishes(waits=not submit, priority=priority, plot=plot, as_json=as_json),
        )
    code = _run(plan_test(built()), labels, plot, as_json=as_json)
    if revisions and code != _interrupted():
        trees.remove()
    return code


def _read_workers(text: str) -> int | None:
    """Read a number of local workers, or None for those of the platform."""
    from erqiwang_runner.errors import UsageError

    if text == PLATFORM:
        return None
    if not (text.isascii() and text.isdecimal()):
        raise UsageError(f"--workers {text!r} is neither a number from 0 on nor {PLATFORM!r}")
    return int(text)


def _run(planned: PlannedTest, names: tuple[str, ...], plot: Path | None, *, as_json: bool) -> ExitCode:
    from rich.console import Console

    from erqiwang_runner.local.games_log import GamesLog
    from erqiwang_runner.local.interruption import interruptible
    from erqiwang_runner.regress.run import play_test

    console = Console(stderr=True)
    log = GamesLog.open(planned.file, planned.spec)
    labels = names or tuple(entry.bot for entry in log.entries())
    try:
        with interruptible():
            _announce(planned, labels, log, console)
            watch = play_test(planned, log, _Progress(console).hear)
    except KeyboardInterrupt:
        _say(
            console,
            f"interrupted: {len(log.finished_slots())} board sets are stored; the same command continues",
        )
        return _interrupted()
    finally:
        log.close()
    return _show(planned, labels, watch, log, plot, console, as_json=as_json)


def _announce(planned: PlannedTest, labels: tuple[str, ...], log: GamesLog, console: Console) -> None:
    spec, test = planned.spec, planned.test
    new, old = labels
    _say(console, f"A {new} against B {old}: {spec.profile}, {spec.set_type}, {spec.clock_class} clock")
    _say(
        console,
        f"{test.question.value}: t = {test.hypotheses.t0:g} or {test.hypotheses.t1:g} a board set, "
        f"at most {test.limit} board sets" + too_few_to_judge(test.limit),
    )
    _say(console, f"deals from the seed {spec.seed_text!r}; results go to {planned.file}")
    if finished := len(log.finished_slots()):
        _say(console, f"{finished} board sets are there already")


def too_few_to_judge(limit: int | None) -> str:
    """Say that a limit leaves no room for a verdict, if so."""
    from erqiwang_runner.sequential import FIRST_LOOK

    return f": no verdict, for that takes {FIRST_LOOK}" if limit is not None and limit < FIRST_LOOK else ""


def _show(
    planned: PlannedTest,
    labels: tuple[str, ...],
    watch: Watch,
    log: GamesLog,
    plot: Path | None,
    console: Console,
    *,
    as_json: bool,
) -> ExitCode:
    from erqiwang_runner.local.faults_text import fault_lines
    from erqiwang_runner.regress.summary import answer, markdown

    report, spec = watch.report(), planned.spec
    new, old = labels
    conditions = f"{spec.profile}, {spec.set_type}, {spec.clock_class} clock, seed `{spec.seed_text}`"
    command = shlex.join(["erqi", *sys.argv[1:]])
    summary = planned.folder / "summary.md"
    summary.write_text("\n".join(markdown(report, new, old, conditions, command)) + "\n", encoding="utf-8")
    if as_json:
        found = {**report.to_object(), "new": new, "old": old, "answer": answer(report)}
        print(json.dumps({**found, "seed": spec.seed_text, "games": str(planned.file)}, indent=2))
    else:
        print("\n".join(report.lines()))
        for line in fault_lines(log.entries(), log.faults(), log.fault_notes()):
            print(line)
    _say(console, f"summary for a pull request: {summary}")
    if plot is not None:
        _plot(planned, watch, labels, plot)
    return report.exit_code


def _plot(planned: PlannedTest, watch: Watch, labels: tuple[str, ...], file: Path) -> None:
    from erqiwang_runner.plots.llr import draw_llr

    draw_llr(planned.test, watch.boards(), f"{labels[0]} against {labels[1]}", file)


class _Progress:
    """Says now and then how far the test is."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._said = 0

    def hear(self, watch: Watch) -> None:
        if watch.in_order >= self._said + 12:
            self._said = watch.in_order
            _say(self._console, f"{watch.in_order} board sets, LLR {watch.llr():+.2f}")


def _say(console: Console, line: str) -> None:
    console.print(line, highlight=False, soft_wrap=True, markup=False)


def _interrupted() -> ExitCode:
    from erqiwang_runner.exit_codes import ExitCode

    return ExitCode.INTERRUPTED
