"""Regression tests on a platform: putting one into the queue of tests, and finding it again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from sqlalchemy import Connection

from erqiwang_runner.errors import UsageError
from erqiwang_runner.formats import Format, FormatSettings
from erqiwang_runner.local.bots import read_options
from erqiwang_runner.regress.plan import RegressSettings, key_of, spec_of, test_of
from erqiwang_runner.store import regressions, tournaments
from erqiwang_runner.store.engine import Database
from erqiwang_runner.store.entering import version_of
from erqiwang_runner.store.regressions import Compared, StoredTest
from erqiwang_runner.tournament_spec import AUTOMATIC, EntrySpec

_LOOK_BACK = 128
"""Boards that workers may be ahead of what is finished in order: most of them are not needed in the end."""


@dataclass(frozen=True, slots=True)
class Submission:
    """What is asked of the platform.

    `asked` are the words that make one test of two commands; `commits` are what is compared with `--git`,
    and `labels` how the two are called then. `command` is the command line.
    """

    settings: RegressSettings
    asked: Mapping[str, object]
    command: str
    commits: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()


def go_on(database: Database, submission: Submission, priority: int | None = None) -> StoredTest | None:
    """Go on with the test of two revisions without building them again; None if there is none."""
    with database.write() as connection:
        stored = regressions.with_key(connection, _key(submission, submission.commits))
        return None if stored is None else _let_run(connection, stored, submission.settings, priority)


def submit(database: Database, submission: Submission, priority: int | None = None) -> StoredTest:
    """Put a test into the queue, or go on with the one that asks the same; raises UsageError.

    The bots are stored as they are now: what changes later is another version, and another test.
    """
    settings = submission.settings
    entries = _entries(database, settings)
    compared = submission.commits or [each.contestant.artefact_hash for each in entries]
    key = _key(submission, compared)
    with database.write() as connection:
        stored = regressions.with_key(connection, key)
        if stored is None:
            stored = _create(connection, submission, entries, key)
        return _let_run(connection, stored, settings, priority)


def _create(
    connection: Connection, submission: Submission, entries: tuple[EntrySpec, ...], key: str
) -> StoredTest:
    settings = submission.settings
    test = test_of(settings)
    spec = replace(
        spec_of(settings, test, entries, regressions.free_name(connection, key)),
        format=FormatSettings(format=Format.REGRESSION),
        boards_per_match=AUTOMATIC,
        look_back=_LOOK_BACK,
    )
    new, old = submission.labels or (str(each.contestant) for each in entries)
    compared = Compared(key, new, old, submission.command, settings.delta)
    return regressions.get(connection, regressions.create(connection, spec, test, compared))


def _let_run(
    connection: Connection, stored: StoredTest, settings: RegressSettings, priority: int | None
) -> StoredTest:
    if settings.max_boards and settings.max_boards != stored.test.limit:
        raise UsageError(
            f"{stored.tournament.name} is this test, with at most {stored.test.limit} board sets: "
            "leave --max-boards out"
        )
    tournaments.start(connection, stored.tournament.id)
    if priority is not None:
        tournaments.set_priority(connection, stored.tournament.id, priority)
    return regressions.get(connection, stored.tournament.id)


def _entries(database: Database, settings: RegressSettings) -> tuple[EntrySpec, ...]:
    chosen = read_options(settings.options, 2)
    texts = (settings.new, settings.old)
    return tuple(
        version_of(database, text, chosen.get(number, {}), settings.profile)
        for number, text in enumerate(texts)
    )


def _key(submission: Submission, compared: Sequence[str]) -> str:
    return key_of({"compared": list(compared), **submission.asked})
