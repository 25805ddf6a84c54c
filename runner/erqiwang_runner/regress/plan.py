"""From the options of `erqi regress` to a plan; the same options give the same folder, and so a resume."""

from __future__ import annotations

import hashlib
import json
import os
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from erqiwang_runner.chosen_rules import chosen_rules
from erqiwang_runner.errors import BadInputError, UsageError
from erqiwang_runner.local.bots import read_entries
from erqiwang_runner.local.games_log import FILE, GamesLog
from erqiwang_runner.regression import FORFEIT_LIMIT, RegressionTest
from erqiwang_runner.seating import default_set_type
from erqiwang_runner.sequential import DEFAULT_DELTA, LOOK_EVERY, Hypotheses, Question
from erqiwang_runner.tournament_spec import EntrySpec, TournamentSpec

FOLDER: Final = Path("erqi-regress")
TEST_FILE: Final = "test.json"
NEW, OLD = 0, 1

SMALLEST_DELTA: Final = 0.001
"""Finer differences take more board sets than anybody plays: 26 millions at most for this one."""

LARGEST_DELTA: Final = 1.0

_BOARDS_PER_MATCH: Final = 2 * LOOK_EVERY


@dataclass(frozen=True, slots=True, kw_only=True)
class RegressSettings:
    """What was asked for; "", 0 and None leave the choice to us."""

    new: str
    old: str
    question: Question = Question.GAIN
    delta: float = DEFAULT_DELTA
    max_boards: int = 0
    seed: str = ""
    profile: str = "classic"
    switches: Mapping[str, str]
    clock: str = "fast"
    options: tuple[str, ...] = ()
    workers: int = 0
    out: Path = FOLDER


@dataclass(frozen=True, slots=True)
class PlannedTest:
    """What will be played and judged, and where the results go."""

    spec: TournamentSpec
    test: RegressionTest
    folder: Path
    workers: int

    @property
    def file(self) -> Path:
        """The games file."""
        return self.folder / FILE


def plan_test(settings: RegressSettings) -> PlannedTest:
    """Complete the settings; raises UsageError, also if the folder holds a test of another question."""
    test = test_of(settings)
    entries = read_entries((settings.new, settings.old), settings.options, settings.profile)
    file = settings.out / FILE
    before = GamesLog.read(file).header if file.exists() and file.stat().st_size else None
    spec = replace(
        spec_of(settings, test, entries, before.name if before else "regress-" + secrets.token_hex(4)),
        seed_text=settings.seed or (before.seed if before else secrets.token_hex(8)),
    )
    _keep_question(settings.out, settings)
    workers = settings.workers or len(os.sched_getaffinity(0))
    return PlannedTest(spec, test, settings.out, workers)


def test_of(settings: RegressSettings) -> RegressionTest:
    """Give the test that is asked for; raises UsageError."""
    if not SMALLEST_DELTA <= settings.delta <= LARGEST_DELTA:
        raise UsageError(
            f"--delta {settings.delta:g} is not between {SMALLEST_DELTA:g} and {LARGEST_DELTA:g}: "
            "it is a margin over its deviation"
        )
    hypotheses = Hypotheses.asking(settings.question, settings.delta)
    return RegressionTest(
        new=NEW,
        old=OLD,
        forfeit_points=chosen_rules(settings.profile, settings.switches).forfeit_points,
        question=settings.question,
        hypotheses=hypotheses,
        limit=settings.max_boards or hypotheses.limit,
    )


def spec_of(
    settings: RegressSettings, test: RegressionTest, entries: tuple[EntrySpec, ...], name: str
) -> TournamentSpec:
    """Describe the match that a test judges, with deals from a new seed where none is asked for."""
    limit = test.limit or test.hypotheses.limit
    try:
        set_type = default_set_type(chosen_rules(settings.profile, settings.switches).seats, 2)
    except (LookupError, ValueError) as error:
        raise UsageError(str(error.args[0])) from None
    return TournamentSpec(
        name=name,
        seed_text=settings.seed or secrets.token_hex(8),
        entries=entries,
        # Boards that B spoils are left out; there may be some before the test is invalid.
        boards=limit + FORFEIT_LIMIT - 1,
        boards_per_match=_BOARDS_PER_MATCH,
        profile=settings.profile,
        switches=settings.switches,
        set_type=set_type.name,
        clock_class=settings.clock,
    )


def question_of(folder: Path) -> tuple[Question, float] | None:
    """Read what the test in a folder asks, if there is one; raises BadInputError."""
    file = folder / TEST_FILE
    if not file.exists():
        return None
    try:
        asked: object = json.loads(file.read_text())
        match asked:
            case {"question": str(question), "delta": float(delta)}:
                return Question(question), delta
            case _:
                raise ValueError("expected a question and its delta")
    except ValueError as error:
        raise BadInputError(f"{file}: {error}") from None


def hashes_of(new: str, old: str, options: Sequence[str], profile: str) -> list[str]:
    """Say what is compared: a bot that changed begins another test."""
    return [entry.contestant.artefact_hash for entry in read_entries((new, old), options, profile)]


def key_of(settings_of: Mapping[str, object]) -> str:
    """Give the same key, 64 hexadecimal digits, to the same question about the same bots."""
    return hashlib.sha256(json.dumps(settings_of, sort_keys=True).encode()).hexdigest()


def folder_of(settings_of: Mapping[str, object]) -> Path:
    """Name the folder of a test after what it compares and asks."""
    return FOLDER / key_of(settings_of)[:12]


def _keep_question(folder: Path, settings: RegressSettings) -> None:
    """Write down what is asked before the first board; who asks something else needs new boards."""
    before = question_of(folder)
    if before is None:
        folder.mkdir(parents=True, exist_ok=True)
        asked = {"question": settings.question.value, "delta": float(settings.delta)}
        part = folder / (TEST_FILE + ".part")
        part.write_text(json.dumps(asked) + "\n")
        part.replace(folder / TEST_FILE)
    elif before != (settings.question, settings.delta):
        raise UsageError(
            f"{folder} is a test that asks {before[0].value} with delta {before[1]:g}; boards that were seen "
            "cannot answer another question: name another --out"
        )
