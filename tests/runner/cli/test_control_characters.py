"""A record from a stranger cannot steer the terminal of who reads it."""

from __future__ import annotations

import json
from random import Random

import pytest

from erqiwang.rules import get_profile, record_of
from erqiwang_runner.cli.__main__ import run
from strategies import finished_at_random

ERASE = "\x1b[2J"


@pytest.fixture
def record():
    return json.loads(record_of(finished_at_random(get_profile("classic"), Random(1))).to_json())


def test_a_name_with_control_characters_is_spelled_out(record, tmp_path, capsys):
    path = tmp_path / "record.json"
    path.write_text(json.dumps({**record, "id": f"二七王{ERASE}"}))
    assert run(["replay", str(path)]) == 0
    shown = capsys.readouterr().out
    assert "table 二七王\\x1b[2J opener" in shown
    assert "\x1b" not in shown


@pytest.mark.parametrize("command", ["replay", "verify"])
def test_a_key_with_control_characters_is_spelled_out(command, record, tmp_path, capsys):
    path = tmp_path / "record.json"
    path.write_text(json.dumps({**record, ERASE: 1}))
    assert run([command, str(path)]) == 65
    told = capsys.readouterr().err
    assert "\\x1b[2J: unknown key" in told
    assert "\x1b" not in told
