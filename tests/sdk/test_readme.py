"""The examples of sdk/README.md run."""

import re
from pathlib import Path

import pytest

from erqiwang.bot import Bot
from erqiwang.rules import SeatView
from erqiwang.testing import play_board

README = (Path(__file__).parents[2] / "sdk" / "README.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def example():
    code = next(block for block in re.findall(r"```python\n(.*?)```", README, re.S) if "class First" in block)
    names = {"__name__": "first"}
    exec(code, names)
    return code, names["First"]


def test_the_bot_of_the_readme_has_under_thirty_lines(example):
    assert len(example[0].splitlines()) < 30


def test_the_bot_of_the_readme_plays(example):
    _, first = example
    assert issubclass(first, Bot)
    for board in range(10):
        assert sum(play_board([first] * 4, board).scores) == 0


def test_every_member_of_the_view_that_the_readme_names_is_there():
    table = README.partition("## The view")[2].partition("##")[0]
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    named = {name for row in rows for name in re.findall(r"`(\w+)", row)}
    assert len(named) > 25
    assert [name for name in sorted(named) if not hasattr(SeatView, name)] == []
