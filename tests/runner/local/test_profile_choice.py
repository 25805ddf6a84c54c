"""`--profile`: from the catalogue, or a file that sets switches."""

from __future__ import annotations

from pathlib import Path

import pytest

from erqiwang.rules.profile import ThrowRule
from erqiwang_runner.errors import BadInputError, UsageError
from erqiwang_runner.local.profile_choice import choose_profile, read_house


@pytest.fixture
def house(tmp_path):
    def write(text):
        file = tmp_path / "friday.toml"
        file.write_text(text)
        return str(file)

    return write


def test_a_name_with_switches():
    chosen = choose_profile("classic", {"throw_rule": "max_now"})
    assert dict(chosen.rules().switches) == {"throw_rule": "max_now"}


def test_a_file_is_its_base_with_its_switches(house):
    file = house('slug = "friday"\nbase = "classic"\n[switches]\nthrow_rule = "max_now"\n')
    chosen = choose_profile(file, {})
    assert (chosen.slug, dict(chosen.switches)) == ("classic", {"throw_rule": "max_now"})


def test_a_file_with_rules_of_its_own_is_a_game_of_its_own(house):
    text = 'slug = "friday"\nbase = "classic"\n[rules]\nbid_high = 100\n'
    chosen = choose_profile(house(text), {})
    assert chosen.slug == "friday"
    assert chosen.rules().bid_high == 100
    assert chosen.rules() == read_house(Path(house(text)))
    switched = choose_profile(house(text), {"throw_rule": "max_now"})
    assert switched.rules().throw_rule is ThrowRule.MAX_NOW
    assert dict(switched.switches) != dict(chosen.switches)


def test_a_wrong_file_is_said_with_its_key(house):
    with pytest.raises(BadInputError, match=r"friday\.toml: base: no such profile"):
        choose_profile(house('slug = "friday"\nbase = "bridge"\n'), {})


def test_an_unknown_name():
    with pytest.raises(UsageError, match="bridge"):
        choose_profile("bridge", {}).rules()
