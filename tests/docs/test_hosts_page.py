"""docs/hosts.md says what there is: every key, format and state, and its file is a file."""

from __future__ import annotations

import re
from pathlib import Path

from erqiwang_runner import tournament_file
from erqiwang_runner.formats import Format
from erqiwang_runner.local.bots import read_entry
from erqiwang_runner.store.states import TournamentState

PAGE = (Path(__file__).parents[2] / "docs" / "hosts.md").read_text(encoding="utf-8")


def first_column(heading):
    chapter = PAGE.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    return re.findall(r"^\| `([^`]+)` \|", chapter, re.MULTILINE)


def test_the_file_of_the_page_is_read(tmp_path):
    (block,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    folder = tmp_path / "mybot"
    folder.mkdir()
    (folder / "bot.py").write_text("print()")
    (folder / "bot.toml").write_text('command = ["python", "bot.py"]\noptions = { depth = 2 }\n')
    others = '[[entries]]\nbot = "random"\n[[entries]]\nbot = "lowest"\n'
    # A tournament of seeded deals has no source of entropy.
    text = block.replace('entropy_source = "..."', "# entropy_source") + others
    file = tmp_path / "spring.toml"
    file.write_text(text)
    spec = tournament_file.read_tournament(file, read_entry)
    assert [entry.options.get("depth") for entry in spec.entries] == [None, "3", None, None]
    for key in tournament_file.KEYS:
        assert re.search(rf"^\[*{key}\b", block, re.MULTILINE), key


def test_every_format_is_there():
    assert first_column("Formats") == [
        each.value
        for each in (
            *(Format.ROUND_ROBIN, Format.MATCH, Format.GAUNTLET, Format.CYCLIC, Format.SWISS, Format.BRACKET),
            Format.LADDER,
            Format.REGRESSION,
        )
    ]
    assert len(first_column("Formats")) == len(Format)


def test_every_state_is_there():
    assert first_column("Life cycle") == [each.value for each in TournamentState]
