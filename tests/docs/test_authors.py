"""The page for authors says what the tools do."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from typer.main import get_command

from erqiwang.rules import PROFILES, FaultCause
from erqiwang_runner.cli.app import app
from erqiwang_runner.local.bot_toml import read_bot_toml
from erqiwang_runner.made_deals import read_deals

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "authors.md").read_text(encoding="utf-8")


def options_of(command: str) -> set[str]:
    parameters = get_command(app).commands[command].params  # type: ignore[attr-defined]
    return {name for parameter in parameters for name in parameter.opts if name.startswith("--")}


def test_every_option_of_play_is_explained_and_no_other() -> None:
    table = PAGE[PAGE.index("| option | meaning |") : PAGE.index("**It can be stopped.**")]
    assert set(re.findall(r"^\| `(--[a-z-]+)", table, re.MULTILINE)) == options_of("play")


def test_the_example_of_bot_toml_is_one(tmp_path: Path) -> None:
    (example,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    (tmp_path / "bot.toml").write_text(example)
    assert read_bot_toml(tmp_path).options == {"depth": "2"}
    assert set(tomllib.loads(example)["profiles"]) <= set(PROFILES)


def test_every_fault_has_its_row() -> None:
    rows = "".join(re.findall(r"^\| `.*?` \|", PAGE, re.MULTILINE))
    bots = [cause for cause in FaultCause if cause is not FaultCause.PLATFORM]
    assert [cause.name for cause in bots if f"`{cause.name.lower()}`" not in rows] == []


@pytest.mark.parametrize("name", re.findall(r"\]\(((?:\.\./)?[\w./-]+)(?:#[\w-]+)?\)", PAGE))
def test_links_lead_somewhere(name: str) -> None:
    assert (ROOT / "docs" / name).exists()


def test_the_reader_of_deals_knows_the_keys_that_are_shown() -> None:
    assert read_deals.__module__ == "erqiwang_runner.made_deals"
    assert '{"hands": ' in PAGE
    assert '"kitty": ' in PAGE
    assert '"opener": 0}' in PAGE
