"""The page for hosts of a public referee says what it does."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest

from erqiwang_referee.metrics import serve_metrics
from erqiwang_referee.settings import Limits, Settings

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "referee.md").read_text(encoding="utf-8")


def test_every_option_is_explained_and_no_other(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        Settings.read(["--help"], {})
    known = set(re.findall(r"--[a-z-]+", capsys.readouterr().out)) - {"--help"}
    rows = "".join(re.findall(r"^\| (`--.*?) \|", PAGE, re.MULTILINE))
    assert set(re.findall(r"`(--[a-z-]+)", rows)) == known


def test_limits_are_those_of_the_referee() -> None:
    defaults = {field.name: getattr(Limits(), field.name) for field in fields(Limits)}
    shown = re.findall(r"^\| `([a-z_]+)` \| (\d+) \|", PAGE, re.MULTILINE)
    assert len(shown) == 8
    assert {name: int(number) for name, number in shown} == {name: defaults[name] for name, _ in shown}
    assert f"`drain_ms` ({Limits().drain_ms})" in PAGE


def test_every_metric_is_explained() -> None:
    source = Path(serve_metrics.__code__.co_filename).read_text(encoding="utf-8")
    named = set(re.findall(r'"(erqiwang_referee_[a-z_]+)"', source))
    assert {name for name in named if name not in PAGE} == set()
    assert len(named) == 9


@pytest.mark.parametrize("name", re.findall(r"\]\(((?:\.\./)?[\w./-]+)(?:#[\w-]+)?\)", PAGE))
def test_links_lead_somewhere(name: str) -> None:
    assert (ROOT / "docs" / name).exists()
