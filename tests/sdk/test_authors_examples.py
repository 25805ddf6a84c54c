"""The bots of docs/authors.md play at the real referee."""

import re
from pathlib import Path

import pytest

from launched_match import match_spec, play_match, records_of

PAGE = (Path(__file__).parents[2] / "docs" / "authors.md").read_text(encoding="utf-8")
BOTS = {
    name: code
    for code in re.findall(r"```python\n(.*?)```", PAGE, re.S)
    for name in re.findall(r"class (\w+)", code)
}


def test_every_bot_of_the_page_is_tried():
    assert sorted(BOTS) == ["Attentive", "Net", "Patient"]


@pytest.mark.parametrize("name", sorted(BOTS))
def test_a_bot_of_the_page_plays(referee_target, tmp_path, name):
    code = BOTS[name]
    if "run(" not in code:
        code += f"\n\nfrom erqiwang import run\n\nrun({name})\n"
    script = tmp_path / "bot.py"
    script.write_text(code)
    told, exits = play_match(
        referee_target, match_spec(range(4)), [str(script), *["-m erqiwang.bots.lowest"] * 3]
    )
    assert exits == [(0, "", "")] * 4
    assert len(records_of(told)) == 4
    assert not [each for each in told if each.HasField("player_faulted")]
