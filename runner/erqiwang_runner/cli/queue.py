"""What the commands do that put regression tests into the queue of the platform and look after them."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rich.console import Console

from erqiwang_runner.cli.tournaments import open_database
from erqiwang_runner.errors import UnavailableError, UsageError
from erqiwang_runner.exit_codes import ExitCode
from erqiwang_runner.local.interruption import interruptible
from erqiwang_runner.plots.llr import draw_llr
from erqiwang_runner.regress import queue
from erqiwang_runner.regress.plan import RegressSettings
from erqiwang_runner.regress.queue import Submission
from erqiwang_runner.regress.summary import answer_to, markdown
from erqiwang_runner.regression import RegressionReport
from erqiwang_runner.run_lock import is_running
from erqiwang_runner.sequential import LOOK_EVERY, Verdict
from erqiwang_runner.settings import Settings
from erqiwang_runner.store import life_cycle, regressions, summary, tournaments
from erqiwang_runner.store.engine import Database
from erqiwang_runner.store.regressions import StoredTest
from erqiwang_runner.store.states import TournamentState
from erqiwang_runner.supervisor import wait_a_moment


@dataclass(frozen=True, slots=True)
class Wishes:
    """How a test is followed and shown; `plot` is a picture of it."""

    waits: bool = True
    priority: int | None = None
    plot: Path | None = None
    as_json: bool = False


def test_remotely(
    data: Path | None,
    submission: Submission,
    built: Callable[[], RegressSettings],
    clean: Callable[[], None],
    wishes: Wishes,
) -> ExitCode:
    """Put a test into the queue, or find it there, and wait for its verdict if that is wished.

    `built` gives the settings with the bots at hand, `clean` removes what it made.
    """
    settings = Settings.from_environment(data)
    if wishes.waits:
        _need_platform(settings)
    with closing(open_database(settings)) as database:
        stored = queue.go_on(database, submission, wishes.priority) if submission.commits else None
        if stored is None:
            try:
                prepared = replace(submission, settings=built())
                stored = queue.submit(database, prepared, wishes.priority)
            finally:
                clean()
        name = stored.tournament.name
        if not wishes.waits:
            print(json.dumps(_to_object(database, stored)) if wishes.as_json else _submitted(stored))
            return ExitCode.YES
        return _follow(settings, database, name, wishes)


def watch(data: Path | None, name: str | None, wishes: Wishes) -> ExitCode:
    """Wait for the verdict of a test; the exit code says it."""
    settings = _settings(data)
    with closing(open_database(settings)) as database:
        return _follow(settings, database, _find(database, name).tournament.name, wishes)


def list_all(data: Path | None, *, as_json: bool) -> ExitCode:
    """List the tests: those that go on first, the highest priority before the others."""
    with closing(open_database(_settings(data))) as database:
        with database.read() as connection:
            every = regressions.every(connection)
        if as_json:
            print(json.dumps([_to_object(database, each) for each in every]))
        else:
            lines = [_line(database, each) for each in every]
            print("\n".join(lines) or "there is no test yet; `erqi regress NEW OLD --submit` makes one")
    return ExitCode.YES


def show(data: Path | None, name: str | None, wishes: Wishes) -> ExitCode:
    """Show a test as it stands."""
    with closing(open_database(_settings(data))) as database:
        stored = _find(database, name)
        if wishes.as_json:
            print(json.dumps(_to_object(database, stored, is_fresh=True), indent=2))
        else:
            _print(database, stored)
        _draw(database, stored, wishes.plot)
    return ExitCode.YES


def summarise(data: Path | None, name: str | None) -> ExitCode:
    """Print the summary of a test for a pull request."""
    with closing(open_database(_settings(data))) as database:
        stored = _find(database, name)
        conditions = stored.tournament.conditions
        said = (
            f"{conditions.profile.slug}, {conditions.set_type.name}, {conditions.clock.name} clock, "
            f"seed `{stored.tournament.seed_text}`, test `{stored.tournament.name}`"
        )
        compared = stored.compared
        lines = markdown(_report(database, stored), compared.new, compared.old, said, compared.command)
        print("\n".join(lines))
    return ExitCode.YES


def stop(data: Path | None, name: str) -> ExitCode:
    """Let a test rest; the command that asked for it goes on with it."""
    with closing(open_database(_settings(data))) as database:
        stored = _find(database, name)
        with database.write() as connection:
            life_cycle.pause(connection, stored.tournament.name)
        print(f"{name} is stopped; its command, or erqi tournament resume {name}, goes on with it")
    return ExitCode.YES


def set_priority(data: Path | None, name: str, priority: int) -> ExitCode:
    """Move a test, or any tournament, in the queue."""
    with closing(open_database(_settings(data))) as database, database.write() as connection:
        tournaments.set_priority(connection, tournaments.find(connection, name).id, priority)
    print(f"{name} has the priority {priority}")
    return ExitCode.YES


def _follow(settings: Settings, database: Database, name: str, wishes: Wishes) -> ExitCode:
    console = Console(stderr=True)
    _say(console, _submitted(_find(database, name)))
    try:
        with interruptible():
            state = _wait(settings, database, name, console)
    except KeyboardInterrupt:
        _say(console, f"{name} goes on; the same command watches it, erqi test stop {name} stops it")
        return ExitCode.INTERRUPTED
    stored = _find(database, name)
    if wishes.as_json:
        print(json.dumps(_to_object(database, stored, is_fresh=True), indent=2))
    else:
        _print(database, stored)
    _draw(database, stored, wishes.plot)
    _say(console, f"summary for a pull request: erqi test summary {name}")
    if state is not TournamentState.FINISHED:
        _say(console, f"{name} is {state.value}: somebody stopped it")
        return ExitCode.INCONCLUSIVE
    return _report(database, stored).exit_code


def _wait(settings: Settings, database: Database, name: str, console: Console) -> TournamentState:
    said = 0
    while True:
        stored = _find(database, name)
        if stored.judged >= said + 2 * LOOK_EVERY and stored.report is not None:
            said = stored.judged
            _say(console, f"{said} board sets, LLR {stored.report['llr']:+.2f}")
        if stored.tournament.state is not TournamentState.RUNNING:
            return stored.tournament.state
        _need_platform(settings)
        wait_a_moment()


def _need_platform(settings: Settings) -> None:
    """Refuse to wait for what nobody plays; a coordinator elsewhere cannot be seen from here."""
    own = Settings.from_environment(settings.data, {})
    is_elsewhere = settings.redis_url is not None or settings.database_url != own.database_url
    if not is_elsewhere and not is_running(settings.data):
        raise UnavailableError(
            f"no platform runs on {settings.data}: start `erqi up`, or name one by ERQI_DATABASE_URL; "
            "`--submit` puts the test into the queue without waiting"
        )


def _find(database: Database, name: str | None) -> StoredTest:
    with database.read() as connection:
        stored = regressions.find(connection, name)
    if stored is None:
        raise UsageError("there is no test yet" if name is None else f"there is no test {name!r}")
    return stored


def _report(database: Database, stored: StoredTest) -> RegressionReport:
    with database.read() as connection:
        return regressions.report_of(connection, stored)


def _found(database: Database, stored: StoredTest) -> dict[str, Any]:
    """Give what was found at the last look of the coordinator, or now where there was none or it is over."""
    is_last = stored.decided_by is not None or stored.judged == stored.tournament.settled
    if stored.report is not None and (is_last or stored.is_open):
        return dict(stored.report)
    return _report(database, stored).to_object()


def _to_object(database: Database, stored: StoredTest, *, is_fresh: bool = False) -> dict[str, object]:
    found = _report(database, stored).to_object() if is_fresh else _found(database, stored)
    return {
        **found,
        "new": stored.compared.new,
        "old": stored.compared.old,
        "answer": answer_to(stored.test.question, str(found["verdict"])),
        "seed": stored.tournament.seed_text,
        "test": stored.tournament.name,
        "state": stored.tournament.state.value,
        "priority": stored.tournament.priority,
        "max_board_sets": stored.test.limit,
        "decided_by": stored.decided_by,
    }


def _line(database: Database, stored: StoredTest) -> str:
    found, row = _found(database, stored), stored.tournament
    state = row.state.value if stored.is_open or found["verdict"] == Verdict.OPEN.value else found["verdict"]
    llr = "-" if found["llr"] is None else f"{found['llr']:+.2f}"
    return (
        f"{row.name:<20} {state:<12} priority {row.priority:>3}  LLR {llr:>6} "
        f"({found['llr_lower']:.2f}, {found['llr_upper']:.2f})  {found['board_sets']:>5} of "
        f"{stored.test.limit} board sets  {found['question']}: {stored.compared.new} against "
        f"{stored.compared.old}"
    )


def _print(database: Database, stored: StoredTest) -> None:
    row, compared = stored.tournament, stored.compared
    conditions = row.conditions
    print(f"{row.name}: {row.state.value}, priority {row.priority}")
    print(f"A {compared.new} against B {compared.old}")
    print(
        f"{conditions.profile.slug}, {conditions.set_type.name}, {conditions.clock.name} clock, "
        f"seed {row.seed_text!r}, at most {stored.test.limit} board sets"
    )
    print("\n".join(_report(database, stored).lines()))
    for fault in summary.summarise(database, row.name).faults:
        print("\n".join(fault.lines()))


def _draw(database: Database, stored: StoredTest, file: Path | None) -> None:
    if file is None:
        return
    with database.read() as connection:
        boards, explained = regressions.played(connection, stored.tournament)
    title = f"{stored.compared.new} against {stored.compared.old}"
    draw_llr(stored.test, boards, title, file, explained=explained)


def _submitted(stored: StoredTest) -> str:
    row, compared = stored.tournament, stored.compared
    return (
        f"{row.name} ({row.state.value}, priority {row.priority}): A {compared.new} against B {compared.old}"
    )


def _settings(data: Path | None) -> Settings:
    settings = Settings.from_environment(data)
    settings.find_data()
    return settings


def _say(console: Console, line: str) -> None:
    console.print(line, highlight=False, soft_wrap=True, markup=False)
