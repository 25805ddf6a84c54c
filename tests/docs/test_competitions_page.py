"""docs/competitions.md says what there is: every key, phase, state and event, and its file is a file."""

from __future__ import annotations

import json
import re
from pathlib import Path

from erqiwang_runner.competition import competition_file
from erqiwang_runner.competition.calendar import Phase
from erqiwang_runner.competition.competition_file import CALENDAR_KEYS, parse_competition
from erqiwang_runner.competition.stages import check
from erqiwang_runner.competition.submissions import SubmissionState
from erqiwang_runner.store.events import EventKind, body_of

PAGE = (Path(__file__).parents[2] / "docs" / "competitions.md").read_text(encoding="utf-8")


def first_column(heading):
    chapter = PAGE.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    return re.findall(r"^\| `([^`]+)` \|", chapter, re.MULTILINE)


def test_the_file_of_the_page_can_be_played():
    (block,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    spec = parse_competition(block)
    check(spec)
    assert [each.entries for each in spec.finals] == [8, 4]
    for key in (*competition_file.KEYS, *CALENDAR_KEYS):
        assert re.search(rf"^\[*{key}\b", block, re.MULTILINE), key


def test_every_phase_state_and_event_is_there():
    assert first_column("Phases") == [each.value for each in Phase]
    assert first_column("Submissions") == [each.value for each in SubmissionState]
    assert first_column("Webhooks") == [each.value for each in EventKind]


def test_an_event_looks_as_the_page_says():
    (block,) = re.findall(r"```json\n(.*?)\n```", PAGE, re.DOTALL)
    shown = json.loads(block)
    _, body = body_of(EventKind.COMPETITION_PHASE, 1_801_468_800.0, **shown["data"])
    assert json.loads(body) | {"id": shown["id"]} == shown


def test_every_command_is_there():
    from erqiwang_runner.cli.competition import app

    names = {command.name or getattr(command.callback, "__name__", "") for command in app.registered_commands}
    assert set(re.findall(r"^\| `erqi competition (\w+)", PAGE, re.MULTILINE)) == names
