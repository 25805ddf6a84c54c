"""What the commands of `erqi competition` do."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

from erqiwang_runner.cli.tournaments import open_database, open_existing
from erqiwang_runner.competition.calendar import ORDER, Phase, parse_instant, say
from erqiwang_runner.competition.competition_file import read_competition
from erqiwang_runner.competition.phases import following
from erqiwang_runner.competition.stages import check
from erqiwang_runner.errors import BadInputError, UsageError
from erqiwang_runner.exit_codes import ExitCode
from erqiwang_runner.secret_file import SecretFile
from erqiwang_runner.settings import Settings
from erqiwang_runner.store import competition_steps, competitions, submissions
from erqiwang_runner.store.competition_status import CompetitionStatus, read_status, submission_object
from erqiwang_runner.store.engine import Database
from erqiwang_runner.store.entering import entry_of, version_of
from erqiwang_runner.tournament_spec import EntrySpec


def create(data: Path | None, file: Path, *, as_json: bool) -> ExitCode:
    """Announce the competition of a file."""
    spec = read_competition(file)
    try:
        check(spec)
    except (UsageError, BadInputError) as error:
        raise BadInputError(f"{file}: {error}") from None
    if spec.calendar.closes <= time.time():
        raise BadInputError(f"{file}: calendar.closes: {say(spec.calendar.closes)} is past")
    with closing(open_database(Settings.from_environment(data))) as database:
        with database.write() as connection:
            competitions.create(connection, spec)
        return _tell(database, spec.name, as_json=as_json)


def list_all(data: Path | None, *, as_json: bool) -> ExitCode:
    """Print every competition."""
    with closing(open_existing(data)) as database:
        with database.read() as connection:
            names = [row.name for row in competitions.every(connection)]
        found = [read_status(database, name) for name in names]
    if as_json:
        print(json.dumps([each.to_object() for each in found], ensure_ascii=False))
    else:
        print("\n".join(each.line() for each in found) or "there is no competition yet")
    return ExitCode.YES


def status(data: Path | None, name: str | None, *, hidden: bool, as_json: bool) -> ExitCode:
    """Print the state of a competition."""
    with closing(open_existing(data)) as database:
        found = read_status(database, name, everything=hidden)
    print(json.dumps(found.to_object(), ensure_ascii=False) if as_json else found.text())
    return ExitCode.YES


def submit(data: Path | None, name: str, text: str, author: str, *, as_json: bool) -> ExitCode:
    """Take a submission."""
    now = time.time()
    with closing(open_existing(data)) as database:
        with database.read() as connection:
            # Before its files are taken in: nothing of a late submission is kept.
            submissions.check_time(competitions.find(connection, name), now)
        entry = _entry(database, name, text)
        with database.write() as connection:
            made = submissions.submit(connection, name, entry, author or entry.contestant.name, now)
    if as_json:
        print(json.dumps(submission_object(made), ensure_ascii=False))
    else:
        print(f"{made.contestant} is submitted to {name} by {made.author}")
        print(f"it is validated in {made.validation}; erqi competition status {name} shows the outcome")
    return ExitCode.YES


def withdraw(data: Path | None, name: str, text: str, *, as_json: bool) -> ExitCode:
    """Take a submission back."""
    with closing(open_existing(data)) as database, database.write() as connection:
        found = submissions.withdraw(connection, name, text, time.time())
    if as_json:
        print(json.dumps(submission_object(found), ensure_ascii=False))
    else:
        print(f"{found.contestant} is withdrawn from {name}")
    return ExitCode.YES


def move(data: Path | None, name: str, phase: str, instant: str, *, as_json: bool) -> ExitCode:
    """Move a deadline."""
    try:
        wanted = Phase(phase)
    except ValueError:
        known = ", ".join(each.value for each in ORDER[1:])
        raise UsageError(f"no phase {phase!r}; there are: {known}") from None
    return _move(data, name, {wanted: parse_instant(instant)}, as_json=as_json)


def advance(data: Path | None, name: str, *, as_json: bool) -> ExitCode:
    """Let the next phase begin now."""
    with closing(open_existing(data)) as database, database.read() as connection:
        row = competitions.find(connection, name)
    after = following(row.place, len(row.spec.finals))
    now = time.time()
    if after is None or after.phase is row.place.phase or row.calendar.begins(after.phase) <= now:
        raise UsageError(f"{name} is {row.place}: no time is waited for, see erqi competition status {name}")
    return _move(data, name, {after.phase: now}, as_json=as_json)


def reveal(data: Path | None, name: str, *, as_json: bool) -> ExitCode:
    """Reveal the results of what is played."""
    with closing(open_existing(data)) as database, database.read() as connection:
        row = competitions.find(connection, name)
        facts = competitions.facts(connection, row)
    after = following(row.place, facts.finals)
    if after is None or after.phase is not Phase.REVEALED or not facts.is_played:
        raise UsageError(f"{name} is {row.place}: only what is played to its end can be revealed")
    return _move(data, name, {Phase.REVEALED: time.time()}, as_json=as_json)


def cancel(data: Path | None, name: str, *, as_json: bool) -> ExitCode:
    """End a competition before its time."""
    settings = Settings.from_environment(data)
    with closing(open_existing(data)) as database:
        with database.write() as connection:
            competitions.cancel(connection, name, time.time(), SecretFile.of(settings))
        return _tell(database, name, as_json=as_json)


def _move(data: Path | None, name: str, times: Mapping[Phase, float], *, as_json: bool) -> ExitCode:
    settings = Settings.from_environment(data)
    with closing(open_existing(data)) as database:
        with database.write() as connection:
            for phase, instant in times.items():
                competitions.move(connection, name, phase, instant)
        # What is due by it begins now, whether a coordinator runs or not.
        competition_steps.step(database, time.time(), SecretFile.of(settings))
        if not as_json:
            for phase, instant in times.items():
                print(f"{name}: {phase.value} begins at {say(instant)}")
        return _tell(database, name, as_json=as_json)


def _entry(database: Database, name: str, text: str) -> EntrySpec:
    with database.read() as connection:
        spec = competitions.find(connection, name).spec
    profile = spec.play.fields.get("profile", "classic")
    path = Path(text).expanduser()
    if "=" in text and not path.exists():
        raise UsageError(f"{text!r} names a command of this machine; submit a folder, a file or a stored bot")
    # A file has no version of its own: its hash is one.
    read = version_of if path.is_file() else entry_of
    return read(database, text, {}, str(profile))


def _tell(database: Database, name: str, *, as_json: bool) -> ExitCode:
    found: CompetitionStatus = read_status(database, name)
    print(json.dumps(found.to_object(), ensure_ascii=False) if as_json else found.line())
    return ExitCode.YES
